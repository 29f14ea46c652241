#pragma once
/// @file robot_file.h
/// Files that are robots: URDF, or a scene that names one.

#include <elasto/robot/robot_scene.h>

#include <filesystem>
#include <string>

namespace elasto::tools {

/// True for a URDF file and for a scene file that names a robot.
bool isRobot(const std::filesystem::path& file);
/// The robot scene in a file; of a URDF file one in which nothing drives the robot.
/// @throws SceneError, RobotError
RobotScene loadRobotFile(const std::filesystem::path& file);
/// @param command that is for scenes only, e.g. "equilibrium" @param instead one sentence: what serves for robots
/// @throws InputError naming both if the file is a robot
void refuseRobot(const std::filesystem::path& file, const std::string& command, const std::string& instead);

}  // namespace elasto::tools
