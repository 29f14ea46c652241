#include "robot_guest.h"

#include <elasto/errors.h>
#include <elasto/robot/robot_world.h>

#include <BulletDynamics/Featherstone/btMultiBody.h>
#include <BulletDynamics/Featherstone/btMultiBodyDynamicsWorld.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <stdexcept>

namespace elasto::play {
inline namespace ELASTO_BULLET_NAMESPACE {

namespace {

RobotOptions standingAt(const RobotPose& pose, const RobotScene& scene, double tickLength) {
    RobotOptions options = robotOptions(scene, tickLength);
    options.pose = pose * scene.pose;
    return options;
}

std::string textOf(double value) {
    char text[32];
    std::snprintf(text, sizeof text, "%.9g", value);
    return text;
}

RobotScene readingAt(double rate, RobotScene scene) {
    if (scene.robots() > 1 || !scene.around.bodies.empty()) {
        throw InvalidParameter(
            "robot scene '" + scene.name + "'",
            "several robots or bodies around them are not allowed here: each robot is a guest of its own "
            "(RobotScene::robotAlone), and what is around them is the world's");
    }
    scene.rate = rate;
    for (RobotServo& servo : scene.servos) {
        if (servo.control.rate) servo.control.rate = rate;
    }
    return scene;
}

}  // namespace

RobotGuest::RobotGuest(SceneWorld& world, RobotScene scene, const RobotPose& pose)
    : m_scene(readingAt(world.rate(), std::move(scene))),
      m_robot(m_scene.robot, standingAt(pose, m_scene, world.tickLength())),
      m_drives(m_robot, m_scene, world.plugin()) {
    m_remembers = std::any_of(m_scene.servos.begin(), m_scene.servos.end(),
                              [](const RobotServo& servo) { return servo.integral > 0 || servo.control.delay > 0; });
    if (world.multiBodyWorld() == nullptr) throw std::logic_error("RobotGuest: the scene's world takes no multibodies");
    m_robot.setPrefix(m_scene.prefix);
    if (m_scene.servos.empty()) m_hold = std::make_unique<JointHold>(m_robot, m_scene, m_drives);
    m_robot.addTo(*world.multiBodyWorld());
}

void RobotGuest::beginTick(double t, double h) {
    // Half a tick tells apart what goes on from what has gone back or ahead.
    const bool goesOn = m_begun < 0 || std::abs(t - m_begun - h) < h / 2;
    const auto then = m_past.find(t);
    if (!goesOn && then != m_past.end()) {
        m_drives.restoreState(then->second);
    } else if (!goesOn) {
        m_drives.restart(t);
    }
    if (m_remembers) keepPast(t);
    m_drives.look(t);
    if (m_hold) m_hold->look();
    m_begun = t;
}

void RobotGuest::keepPast(double t) {
    constexpr std::size_t kMost = 50000;  // ticks: three minutes at 240 Hz, some 50 MB of a robot with ten servos
    if (m_past.size() >= kMost) m_past.erase(m_past.begin(), std::next(m_past.begin(), kMost / 2));
    m_past.insert_or_assign(t, m_drives.state());
}

void RobotGuest::place(int joint, double q) {
    const std::vector<RobotJoint>& joints = m_robot.description().joints;
    const RobotJoint& placed = joints.at(static_cast<std::size_t>(joint));
    const std::string owner = "joint '" + placed.name + "'";
    if (!std::isfinite(q)) throw InvalidParameter(owner, "position", q, "finite");
    if (placed.hasRange() && !(q >= placed.limits->lower && q <= placed.limits->upper)) {
        throw InvalidParameter(
            owner, "position", q,
            "within the joint's limits, " + textOf(placed.limits->lower) + " .. " + textOf(placed.limits->upper));
    }
    std::vector<double> now, then;
    for (std::size_t i = 0; i < joints.size(); ++i) {
        now.push_back(joints[i].isScalar() ? m_robot.q(static_cast<int>(i)) : 0);
    }
    then = now;
    then[static_cast<std::size_t>(joint)] = q;
    placeFollowers(m_robot.description(), then);
    m_robot.setJoint(joint, q, 0);
    for (std::size_t i = 0; i < joints.size(); ++i) {
        if (joints[i].mimic && then[i] != now[i]) m_robot.setJoint(static_cast<int>(i), then[i], 0);
    }
}

void RobotGuest::hold(const std::vector<HeldJoint>& joints) {
    if (!m_hold) {
        throw InvalidParameter("hold", "robot '" + m_robot.description().name + "' has servos, which hold its joints");
    }
    m_hold->hold(joints);
}

const HeldJoint* RobotGuest::heldJoint(int joint) const {
    if (!m_hold || m_hold->held().empty()) return nullptr;
    const HeldJoint& held = m_hold->held()[static_cast<std::size_t>(joint)];
    return held.c > 0 ? &held : nullptr;
}

}  // namespace ELASTO_BULLET_NAMESPACE
}  // namespace elasto::play
