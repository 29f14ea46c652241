#pragma once
/// @file hull_shape.h
/// Meshes of collision as convex hulls.

#include "xml_file.h"

#include <elasto/robot/load_robot.h>

namespace elasto::robot {

/// What reading a mesh needs to know.
struct MeshReading {
    XmlFile& file;                        ///< that names the mesh
    const tinyxml2::XMLElement& element;  ///< at which it does
    std::string owner;                    ///< `<link name="arm">`, for warnings
    const LoadRobotOptions& options;
};

/// Makes a shape the convex hull of a mesh's vertices. Without the mesh, or where it has no volume, there is a warning
/// that says why, with what was searched.
/// @return false: the shape must be left out
bool makeHull(const MeshReading& reading, const std::string& uri, const Eigen::Vector3d& scale, RobotShape& shape);

}  // namespace elasto::robot
