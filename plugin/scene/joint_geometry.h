#pragma once
/// @file joint_geometry.h
/// Joints of a scene as geometry: frames, held rows, coordinates.

#include <elasto/export.h>
#include <elasto/scene/description.h>

namespace elasto::scene {

/// The two frames of a joint, seen from the centres of mass: columns of the bases are two directions across the joint's
/// axis and the axis itself. Both coincide where the joint's coordinate is 0. For kWorld in the world.
struct JointFrames {
    Eigen::Vector3d pointA, pointB;
    Eigen::Matrix3d basisA, basisB;
};
ELASTO_API JointFrames jointFrames(const Scene& scene, const SceneJoint& joint);

/// The rows that a joint holds, between its bodies, in their frames.
ELASTO_API std::vector<HeldRow> jointRows(const Scene& scene, const SceneJoint& joint);

/// How far a joint is from being closed at the start: along directions that it holds.
struct JointOpening {
    double distance = 0;  ///< [m]
    double angle = 0;     ///< [rad]
};
ELASTO_API JointOpening jointOpening(const Scene& scene, const SceneJoint& joint);

/// Coordinate of a joint and its rate: s_rel of a slider, phi_rel of a hinge within -pi .. pi; 0 for the others.
struct JointCoordinate {
    double value = 0;  ///< [m, rad]
    double rate = 0;   ///< [m/s, rad/s]
};
/// @param bodies states of the centres of mass
ELASTO_API JointCoordinate jointCoordinate(const Scene& scene, const SceneJoint& joint,
                                           const std::vector<BodyState>& bodies);

}  // namespace elasto::scene
