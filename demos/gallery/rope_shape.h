#pragma once
/// @file rope_shape.h
/// Where a rope hangs between its ends.

#include <Eigen/Core>
#include <vector>

namespace elasto::gallery {

/// Points of a rope from a to b, at equal distances along it: a catenary below them where it is longer than their
/// distance, else a straight line. Down is -y.
/// @param length of the rope [m]
std::vector<Eigen::Vector3d> ropePoints(const Eigen::Vector3d& a, const Eigen::Vector3d& b, double length);

}  // namespace elasto::gallery
