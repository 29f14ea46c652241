#pragma once
/// @file read_urdf.h
/// Links and joints of a URDF file.

#include "robot_parts.h"

#include <elasto/robot/load_robot.h>

namespace elasto::robot {

/// Reads a file whose root is `<robot>`. What cannot be becomes a problem, what other readers take as well a warning
/// that says what was assumed. Nothing of a `<visual>` is read.
RobotParts readUrdf(XmlFile& file, const LoadRobotOptions& options);

}  // namespace elasto::robot
