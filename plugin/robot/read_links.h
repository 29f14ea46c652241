#pragma once
/// @file read_links.h
/// Links and joints as urdfdom reads them.

#include "check_urdf.h"

#include <elasto/robot/load_robot.h>

namespace elasto::robot {

/// Reads a file that has passed checkUrdf() and checkTree(). What urdfdom or the checks of inertias and meshes refuse
/// becomes a problem.
/// @param folder of the URDF file
RobotDescription readLinks(XmlFile& file, const UrdfElements& elements, const std::filesystem::path& folder,
                           const LoadRobotOptions& options);

}  // namespace elasto::robot
