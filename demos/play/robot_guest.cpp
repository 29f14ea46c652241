#include "robot_guest.h"

#include <BulletDynamics/Featherstone/btMultiBodyDynamicsWorld.h>

#include <stdexcept>

namespace elasto::play {
inline namespace ELASTO_BULLET_NAMESPACE {

namespace {

RobotOptions optionsOf(const RobotScene& scene, const RobotPose& pose, double tickLength) {
    RobotOptions options;
    options.base = scene.base == RobotScene::Base::Fixed  ? RobotOptions::Base::Fixed
                   : scene.base == RobotScene::Base::Free ? RobotOptions::Base::Free
                                                          : RobotOptions::Base::AsStated;
    options.pose = pose * scene.pose;
    options.q = scene.q;
    options.v = scene.v;
    options.tickLength = tickLength;
    options.selfCollision = scene.selfCollision;
    options.friction = scene.friction;
    return options;
}

}  // namespace

RobotGuest::RobotGuest(SceneWorld& world, RobotScene scene, const RobotPose& pose)
    : m_scene(std::move(scene)),
      m_robot(m_scene.robot, optionsOf(m_scene, pose, world.tickLength())),
      m_drives(m_robot, m_scene, world.plugin()) {
    if (world.multiBodyWorld() == nullptr) throw std::logic_error("RobotGuest: the scene's world takes no multibodies");
    m_robot.addTo(*world.multiBodyWorld());
}

}  // namespace ELASTO_BULLET_NAMESPACE
}  // namespace elasto::play
