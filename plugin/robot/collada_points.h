#pragma once
/// @file collada_points.h
/// Vertices of COLLADA files (.dae).

#include <Eigen/Core>

#include <string_view>
#include <vector>

namespace elasto::robot {

/// The positions of all geometries that the file's scene shows, each as often as it does, by the transforms of its
/// nodes and in metres (`<unit meter>`). A file without a scene shows each geometry once. `<up_axis>` is not followed:
/// programs write Y_UP without turning anything, and neither RViz nor Gazebo follow it.
/// @throws MeshError if it is no COLLADA file, or has a number that is none
std::vector<Eigen::Vector3d> colladaPoints(std::string_view content);

}  // namespace elasto::robot
