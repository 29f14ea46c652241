#include <elasto/scene/sample.h>

#include "joint_geometry.h"

#include <elasto/scene/start.h>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace elasto {

namespace {

double bodyValue(const Scene& scene, const SceneSample& sample, const Signal& signal) {
    const std::size_t index = static_cast<std::size_t>(signal.index);
    const BodyState frame = frameState(scene.bodies[index], sample.bodies[index]);
    const Eigen::Index k = signal.component;
    switch (signal.kind) {
        case SignalKind::BodyPosition:
            return frame.position[k];
        case SignalKind::BodyVelocity:
            return frame.velocity[k];
        case SignalKind::BodyAngularVelocity:
            return (frame.orientation.conjugate() * frame.angularVelocity)[k];
        default:
            return frame.orientation.coeffs()[k];
    }
}

double lineValue(const Scene& scene, const SceneSample& sample, const Signal& signal) {
    const SceneElement& element = scene.elements[static_cast<std::size_t>(signal.index)];
    const ElementSample& values = sample.elements[static_cast<std::size_t>(signal.index)];
    Eigen::Vector3d r = values.pointB - values.pointA;
    const double length = r.norm();
    if (signal.kind == SignalKind::ElementLength) return length;
    const bool inWorld =
        signal.kind == SignalKind::ElementRelativeWorld || signal.kind == SignalKind::ElementDirectionWorld;
    if (!inWorld && element.frame_a.body != kWorld) {
        r = sample.bodies[static_cast<std::size_t>(element.frame_a.body)].orientation.conjugate() * r;
    }
    const bool unit = signal.kind == SignalKind::ElementDirectionWorld || signal.kind == SignalKind::ElementDirectionA;
    return r[signal.component] / (unit ? std::max(length, element.s_small) : 1);
}

/// An end of an element in the world.
struct End {
    Eigen::Vector3d point;           ///< [m]
    Eigen::Quaterniond orientation;  ///< of the frame
};

End endOf(const SceneFrame& frame, const Scene& scene, const SceneSample& sample) {
    if (frame.body == kWorld) return {frame.position, frame.orientation};
    const auto body = static_cast<std::size_t>(frame.body);
    const BodyState& state = sample.bodies[body];
    return {state.position + state.orientation * (frame.position - scene.bodies[body].centreOfMass),
            state.orientation * frame.orientation};
}

/// Direction of the element's axis in the world.
Eigen::Vector3d axisNow(const SceneElement& element, const SceneSample& sample) {
    if (element.frame_a.body == kWorld) return element.axis;
    return sample.bodies[static_cast<std::size_t>(element.frame_a.body)].orientation * element.axis;
}

/// Angle by which the body of frame_a has turned about the element's axis since the start [rad].
double turnOfA(const SceneElement& element, const Scene& scene, const SceneSample& sample) {
    if (element.frame_a.body == kWorld) return 0;
    const auto body = static_cast<std::size_t>(element.frame_a.body);
    const Eigen::Quaterniond turn =
        centreOfMassState(scene.bodies[body]).orientation.conjugate() * sample.bodies[body].orientation;
    const double angle = 2 * std::atan2(turn.vec().dot(element.axis), turn.w());
    return std::remainder(angle, 2 * std::numbers::pi);
}

/// Where a flange is, along or about the element's axis [m, rad].
double placeOf(const Scene& scene, const SceneSample& sample, const Signal& signal) {
    const SceneElement& element = scene.elements[static_cast<std::size_t>(signal.index)];
    const double relative = sample.elements[static_cast<std::size_t>(signal.index)].s;
    const bool isB = signal.kind == SignalKind::ElementPlaceB;
    if (element.geometry == Geometry::AboutAxis) {
        const double a = turnOfA(element, scene, sample);
        return isB ? (element.gear ? element.gear->ratio : 1) * a + relative : a;
    }
    const double a = axisNow(element, sample).dot(endOf(element.frame_a, scene, sample).point);
    return isB ? a + relative : a;
}

/// Cut forces and torques on the element at its frames.
double cutValue(const Scene& scene, const SceneSample& sample, const Signal& signal) {
    const SceneElement& element = scene.elements[static_cast<std::size_t>(signal.index)];
    const double f = sample.elements[static_cast<std::size_t>(signal.index)].force.f;
    const bool isA = signal.kind == SignalKind::ElementFrameForceA || signal.kind == SignalKind::ElementFrameTorqueA;
    const bool isForce = signal.kind == SignalKind::ElementFrameForceA || signal.kind == SignalKind::ElementFrameForceB;
    const End a = endOf(element.frame_a, scene, sample);
    const End b = endOf(element.frame_b, scene, sample);
    const Eigen::Vector3d arm = b.point - a.point;
    Eigen::Vector3d cut = Eigen::Vector3d::Zero();
    if (element.geometry == Geometry::AboutAxis) {
        // Of a gear pair the carrier takes what is left.
        const bool hasOwnAxis = !isA && element.gear && element.gear->axis_b;
        const Eigen::Vector3d axis =
            hasOwnAxis ? Eigen::Vector3d(b.orientation * *element.gear->axis_b) : axisNow(element, sample);
        cut = (isA ? -f * (element.gear ? element.gear->ratio : 1) : f) * axis;
    } else {
        const bool isOnLine = element.geometry == Geometry::AlongLine;
        const Eigen::Vector3d direction =
            isOnLine ? Eigen::Vector3d(arm / std::max(arm.norm(), element.s_small)) : axisNow(element, sample);
        const Eigen::Vector3d force = f * direction;
        if (isForce) {
            cut = isA ? Eigen::Vector3d(-force) : force;
        } else if (isA && !isOnLine) {
            cut = -arm.cross(force);  // the force acts on the line through frame_b
        }
    }
    return ((isA ? a : b).orientation.conjugate() * cut)[signal.component];
}

/// How far the angle of a backlash is outside its play.
double contactAngle(const ElastoBacklashParameters& p, double phi_rel) {
    const double phi_diff = phi_rel - p.phi_rel0;
    return phi_diff - std::clamp(phi_diff, -p.b / 2, p.b / 2);
}

double elementValue(const Scene& scene, const SceneSample& sample, const Signal& signal) {
    const SceneElement& element = scene.elements[static_cast<std::size_t>(signal.index)];
    const ElementSample& values = sample.elements[static_cast<std::size_t>(signal.index)];
    switch (signal.kind) {
        case SignalKind::ElementS:
            return values.s;
        case SignalKind::ElementV:
            return values.v;
        case SignalKind::ElementForce:
        case SignalKind::ElementFlangeB:
            return values.force.f;
        case SignalKind::ElementFlangeA:
            return -values.force.f;
        case SignalKind::ElementPlaceA:
        case SignalKind::ElementPlaceB:
            return placeOf(scene, sample, signal);
        case SignalKind::ElementFrameForceA:
        case SignalKind::ElementFrameForceB:
        case SignalKind::ElementFrameTorqueA:
        case SignalKind::ElementFrameTorqueB:
            return cutValue(scene, sample, signal);
        case SignalKind::ElementContactAngle:
            return contactAngle(std::get<ElastoBacklashLaw>(element.law).parameters(), values.s);
        case SignalKind::ElementMeanForce:
            return values.meanForce;
        case SignalKind::ElementSpringForce:
            return values.force.f_c;
        case SignalKind::ElementDamperForce:
            return values.force.f_d;
        case SignalKind::ElementUnlimitedDamperForce:
            return values.force.f_d2;
        case SignalKind::ElementLossPower:
            return values.lossPower;
        case SignalKind::ElementDissipatedPower:
            return values.dissipatedPower;
        case SignalKind::ElementHeat:
            return values.heat;
        case SignalKind::ElementStoredEnergy:
            return values.storedEnergy;
        case SignalKind::ElementContact:
            return values.force.contact ? 1 : 0;
        case SignalKind::ElementDamperLength:
            return values.s_damper;
        case SignalKind::ElementTemperature:
            return element.heatPort < 0 ? element.T
                                        : sample.heatPorts[static_cast<std::size_t>(element.heatPort)].temperature;
        default:
            return lineValue(scene, sample, signal);
    }
}

template <typename Part>
double sum(const SceneSample& sample, const Part& part) {
    double total = 0;
    for (const ElementSample& element : sample.elements) total += part(element);
    return total;
}

}  // namespace

