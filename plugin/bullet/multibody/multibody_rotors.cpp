#include "multibody/multibody_rotors.h"

#include <BulletDynamics/Featherstone/btMultiBody.h>

#include <algorithm>

namespace elasto {
inline namespace ELASTO_BULLET_NAMESPACE {

namespace {

using Eigen::Vector3d;

const ReflectedRotor& rotorOf(const MovedMultiBody& moved, const MultiBodyElement& element) {
    return *std::find_if(moved.rotors.begin(), moved.rotors.end(),
                         [&](const ReflectedRotor& rotor) { return rotor.element == &element; });
}

}  // namespace

void addRotor(MovedMultiBody& moved, const MultiBodyElement& element, const QuadraticTorque& torque,
              FlowNetwork& network) {
    const Drive& drive = std::get<Drive>(element.placing());
    ReflectedRotor& rotor = moved.rotors.emplace_back();
    rotor.element = &element;
    rotor.slides = moved.body->getLink(drive.link).m_jointType == btMultibodyLink::ePrismatic;
    rotor.body = static_cast<int>(network.bodies.size());
    rotor.torque.constant = drive.ratio * torque.constant;
    rotor.torque.linear = drive.ratio * torque.linear;
    rotor.torque.quadratic = drive.ratio * torque.quadratic;

    FlowBody body;
    const double reflected = drive.inertia * drive.ratio * drive.ratio;  // [kg.m^2], of what slides [kg]
    const double displacement = element.motorAngle() / drive.ratio;
    const double speed = element.motorSpeed() / drive.ratio;
    body.gyroscopic = false;
    if (rotor.slides) {
        body.inverseMass = 1 / reflected;
        body.linearFactor = rotor.axis();
        body.position = displacement * rotor.axis();
        body.velocity = speed * rotor.axis();
    } else {
        body.inverseInertia = rotor.axis() / reflected;
        body.orientation = Eigen::AngleAxisd(displacement, rotor.axis());
        body.angularVelocity = speed * rotor.axis();
    }
    network.bodies.push_back(body);
}

void placeOnRotor(const MovedMultiBody& moved, const MultiBodyElement& element, FlowElement& flow) {
    const Drive& drive = std::get<Drive>(element.placing());
    const ReflectedRotor& rotor = rotorOf(moved, element);
    jointRow(moved, {drive.body, drive.link}).placeIn(flow);
    flow.geared.ratio = 1;
    flow.geared.geometry = rotor.slides ? Geometry::AlongAxis : Geometry::AboutAxis;
    flow.geared.b = rotor.body;
    flow.geared.axis = rotor.axis();
    flow.geared.phi = element.motorAngle() / drive.ratio;
}

RotorEnd readRotor(const MovedMultiBody& moved, const MultiBodyElement& element, const ElementTick& end,
                   const TickResult& result) {
    const Drive& drive = std::get<Drive>(element.placing());
    const ReflectedRotor& rotor = rotorOf(moved, element);
    const BodyState& body = result.bodies[static_cast<std::size_t>(rotor.body)];
    const Vector3d& velocity = rotor.slides ? body.velocity : body.angularVelocity;
    return {drive.ratio * end.geared, drive.ratio * velocity.dot(rotor.axis())};
}

}  // namespace ELASTO_BULLET_NAMESPACE
}  // namespace elasto
