#pragma once
/// @file robot_file.h
/// Robots of a file in a scene that one plays with, and what recordings call them.

#include <elasto/robot/robot_scene.h>
#include <elasto/scene/scene_world.h>

#include <filesystem>
#include <functional>
#include <memory>
#include <string>

namespace elasto::play {
inline namespace ELASTO_BULLET_NAMESPACE {

/// SessionOptions::preparedBy of sessions with the robots of a file, and back: empty for other ones.
std::string preparedByRobot(const std::filesystem::path& file);
std::filesystem::path robotThatPrepared(const std::string& preparedBy);

/// A URDF or SDF file has no scene that says where its robot stands: with a free base it is put on the ground.
/// @throws InvalidParameter for a robot that cannot be built
RobotScene standingOnGround(RobotScene scene);

/// Makes a guest of a robot of a scene. @param alone RobotScene::robotAlone @param index of it
using MakeRobotGuest =
    std::function<std::unique_ptr<SceneGuest>(SceneWorld& world, const RobotScene& alone, std::size_t index)>;

/// Adds a scene's robots as guests, one each, and the elements on their links (SessionOptions::prepare). URDF's z axis
/// points upwards, the world's y axis. Bodies around them are those of the world: the first ones of its scene, in the
/// same order.
/// @param makeGuest by itself a RobotGuest
std::function<void(SceneWorld&)> prepareRobots(RobotScene scene, MakeRobotGuest makeGuest = {});

}  // namespace ELASTO_BULLET_NAMESPACE
}  // namespace elasto::play
