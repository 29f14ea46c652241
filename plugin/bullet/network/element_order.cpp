#include "network/element_order.h"

namespace elasto {
inline namespace ELASTO_BULLET_NAMESPACE {

LawOrder lawOrder(const ElementCommon& element) {
    const LawValues values = valuesOf(element.law());
    return {values, values.table.points(), element.s_damper()};
}

std::array<double, 13> placingOrder(const MultiBodyElement& element) {
    std::array<double, 13> order = {};
    if (const auto* joint = std::get_if<JointCoordinate>(&element.placing())) {
        order = {joint->offset, joint->sign};
    } else if (const auto* drive = std::get_if<Drive>(&element.placing())) {
        order = {drive->inertia, drive->ratio, element.motorAngle(), element.motorSpeed()};
    } else if (const auto* pair = std::get_if<GearPair>(&element.placing())) {
        order = {pair->first.offset, pair->first.sign, pair->second.offset, pair->second.sign, pair->ratio};
    } else if (const auto* rotor = std::get_if<RotorCoordinate>(&element.placing())) {
        order = placingOrder(*rotor->drive);
    } else {
        const auto& placement = std::get<LinkPlacement>(element.placing());
        const Eigen::Vector3d& a = placement.pointA();
        const Eigen::Vector3d& b = placement.pointB();
        const Eigen::Vector3d& n = placement.axis();
        const Eigen::Vector4d& frame = placement.frameB().coeffs();
        order = {a.x(), a.y(), a.z(), b.x(), b.y(), b.z(), n.x(), n.y(), n.z(), frame[0], frame[1], frame[2], frame[3]};
    }
    return order;
}

}  // namespace ELASTO_BULLET_NAMESPACE
}  // namespace elasto
