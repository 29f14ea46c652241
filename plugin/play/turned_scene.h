#pragma once
/// @file turned_scene.h
/// Scenes of robots have z upwards, those that one plays with y.

#include <elasto/precision.h>
#include <elasto/scene/description.h>

namespace elasto::play {
inline namespace ELASTO_BULLET_NAMESPACE {

/// From the world of a robot scene to that of a scene that one plays with.
Eigen::Quaterniond upright();

/// The scene with all that is in it, and gravity, turned about the world's origin. @param by a multiple of 90 degrees
/// about an axis, where bodies have other factors than 1
Scene turned(Scene scene, const Eigen::Quaterniond& by);

}  // namespace ELASTO_BULLET_NAMESPACE
}  // namespace elasto::play
