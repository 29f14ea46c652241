#include "doubtful.h"

#include <elasto/robot/robot_signals.h>
#include <elasto/scene/signals.h>
#include <fmt/format.h>

#include "problems.h"

namespace elasto::tools {

namespace {

bool isStop(ElementType type) {
    return type == ElementType::ElastoGap || type == ElementType::RotationalElastoGap || type == ElementType::BumpStop;
}

}  // namespace

std::string Doubtful::text() const {
    std::string text;
    if (!untouched.empty()) text = "never touched: " + scene::joinFirst(untouched);
    if (!unstable.empty()) {
        text += fmt::format("{}unstable servos: {}", text.empty() ? "" : "; ", scene::joinFirst(unstable));
    }
    return text;
}

void Doubtful::addTo(Json& json) const {
    json["untouched"] = untouched;
    json["unstableServos"] = unstable;
}

WatchedStops::WatchedStops(const SceneWorld& world) {
    const std::vector<SceneElement>& elements = world.scene().elements;
    for (std::size_t e = 0; e < elements.size(); ++e) {
        if (isStop(elements[e].type)) m_stops.push_back({.name = elements[e].name, .element = e, .meanForce = {}});
    }
}

WatchedStops::WatchedStops(const RobotWorld& world) {
    const RobotScene& scene = world.scene();
    const std::vector<Signal> around = scene.hasAround() ? availableSignals(scene.around) : std::vector<Signal>();
    for (const RobotSignal& signal : availableRobotSignals(scene)) {
        const auto index = static_cast<std::size_t>(signal.index);
        if (signal.kind == RobotSignalKind::ElementMeanForce) {
            const SceneRobot& robot = scene.at(signal.robot);
            const RobotElement& element = robot.robot.elements[index];
            if (!isStop(element.type)) continue;
            m_stops.push_back({.name = robot.prefix + element.name, .meanForce = signal});
        } else if (signal.kind == RobotSignalKind::Around && around[index].kind == SignalKind::ElementMeanForce) {
            const SceneElement& element = scene.around.elements[static_cast<std::size_t>(around[index].index)];
            if (isStop(element.type)) m_stops.push_back({.name = element.name, .meanForce = signal});
        }
    }
}

// What was touched within the tick has left an impulse.
void WatchedStops::afterTick(const SceneSample& sample) {
    for (Stop& stop : m_stops) stop.isTouched |= sample.elements[stop.element].meanForce != 0;
}

void WatchedStops::afterTick(const RobotWorld& world) {
    for (Stop& stop : m_stops) stop.isTouched = stop.isTouched || world.value(stop.meanForce) != 0;
}

std::vector<std::string> WatchedStops::untouched() const {
    std::vector<std::string> names;
    for (const Stop& stop : m_stops) {
        if (!stop.isTouched) names.push_back(stop.name);
    }
    return names;
}

}  // namespace elasto::tools
