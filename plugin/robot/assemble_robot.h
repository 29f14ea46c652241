#pragma once
/// @file assemble_robot.h
/// One tree out of links and joints.

#include "robot_parts.h"

namespace elasto::robot {

/// Puts parts into a tree, parents before their children, children in the file's order. What is no tree with one root
/// becomes a problem; the description then has the joints in the file's order, for checks of what refers to them.
///
/// A parent "world" without a link is a link without mass: a fixed base, as for other readers. Links without mass or
/// moments that some joint moves get those of assumeInertia(), with a warning.
/// @param file for mistakes of the whole
RobotDescription assembleRobot(XmlFile& file, RobotParts parts);

}  // namespace elasto::robot