void sumHeatPorts(const Scene& scene, SceneSample& sample) {
    sample.heatPorts.assign(scene.heatPorts.size(), {});
    for (std::size_t i = 0; i < scene.elements.size(); ++i) {
        if (scene.elements[i].heatPort < 0) continue;
        HeatPortSample& port = sample.heatPorts[static_cast<std::size_t>(scene.elements[i].heatPort)];
        port.power += sample.elements[i].dissipatedPower;
        port.energy += sample.elements[i].heat;
    }
    for (std::size_t i = 0; i < scene.heatPorts.size(); ++i) {
        const SceneHeatPort& port = scene.heatPorts[i];
        sample.heatPorts[i].temperature = port.ambientTemperature + sample.heatPorts[i].power / port.conductance;
    }
}

double signalValue(const Scene& scene, const SceneSample& sample, const Signal& signal) {
    const std::size_t index = static_cast<std::size_t>(signal.index);
    switch (signal.kind) {
        case SignalKind::BodyPosition:
        case SignalKind::BodyVelocity:
        case SignalKind::BodyAngularVelocity:
        case SignalKind::BodyOrientation:
            return bodyValue(scene, sample, signal);
        case SignalKind::JointCoordinate:
            return scene::jointCoordinate(scene, scene.joints[index], sample.bodies).value;
        case SignalKind::JointRate:
            return scene::jointCoordinate(scene, scene.joints[index], sample.bodies).rate;
        case SignalKind::PortPower:
            return sample.heatPorts[index].power;
        case SignalKind::PortEnergy:
            return sample.heatPorts[index].energy;
        case SignalKind::PortTemperature:
            return sample.heatPorts[index].temperature;
        case SignalKind::TotalLossPower:
            return sum(sample, [](const ElementSample& element) { return element.lossPower; });
        case SignalKind::TotalHeat:
            return sum(sample, [](const ElementSample& element) { return element.heat; });
        case SignalKind::TickGrade:
            return static_cast<double>(sample.grade.grade);
        case SignalKind::TickError:
            return sample.grade.error;
        default:
            return elementValue(scene, sample, signal);
    }
}

}  // namespace elasto
