#include <elasto/robot/robot_inside_tick.h>

#include <elasto/errors.h>

#include <algorithm>
#include <stdexcept>
#include <string>
#include <utility>

namespace elasto {
inline namespace ELASTO_BULLET_NAMESPACE {

RobotInsideTick::RobotInsideTick(const RobotWorld& world, Accuracy accuracy)
    : m_world(world), m_twin(world.scene(), world.rate()) {
    m_twin.plugin().setMessageHandler(nullptr);
    m_twin.plugin().setAccuracy(accuracy);
    if (world.scene().hasAround()) m_around = availableSignals(world.scene().around);
}

void RobotInsideTick::beforeTick() {
    m_start = m_world.plugin().saveWorld();
    m_drives = m_world.drivesStates();
    m_ticks = m_world.ticks();
}

RobotWorld& RobotInsideTick::at(double t) {
    const double h = m_world.tickLength();
    if (!(t >= 0 && t <= h)) {
        throw InvalidParameter("RobotInsideTick", "t", t, "from 0 to " + std::to_string(h) + " s");
    }
    if (m_start.isEmpty()) throw std::logic_error("RobotInsideTick: beforeTick() comes first");
    m_twin.plugin().restoreWorld(m_start);
    m_twin.setTicks(m_ticks, m_drives);
    if (t > 0) m_twin.stepPart(t);
    return m_twin;
}

std::vector<double> RobotInsideTick::values(const std::vector<RobotSignal>& signals, double t) {
    const RobotWorld& then = at(t);
    std::vector<double> values;
    for (const RobotSignal& signal : signals) values.push_back((isOfWholeTick(signal) ? m_world : then).value(signal));
    return values;
}

bool RobotInsideTick::isOfWholeTick(const RobotSignal& signal) const {
    switch (signal.kind) {
        case RobotSignalKind::ElementMeanForce:
        case RobotSignalKind::LinkSpecificForce:
        case RobotSignalKind::LinkContactForce:
        case RobotSignalKind::LinkContactNormalForce:
        case RobotSignalKind::LinkContactFriction:
        case RobotSignalKind::LinkContactPlace:
        case RobotSignalKind::JointForce:
        case RobotSignalKind::JointTorque:
        case RobotSignalKind::JointEffort:
        case RobotSignalKind::TickGrade:
        case RobotSignalKind::TickError:
            return true;
        case RobotSignalKind::Around:
            return m_around[static_cast<std::size_t>(signal.index)].kind == SignalKind::ElementMeanForce;
        default:
            return false;
    }
}

RobotContactTimes::RobotContactTimes(RobotWorld& world, std::string_view element) {
    // A tick may be made in parts, where a controller reads inside it.
    const auto note = [this, &world](auto& watched, const ContactInfo& info) {
        const double time = world.plugin().time() - watched.tickLength() + info.time - world.time();
        m_times.push_back(std::clamp(time, 0.0, world.tickLength()));
    };
    bool isThere = element.empty();
    const auto listen = [&](auto& watched, const std::string& name) {
        if (!element.empty() && element != name) return;
        watched.onContactBegin(note);
        watched.onContactEnd(note);
        isThere = true;
    };
    const RobotScene& scene = world.scene();
    for (std::size_t i = 0; i < scene.robots(); ++i) {
        const std::vector<RobotElement>& elements = scene.at(i).robot.elements;
        for (std::size_t k = 0; k < elements.size(); ++k) {
            listen(world.robot(i).element(k), scene.at(i).prefix + elements[k].name);
        }
    }
    for (std::size_t i = 0; i < scene.around.elements.size(); ++i) {
        const std::string& name = scene.around.elements[i].name;
        if (i < world.around().elements()) {
            listen(world.around().element(i), name);
        } else {
            listen(world.tie(name), name);
        }
    }
    if (!isThere) throw std::out_of_range("RobotContactTimes: no element '" + std::string(element) + "'");
}

std::vector<double> RobotContactTimes::take() {
    std::vector<double> times = std::exchange(m_times, {});
    std::sort(times.begin(), times.end());
    times.erase(std::unique(times.begin(), times.end()), times.end());
    return times;
}

}  // namespace ELASTO_BULLET_NAMESPACE
}  // namespace elasto
