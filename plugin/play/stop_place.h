#pragma once
/// @file stop_place.h
/// A stop that a person puts between a body and a wall: where it acts, how stiff it is, how long its buffer is.

#include <elasto/scene/description.h>

#include <optional>

namespace elasto::play {

/// A place on the surface of a body, or on the world.
struct Face {
    int body = kWorld;
    Eigen::Vector3d point = Eigen::Vector3d::Zero();    ///< from the body's centre of mass, in its axes; world [m]
    Eigen::Vector3d normal = Eigen::Vector3d::UnitY();  ///< unit vector out of the body, in the same axes
};

/// Which way a shape's surface looks at a point on or near it: a unit vector out of it.
/// @param point from the shape's centre, in its axes [m]
/// @return nothing for a shape without a surface
std::optional<Eigen::Vector3d> outwardNormal(const SceneShape& shape, const Eigen::Vector3d& point);

/// How far a shape reaches from its centre in a direction [m]; 0 for planes and without a shape.
/// @param direction unit vector in its axes
double reachFromCentre(const SceneShape& shape, const Eigen::Vector3d& direction);

/// What a stop is that nobody has described yet.
struct StopWish {
    double restitution = 0.7;   ///< share of the speed that comes back
    double contactTime = 0.01;  ///< [s] from touching until it lets go
};

/// An ElastoGap that keeps a body from a face: along the face's normal through the body's centre of mass; between two
/// balls along the line of their centres. It begins to push where the body meets the buffer in front of the face,
/// which is half as long as the body reaches that way, and at most half of the way that is free. c and d
/// follow from the wish for the masses of both bodies (constantsFromRestitution()), to three digits.
/// @param scene with its bodies where they are when the stop is placed (Session::presentScene)
/// @param body index of a dynamic body
/// @throws InvalidParameter that says why there can be no stop: the body cannot move, or not that way, or it is
///         behind the face
SceneElement stopBefore(const Scene& scene, int body, const Face& face, const StopWish& wish = {});

/// The scene with one element more, whose signals are recorded, too.
Scene withElement(Scene scene, SceneElement element);
/// The scene without an element, and without what was recorded of it alone. @throws std::out_of_range
Scene withoutElement(Scene scene, int element);
/// A name of this beginning that nothing in the scene has: "stop", "stop2", ...
std::string freeName(const Scene& scene, const std::string& beginning);

}  // namespace elasto::play
