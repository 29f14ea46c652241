#include "robot_guest.h"

#include <elasto/errors.h>
#include <elasto/robot/robot_world.h>

#include <BulletDynamics/Featherstone/btMultiBody.h>
#include <BulletDynamics/Featherstone/btMultiBodyDynamicsWorld.h>

#include <stdexcept>

namespace elasto::play {
inline namespace ELASTO_BULLET_NAMESPACE {

namespace {

RobotOptions standingAt(const RobotPose& pose, const RobotScene& scene, double tickLength) {
    RobotOptions options = robotOptions(scene, tickLength);
    options.pose = pose * scene.pose;
    return options;
}

RobotScene readingAt(double rate, RobotScene scene) {
    if (scene.robots() > 1 || !scene.around.bodies.empty()) {
        throw InvalidParameter(
            "robot scene '" + scene.name + "'",
            "several robots or bodies around them are not allowed here: one robot alone stands in the "
            "world of another scene; elasto run runs it");
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
    if (world.multiBodyWorld() == nullptr) throw std::logic_error("RobotGuest: the scene's world takes no multibodies");
    // For messages; the description keeps the texts.
    const std::vector<RobotLink>& links = m_robot.description().links;
    for (std::size_t i = 0; i < links.size(); ++i) {
        const int link = m_robot.bulletLink(static_cast<int>(i));
        if (link < -1) continue;
        if (link < 0) {
            m_robot.multiBody().setBaseName(links[i].name.c_str());
        } else {
            m_robot.multiBody().getLink(link).m_linkName = links[i].name.c_str();
        }
    }
    m_robot.addTo(*world.multiBodyWorld());
}

}  // namespace ELASTO_BULLET_NAMESPACE
}  // namespace elasto::play
