#pragma once
/// @file mesh_points.h
/// Vertices of mesh files.

#include "mesh_text.h"

#include <Eigen/Core>

#include <filesystem>
#include <string_view>
#include <vector>

namespace elasto::robot {

using scene::MeshError;

/// Vertices of an OBJ, STL (text or binary) or COLLADA file, in the file's order, none twice. Vertices that no face
/// uses count.
/// @throws MeshError if the file cannot be read, has another format, or its vertices span no volume
std::vector<Eigen::Vector3d> meshPoints(const std::filesystem::path& file);
/// The same from the file's content. @param ending ".obj", ".stl" or ".dae"
std::vector<Eigen::Vector3d> meshPoints(std::string_view content, std::string_view ending);

}  // namespace elasto::robot
