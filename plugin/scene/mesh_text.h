#pragma once
/// @file mesh_text.h
/// Vertices and triangles in the content of mesh files.

#include <elasto/export.h>

#include <Eigen/Core>

#include <array>
#include <filesystem>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace elasto::scene {

/// A mesh that cannot be used; what() is a phrase without the file's name.
class ELASTO_API MeshError : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

/// A skin of triangles.
struct TriangleMesh {
    std::vector<Eigen::Vector3d> points;        ///< none twice
    std::vector<std::array<int, 3>> triangles;  ///< corners, indices of points; none without area
};

/// Vertices of an OBJ or STL (text or binary), in the file's order, as often as they stand in it.
/// @param ending ".obj" or ".stl" @throws MeshError for one that is not three finite numbers
ELASTO_API std::vector<Eigen::Vector3d> meshVertices(std::string_view content, std::string_view ending);
/// Its triangles, those of an OBJ's polygons as fans. Triangles without area are left out.
/// @throws MeshError as meshVertices, for corners that are no vertices, and if no triangle is left
TriangleMesh meshTriangles(std::string_view content, std::string_view ending);
/// The same of a file. @throws MeshError, also if it cannot be read or is neither OBJ nor STL
TriangleMesh meshTriangles(const std::filesystem::path& file);

/// True if three corners span an area that is not lost in the rounding of their coordinates.
bool hasArea(const Eigen::Vector3d& a, const Eigen::Vector3d& b, const Eigen::Vector3d& c);

/// The ending of a file's name in small letters, with its dot.
ELASTO_API std::string meshEnding(const std::filesystem::path& file);

}  // namespace elasto::scene
