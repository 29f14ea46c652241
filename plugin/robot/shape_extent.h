#pragma once
/// @file shape_extent.h
/// How far collision shapes reach.

#include <elasto/robot/description.h>

namespace elasto::robot {

/// The box around shapes, whose axes are those of the frame that the shapes' poses are given in. Empty without shapes.
Eigen::AlignedBox3d extentOf(const std::vector<RobotShape>& shapes);

/// How far a shape's farthest point is from a point, which is given in the shape's frame [m].
double reachOf(const RobotShape& shape, const Eigen::Vector3d& from);

}  // namespace elasto::robot
