#pragma once
/// @file body_surface.h
/// Where a body's surface is, for stops that are to meet it.

#include <elasto/scene/description.h>

#include <array>
#include <vector>

namespace elasto::gallery {

/// Place of a body's centre of mass and how its axes are turned: Bullet's frame of the body, or the world's.
struct BodyPose {
    Eigen::Vector3d position = Eigen::Vector3d::Zero();               ///< [m]
    Eigen::Quaterniond orientation = Eigen::Quaterniond::Identity();  ///< body -> world

    Eigen::Vector3d operator*(const Eigen::Vector3d& point) const { return position + orientation * point; }
};

/// How far a shape reaches beyond a point of it in a direction [m]; 0 without a shape or where the point is outside.
/// @param point     from the shape's centre, in its axes [m]
/// @param direction unit vector in its axes
double reach(const SceneShape& shape, const Eigen::Vector3d& point, const Eigen::Vector3d& direction);

/// Half the size of a shape along each of its axes [m]; zero for planes and without a shape.
Eigen::Vector3d halfSize(const SceneShape& shape);

/// Vertices of a mesh or a height field, in the body's axes [m]; none of other shapes.
std::vector<Eigen::Vector3d> skinCorners(const SceneShape& shape);
/// What is drawn of these: the edges between them, each once, as indices.
std::vector<std::array<int, 2>> skinEdges(const SceneShape& shape);

/// A frame's origin in the world [m].
Eigen::Vector3d pointOf(const SceneFrame& frame, const Scene& scene, const BodyPose& body);

}  // namespace elasto::gallery
