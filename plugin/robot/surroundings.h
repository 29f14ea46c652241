#pragma once
/// @file surroundings.h
/// What stands around the robots of a scene.

#include <elasto/robot/robot_scene.h>

#include "problems.h"

#include <nlohmann/json.hpp>

#include <filesystem>

namespace elasto::robot {

/// Reads bodies, joints, elements, loads and heat ports, as those of any scene are, into RobotScene::around and links.
/// @param document a robot scene that fits its schema; `elements` and `loads` count where they are the scene's
/// @param folder that files are looked for in @param scene has its robots
/// @throws SceneError with all problems so far, where the sections do not fit the schema of scenes
void readSurroundings(const nlohmann::json& document, const std::filesystem::path& folder, RobotScene& scene,
                      scene::Problems& problems);

}  // namespace elasto::robot
