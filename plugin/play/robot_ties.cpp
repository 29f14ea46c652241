#include "robot_ties.h"

#include "played_joint.h"

namespace elasto::play {
inline namespace ELASTO_BULLET_NAMESPACE {

RobotTies::RobotTies(SceneWorld& world, const RobotScene& scene) : m_world(*world.multiBodyWorld()) {
    std::vector<Robot*> robots;
    for (RobotGuest* robot : robotsOf(world)) robots.push_back(&robot->robot());
    m_elements = joinSurroundings(scene, world, robots);
}

RobotTies::~RobotTies() {
    for (const std::unique_ptr<MultiBodyElement>& element : m_elements) {
        m_world.removeMultiBodyConstraint(element.get());
    }
}

}  // namespace ELASTO_BULLET_NAMESPACE
}  // namespace elasto::play
