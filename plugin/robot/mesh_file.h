#pragma once
/// @file mesh_file.h
/// Where the mesh is that a robot's file names.

#include <elasto/robot/load_robot.h>

#include <filesystem>
#include <string>
#include <vector>

namespace elasto::robot {

/// A file that was looked for.
struct FoundFile {
    std::filesystem::path path;                 ///< empty: it was not found
    std::vector<std::filesystem::path> looked;  ///< where, in this order
};

/// Looks for a file as robots' files name them: a path from their own folder, an absolute one, `file://...`,
/// `package://NAME/...` or `model://NAME/...`. A package or model is looked for in LoadRobotOptions::packages, then in
/// the folder itself and in those above, as a folder of its name or the folder of that name itself. A path that is not
/// found so is looked for in these folders without its package, then from its second, third, ... folder on: robots are
/// often passed on without the folders around them. At last packages and models are looked for in the folders of
/// GZ_SIM_RESOURCE_PATH, GAZEBO_MODEL_PATH and ROS_PACKAGE_PATH, as Gazebo and ROS do.
/// @param folder of the file that names it
FoundFile findFile(const std::string& uri, const std::filesystem::path& folder, const LoadRobotOptions& options);

}  // namespace elasto::robot
