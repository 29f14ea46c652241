#include "robot_file.h"

#include "robot_guest.h"
#include "robot_ties.h"
#include "turned_scene.h"

#include <BulletDynamics/Featherstone/btMultiBody.h>

#include <string_view>
#include <utility>
#include <vector>

namespace elasto::play {
inline namespace ELASTO_BULLET_NAMESPACE {

namespace {

constexpr std::string_view kPreparedByRobot = "robot:";

std::unique_ptr<SceneGuest> uprightRobot(SceneWorld& world, const RobotScene& alone, std::size_t /*index*/) {
    return std::make_unique<RobotGuest>(world, alone, RobotPose{.orientation = upright()});
}

}  // namespace

std::string preparedByRobot(const std::filesystem::path& file) {
    return std::string(kPreparedByRobot) + std::filesystem::absolute(file).lexically_normal().string();
}

std::filesystem::path robotThatPrepared(const std::string& preparedBy) {
    return preparedBy.starts_with(kPreparedByRobot) ? preparedBy.substr(kPreparedByRobot.size()) : "";
}

RobotScene standingOnGround(RobotScene scene) {
    const Robot built(scene.robot, robotOptions(scene, 1 / scene.rate));
    if (built.multiBody().hasFixedBase()) return scene;
    scene.ground = true;
    scene.pose.position.z() -= boundsOf(built).min().z();
    return scene;
}

std::function<void(SceneWorld&)> prepareRobots(RobotScene scene, MakeRobotGuest makeGuest) {
    scene.around = turned(std::move(scene.around), upright());
    if (!makeGuest) makeGuest = uprightRobot;
    std::vector<RobotScene> robots;
    for (std::size_t i = 0; i < scene.robots(); ++i) robots.push_back(scene.robotAlone(i));
    return [scene = std::move(scene), robots = std::move(robots), makeGuest = std::move(makeGuest)](SceneWorld& world) {
        for (std::size_t i = 0; i < robots.size(); ++i) world.add(makeGuest(world, robots[i], i));
        if (scene.hasAround()) world.add(std::make_unique<RobotTies>(world, scene));
    };
}

}  // namespace ELASTO_BULLET_NAMESPACE
}  // namespace elasto::play
