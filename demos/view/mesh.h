#pragma once
#include <Eigen/Core>
#include <cstdint>
#include <vector>

namespace elasto::view {

/// Triangles with a normal per vertex. Immutable once it is drawn: the renderer keeps a copy on the GPU for as long as
/// the mesh is in use.
struct Mesh {
    std::vector<Eigen::Vector3f> positions;
    std::vector<Eigen::Vector3f> normals;  ///< unit vectors, one per position
    std::vector<std::uint32_t> triangles;  ///< three indices each, counter-clockwise seen from outside
};

/// Flat-shaded triangles from corners: each triangle gets its own three vertices and its face's normal.
/// Triangles without area are left out.
Mesh flatMesh(const std::vector<Eigen::Vector3f>& corners, const std::vector<std::uint32_t>& triangles);

/// As flatMesh, but triangles that meet at an angle below a crease's share their normals at the corners where they
/// meet: round parts look round, edges stay edges. \param creaseAngle [rad], 0 .. pi
Mesh creasedMesh(const std::vector<Eigen::Vector3f>& corners, const std::vector<std::uint32_t>& triangles,
                 float creaseAngle = 0.6F);

}  // namespace elasto::view
