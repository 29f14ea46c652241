#include "network/element_order.h"

#include <type_traits>

namespace elasto {
inline namespace ELASTO_BULLET_NAMESPACE {

std::array<double, 7> lawOrder(const ElementCommon& element) {
    const double damper = element.s_damper();
    const auto of = [damper](const auto& law) -> std::array<double, 7> {
        const auto& p = law.parameters();
        using L = std::decay_t<decltype(law)>;
        if constexpr (std::is_same_v<L, ElastoGapLaw>) {
            return {p.c, p.d, p.s_rel0, p.n, p.s_ref, static_cast<double>(p.characteristic), damper};
        } else if constexpr (std::is_same_v<L, ElastoBacklashLaw>) {
            return {p.c, p.d, p.b, p.phi_rel0, static_cast<double>(p.characteristic), 0, damper};
        } else if constexpr (std::is_same_v<L, SpringDamperSeriesLaw>) {
            return {p.c, p.d, p.s_unstretched, 0, 0, 0, damper};
        } else {
            return {p.c, p.d, p.s_rel0, 0, 0, 0, damper};
        }
    };
    return std::visit(of, element.law());
}

std::array<double, 13> placingOrder(const MultiBodyElement& element) {
    std::array<double, 13> order = {};
    if (const auto* joint = std::get_if<JointCoordinate>(&element.placing())) {
        order = {joint->offset, joint->sign};
    } else if (const auto* drive = std::get_if<Drive>(&element.placing())) {
        order = {drive->inertia, drive->ratio, element.motorAngle(), element.motorSpeed()};
    } else if (const auto* pair = std::get_if<GearPair>(&element.placing())) {
        order = {pair->first.offset, pair->first.sign, pair->second.offset, pair->second.sign, pair->ratio};
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
