#pragma once
/// @file start.h
/// The mechanics of a scene before any engine sees it: poses, loads, start values.

#include <elasto/export.h>
#include <elasto/scene/description.h>

namespace elasto {

/// Centre of mass, orientation and twist of a body at t = 0, from the pose and velocity of its frame.
/// A kinematic body has the pose and twist of its path.
ELASTO_API BodyState centreOfMassState(const SceneBody& body);
/// The same for a kinematic body at any time [s] (for other bodies the state at t = 0). Before its first and after its
/// last point the body rests there.
ELASTO_API BodyState pathState(const SceneBody& body, double time);

/// Pose and velocity of a body's frame (Modelica's frame_a) from the state of its centre of mass; the inverse of what
/// centreOfMassState does. Orientation and angular velocity are the same.
ELASTO_API BodyState frameState(const SceneBody& body, const BodyState& centreOfMass);

/// Value of a load at time t [s], in its own axes: vector * factor(t).
ELASTO_API Eigen::Vector3d loadValue(const SceneLoad& load, double t);
/// Where a load's force pulls, from the centre of mass [m] in the body's axes; zero for a torque.
ELASTO_API Eigen::Vector3d loadArm(const SceneBody& body, const SceneLoad& load);
/// Force [N] and torque about the centre of mass [N.m] of a load at time t [s], world axes.
/// @param orientation body frame -> world
ELASTO_API LoadValue loadWrench(const SceneBody& body, const SceneLoad& load, const Eigen::Quaterniond& orientation,
                                double t);

/// The scene at t = 0 as a network of the flow: bodies and elements have the same indices. Fixed and kinematic bodies
/// are immovable bodies. Forces hold gravity (mass times gravity, on dynamic bodies), not the loads. Angles are those
/// nearest to start.s (nearest to 0 without it), s_damper is the law's s_damper_start. Joints are their held rows,
/// without limits and motors.
ELASTO_API FlowNetwork startNetwork(const Scene& scene);

/// Moves bodies so that every element has its start values, and leaves the scene as it was if it throws.
///
/// s_rel (s, phi_rel) moves body b from its given place: along the element's axis, along the line from frame_a to
/// frame_b, or about the axis through frame_b. v_rel (v, w_rel) changes body b's velocity in the same direction.
/// Elements are treated in the file's order, repeatedly, since a body that moves may carry other elements. Start values
/// that contradict each other (two elements that want body b at different places), a body b that cannot be moved, or a
/// line of zero length are errors.
/// @throws InvalidParameter naming the element, the value it has and the one that was asked for
ELASTO_API void resolveStart(Scene& scene);

}  // namespace elasto
