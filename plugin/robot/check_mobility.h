#pragma once
/// @file check_mobility.h
/// Whether each joint of a robot moves something that has inertia.

#include <elasto/robot/description.h>

#include <vector>

namespace elasto::robot {

/// The joints that move no inertia, in rising order: the mass matrix would have no inverse.
/// @param q of all joints, as linkPoses has them
std::vector<int> jointsWithoutInertia(const RobotDescription& robot, const std::vector<double>& q);

}  // namespace elasto::robot
