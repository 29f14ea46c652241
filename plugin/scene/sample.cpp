#include <elasto/scene/sample.h>

#include "joint_geometry.h"

#include <elasto/scene/start.h>

#include <algorithm>

namespace elasto {

namespace {

/// T of Modelica's elements without a connected heat port [K].
constexpr double kElementTemperature = 293.15;
/// Modelica's s_small [m].
constexpr double kSmall = 1e-10;

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
    return r[signal.component] / (unit ? std::max(length, kSmall) : 1);
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
            return element.heatPort < 0 ? kElementTemperature
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
        default:
            return elementValue(scene, sample, signal);
    }
}

}  // namespace elasto
