#pragma once
/// @file balls.h
/// The balls that a session throws: bodies that wait in every world from its start, since a snapshot fits only worlds
/// of the same bodies.

#include <elasto/scene/scene_world.h>

#include <optional>

namespace elasto::play {
inline namespace ELASTO_BULLET_NAMESPACE {

struct BallSize {
    double radius = 0.1;  ///< [m]
    double mass = 1;      ///< [kg]
};
/// A ball that can move the bodies of the scene about: a third of the median size of its shapes, of the median mass of
/// its dynamic bodies.
BallSize ballSizeFor(const Scene& scene);

/// The scene with balls as its last bodies, far away.
Scene withBalls(Scene scene, int balls, const BallSize& size);
/// Takes a ball out of the simulation until it is thrown.
void park(btRigidBody& ball);

}  // namespace ELASTO_BULLET_NAMESPACE
}  // namespace elasto::play
