#include "multibody/multibody_rotors.h"

#include <BulletDynamics/Featherstone/btMultiBody.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "host/rotation_vector.h"

namespace elasto {
inline namespace ELASTO_BULLET_NAMESPACE {

namespace {

using Eigen::Quaterniond;
using Eigen::Vector3d;

/// By what a rotor's carrier spins about its axis [rad/s].
double carrierSpin(const ReflectedRotor& rotor, const BodyState& carrier) {
    return carrier.angularVelocity.dot(carrier.orientation * rotor.axisOnCarrier);
}

/// Takes the frame from which the carrier's turn counts, and puts the rotor where it is at phi of the tick's start.
void setCarrierFrame(ReflectedRotor& rotor, const Quaterniond& frame, FlowNetwork& network) {
    rotor.carrierFrame = frame;
    FlowBody& body = network.bodies[static_cast<std::size_t>(rotor.body)];
    double& displacement = rotor.displacement;
    displacement = rotor.element->motorAngle();
    if (rotor.carrier != kWorld) {
        const FlowBody& carrier = network.bodies[static_cast<std::size_t>(rotor.carrier)];
        const Quaterniond turn = frame.conjugate() * carrier.orientation;
        // As flow/bodies/geometry.cpp measures it.
        displacement +=
            std::remainder(2 * std::atan2(turn.vec().dot(rotor.axisOnCarrier), turn.w()), 2 * std::numbers::pi);
    }
    displacement /= rotor.ratio;
    if (rotor.slides) {
        body.position = displacement * rotor.axis();
    } else {
        body.orientation = Eigen::AngleAxisd(displacement, rotor.axis());
    }
}

/// An element whose own coordinate is the rotor's, where the rotor is and its carrier's turn counts from.
void followRotor(const ReflectedRotor& rotor, FlowElement& flow) {
    flow.phi = rotor.ratio < 0 ? -rotor.displacement : rotor.displacement;
    flow.geared.frameA = rotor.carrierFrame;
    flow.geared.axis = rotor.carrierFrame * rotor.axisOnCarrier;
}

/// Moment of momentum about its axis, in the carrier's frame, at a speed of the rotor's body.
Vector3d spinMomentum(const ReflectedRotor& rotor, const BodyState& body) {
    const double speed = (rotor.slides ? body.velocity : body.angularVelocity).dot(rotor.axis());
    return rotor.inertia * rotor.ratio * speed * rotor.axisOnCarrier;
}

const ReflectedRotor& rotorOf(const MovedMultiBody& moved, const MultiBodyElement& element) {
    return *std::find_if(moved.rotors.begin(), moved.rotors.end(),
                         [&](const ReflectedRotor& rotor) { return rotor.element == &element; });
}

}  // namespace

void addRotor(MovedMultiBody& moved, const MultiBodyElement& element, std::vector<LoadPiece> torque, double h,
              FlowNetwork& network) {
    const Drive& drive = std::get<Drive>(element.placing());
    ReflectedRotor& rotor = moved.rotors.emplace_back();
    rotor.element = &element;
    rotor.link = drive.link;
    rotor.slides = moved.body->getLink(drive.link).m_jointType == btMultibodyLink::ePrismatic;
    rotor.body = static_cast<int>(network.bodies.size());
    const JointRow row = jointRow(moved, {drive.body, drive.link});
    rotor.carrier = row.a;
    rotor.axisOnCarrier = row.axis;
    rotor.inertia = drive.inertia;
    rotor.ratio = drive.ratio;
    rotor.torque = std::move(torque);
    for (LoadPiece& piece : rotor.torque) {
        for (LoadValue* part : {&piece.constant, &piece.linear, &piece.quadratic}) *part *= drive.ratio;
    }

    FlowBody body;
    const double reflected = drive.inertia * drive.ratio * drive.ratio;  // [kg.m^2], of what slides [kg]
    double speed = element.motorSpeed();
    Quaterniond frame = Quaterniond::Identity();
    if (rotor.carrier != kWorld) {
        const FlowBody& carrier = network.bodies[static_cast<std::size_t>(rotor.carrier)];
        speed += carrierSpin(rotor, carrier);
        frame = exponential(h / 2 * carrier.angularVelocity) * carrier.orientation;
    }
    speed /= drive.ratio;
    body.gyroscopic = false;
    if (rotor.slides) {
        body.inverseMass = 1 / reflected;
        body.linearFactor = rotor.axis();
        body.velocity = speed * rotor.axis();
    } else {
        body.inverseInertia = rotor.axis() / reflected;
        body.angularVelocity = speed * rotor.axis();
    }
    network.bodies.push_back(body);
    setCarrierFrame(rotor, frame, network);
    if (rotor.carrier == kWorld || !moved.body->getUseGyroTerm()) return;
    network.bodies[static_cast<std::size_t>(rotor.carrier)].spinMomentum += spinMomentum(rotor, body);
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
    if (rotor.carrier == kWorld) return;
    flow.geared.carried = 1 / drive.ratio;
    flow.geared.carrierFrame = rotor.carrierFrame;
}

void placeOnRotor(const MovedMultiBody& moved, const RotorCoordinate& on, FlowElement& flow) {
    const ReflectedRotor& rotor = rotorOf(moved, *on.drive);
    flow.geometry = rotor.slides ? Geometry::AlongAxis : Geometry::AboutAxis;
    flow.b = rotor.body;
    flow.axis = rotor.ratio < 0 ? Vector3d(-rotor.axis()) : rotor.axis();
    if (rotor.carrier != kWorld) {
        flow.geared.ratio = 1 / std::abs(rotor.ratio);
        flow.geared.b = rotor.carrier;
    }
    followRotor(rotor, flow);
}

double flowScale(const MultiBodyElement& element) {
    const auto* rotor = std::get_if<RotorCoordinate>(&element.placing());
    return rotor != nullptr ? std::abs(std::get<Drive>(rotor->drive->placing()).ratio) : 1;
}

Law flowLaw(const MultiBodyElement& element) {
    const double scale = flowScale(element);
    if (scale == 1) return element.law();
    const FrictionLaw& own = *frictionOf(element.law());
    FrictionParameters p = own.parameters();
    p.F_Coulomb *= scale;
    p.F_prop *= scale * scale;
    p.F_Stribeck *= scale;
    p.fexp *= scale;
    if (own.hasStop(-1)) p.s_min /= scale;
    if (own.hasStop(+1)) p.s_max /= scale;
    return FrictionLaw(p, element.typeName());
}

bool followCarriers(const MovedMultiBody& moved, const std::vector<BodyTick>& end, FlowNetwork& network) {
    bool isAny = false;
    for (const ReflectedRotor& rotor : moved.rotors) {
        if (rotor.carrier == kWorld) continue;
        network.bodies[static_cast<std::size_t>(rotor.carrier)].spinMomentum.setZero();
        isAny = true;
    }
    for (ReflectedRotor rotor : moved.rotors) {
        if (rotor.carrier == kWorld) continue;
        const auto carrier = static_cast<std::size_t>(rotor.carrier);
        const auto own = static_cast<std::size_t>(rotor.body);
        const Quaterniond middle = network.bodies[carrier].orientation.slerp(0.5, end[carrier].orientation);
        setCarrierFrame(rotor, middle.normalized(), network);
        for (FlowElement& element : network.elements) {
            if (element.geared.b == rotor.body) element.geared.carrierFrame = rotor.carrierFrame;
            if (element.b == rotor.body) followRotor(rotor, element);
        }
        if (!moved.body->getUseGyroTerm()) continue;
        const BodyState& before = network.bodies[own];
        network.bodies[carrier].spinMomentum += (spinMomentum(rotor, before) + spinMomentum(rotor, end[own])) / 2;
    }
    return isAny;
}

RotorEnd readRotor(const MovedMultiBody& moved, const MultiBodyElement& element, const ElementTick& end,
                   const TickResult& result) {
    const Drive& drive = std::get<Drive>(element.placing());
    const ReflectedRotor& rotor = rotorOf(moved, element);
    const BodyState& body = result.bodies[static_cast<std::size_t>(rotor.body)];
    const Vector3d& velocity = rotor.slides ? body.velocity : body.angularVelocity;
    double speed = drive.ratio * velocity.dot(rotor.axis());
    if (rotor.carrier != kWorld) speed -= carrierSpin(rotor, result.bodies[static_cast<std::size_t>(rotor.carrier)]);
    return {drive.ratio * end.geared, speed};
}

}  // namespace ELASTO_BULLET_NAMESPACE
}  // namespace elasto
