#pragma once
/// @file robot_start_file.h
/// Writes a robot scene anew, with another start of its joints.

#include <elasto/robot/robot_scene.h>

#include <filesystem>
#include <string>

#include "scene_input.h"

namespace elasto::tools {

/// The scene of an input with the joints, motors and inner states of `started`; of a robot's file a scene of nothing
/// but that robot. Files that it names are stated as seen from the folder of the file that is to be written.
/// @param output that file; "-" is the present folder
std::string withStart(const SceneInput& input, const RobotScene& started, const std::filesystem::path& output);

}  // namespace elasto::tools
