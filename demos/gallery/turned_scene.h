#pragma once
/// @file turned_scene.h
/// Scenes of robots have z upwards, the gallery y.

#include <elasto/scene/description.h>

namespace elasto::gallery {

/// From the world of a robot scene to the gallery's.
Eigen::Quaterniond upright();

/// The scene with all that is in it, and gravity, turned about the world's origin. @param by a multiple of 90 degrees
/// about an axis, where bodies have other factors than 1
Scene turned(Scene scene, const Eigen::Quaterniond& by);

}  // namespace elasto::gallery
