#include "multibody_rotors.h"

#include <BulletDynamics/Featherstone/btMultiBody.h>

#include <algorithm>
#include <cmath>

namespace elasto {
inline namespace ELASTO_BULLET_NAMESPACE {

namespace {

using Eigen::Quaterniond;
using Eigen::Vector3d;

const ReflectedRotor& rotorOf(const MovedMultiBody& moved, const MultiBodyElement& element) {
    return *std::find_if(moved.rotors.begin(), moved.rotors.end(),
                         [&](const ReflectedRotor& rotor) { return rotor.element == &element; });
}

// The frame that the rotor's disc has at 0, in the parent's flow body.
Quaterniond seatOf(const MovedMultiBody& moved, int link) {
    const btMultibodyLink& joint = moved.body->getLink(link);
    return moved.place(joint.m_parent).turn * zeroTurn(joint);
}

}  // namespace

void addRotor(MovedMultiBody& moved, const MultiBodyElement& element, const QuadraticTorque& torque,
              FlowNetwork& network) {
    const Drive& drive = std::get<Drive>(element.placing());
    const btMultibodyLink& joint = moved.body->getLink(drive.link);
    const int parent = moved.place(joint.m_parent).body;
    const Vector3d axis = axisOf(joint);
    const Quaterniond seat = seatOf(moved, drive.link);

    FlowBody disc;  // it only turns: no mass
    const double reflected = drive.inertia * drive.ratio * drive.ratio;
    disc.gyroscopic = false;
    disc.inverseInertia = Vector3d::Constant(1 / drive.inertia);
    // The disc's frame has the joint's axis along z, so that the inertia is diagonal.
    const Quaterniond axes = Quaterniond::FromTwoVectors(Vector3d::UnitZ(), axis);
    disc.inverseInertia.z() = 1 / reflected;
    const Quaterniond turned = seat * Quaterniond(Eigen::AngleAxisd(element.motorAngle() / drive.ratio, axis)) * axes;
    const Vector3d spin = element.motorSpeed() / drive.ratio * (seat * axis);
    if (parent == kWorld) {
        disc.orientation = turned.normalized();
        disc.angularVelocity = spin;
    } else {
        const FlowBody& carrier = network.bodies[static_cast<std::size_t>(parent)];
        disc.orientation = (carrier.orientation * turned).normalized();
        disc.angularVelocity = carrier.angularVelocity + carrier.orientation * spin;
    }
    ReflectedRotor& rotor = moved.rotors.emplace_back();
    rotor.element = &element;
    rotor.link = drive.link;
    rotor.body = static_cast<int>(network.bodies.size());
    rotor.torque.constant = drive.ratio * torque.constant;
    rotor.torque.linear = drive.ratio * torque.linear;
    rotor.torque.quadratic = drive.ratio * torque.quadratic;
    network.bodies.push_back(disc);

    for (const int across : {0, 1}) {
        HeldRow row;
        row.kind = HeldRow::Kind::Orthogonal;
        row.a = parent;
        row.b = rotor.body;
        row.axisA = seat * (axes * Vector3d::Unit(across));
        row.axisB = Vector3d::UnitZ();
        network.joints.push_back(row);
    }
}

void placeOnRotor(const MovedMultiBody& moved, const MultiBodyElement& element, FlowElement& flow) {
    const Drive& drive = std::get<Drive>(element.placing());
    const ReflectedRotor& rotor = rotorOf(moved, element);
    const btMultibodyLink& joint = moved.body->getLink(drive.link);
    const LinkPlace& link = moved.place(drive.link);
    const Vector3d axis = axisOf(joint);
    const Quaterniond axes = Quaterniond::FromTwoVectors(Vector3d::UnitZ(), axis);
    flow.geometry = Geometry::AboutAxis;
    flow.a = rotor.body;
    flow.b = link.body;
    flow.axis = Vector3d::UnitZ();
    flow.frameA = Quaterniond::Identity();
    flow.frameB = link.turn * axes;
    flow.phi = moved.start.q[static_cast<std::size_t>(joint.m_cfgOffset)] - element.motorAngle() / drive.ratio;
}

RotorEnd readRotor(const MovedMultiBody& moved, const MultiBodyElement& element, const TickResult& result, double h) {
    const Drive& drive = std::get<Drive>(element.placing());
    const ReflectedRotor& rotor = rotorOf(moved, element);
    const btMultibodyLink& joint = moved.body->getLink(drive.link);
    const int parent = moved.place(joint.m_parent).body;
    const BodyState carrier =
        parent == kWorld ? BodyState{} : BodyState(result.bodies[static_cast<std::size_t>(parent)]);
    const BodyState& disc = result.bodies[static_cast<std::size_t>(rotor.body)];
    const Quaterniond seat = carrier.orientation * seatOf(moved, drive.link);
    const Vector3d axis = axisOf(joint);
    const Quaterniond axes = Quaterniond::FromTwoVectors(Vector3d::UnitZ(), axis);
    const Quaterniond turn = seat.conjugate() * disc.orientation * axes.conjugate();
    RotorEnd end;
    end.w = drive.ratio * (seat * axis).dot(disc.angularVelocity - carrier.angularVelocity);
    const double expected = (element.motorAngle() + h * (element.motorSpeed() + end.w) / 2) / drive.ratio;
    constexpr double kTurn = 2 * M_PI;
    const double angle = 2 * std::atan2(turn.vec().dot(axis), turn.w());
    end.phi = drive.ratio * (angle + kTurn * std::round((expected - angle) / kTurn));
    return end;
}

}  // namespace ELASTO_BULLET_NAMESPACE
}  // namespace elasto
