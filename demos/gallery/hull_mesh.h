#pragma once
/// @file hull_mesh.h
/// Convex hulls as meshes.

#include "view/mesh.h"

#include <memory>

namespace elasto::gallery {

/// The convex hull of points [m]; null where it has no volume.
std::shared_ptr<const view::Mesh> hullMesh(const std::vector<Eigen::Vector3d>& points);

}  // namespace elasto::gallery
