#pragma once
/// @file scene_robot.h
/// A robot of a scene, as its file says.

#include <elasto/robot/robot_scene.h>

#include "problems.h"

#include <nlohmann/json.hpp>

#include <filesystem>
#include <string>
#include <vector>

namespace elasto::robot {

/// Where a robot's fields stand, and what messages go to.
struct SceneRobotSource {
    const nlohmann::json& fields;               ///< of the robot; they fit the schema
    std::string place;                          ///< of the fields in the document: "" or "/robots/1"
    const std::filesystem::path& file;          ///< of the scene; files are looked for beside it
    const char* elementsKey;                    ///< field that names a file of elements; null: none does
    const std::vector<std::string>& heatPorts;  ///< names of those of the scene
    const RobotMessageHandler& onWarning;       ///< for warnings about the robot's files and the scene
};

/// Places all joints at 0, or at the limit nearest to it, at rest.
void standStill(SceneRobot& robot);

/// Reads the robot with its files. Names that lead nowhere and values that cannot be become problems.
/// @throws RobotError, FileError for the robot's files
SceneRobot readSceneRobot(const SceneRobotSource& source, scene::Problems& problems);

}  // namespace elasto::robot
