#pragma once
/// @file element_code.h
/// Elements of a scene as C++ for a program of one's own.

#include <elasto/export.h>
#include <elasto/scene/description.h>

#include <string>

namespace elasto {

/// Lines of C++ that make an element of a scene, and add it to `world` (a btDynamicsWorld). Its bodies are variables of
/// type btRigidBody that are called as in the scene; numbers are written so that they read back as they are.
///
///     // ElastoGap between the world and ball
///     elasto::ElastoGap stop(
///         elasto::Placement::alongAxis(elasto::Placement::world(), ball,
///             Eigen::Vector3d(0, 0, 0), Eigen::Vector3d(0, 0, 0),
///             Eigen::Vector3d(0, 1, 0)),
///         {.c = 1e6, .d = 5});
///     world.addConstraint(&stop);
///
/// Frames are those of btRigidBody, whose origin is the centre of mass. A gear pair is stated as the bodies start: its
/// angles count from where they are when it is made. Start values, heat port and animation are not part of it.
/// @param element of this scene
ELASTO_API std::string codeOf(const SceneElement& element, const Scene& scene);

}  // namespace elasto
