#pragma once
/// @file check_scene.h
/// What a schema cannot say.

#include "problems.h"

#include <elasto/scene/description.h>

#include <array>
#include <span>
#include <string>

namespace elasto::scene {

/// Checks the meaning of a scene: names, ends of elements and joints, loads, paths, records. Start values are not yet
/// resolved.
void checkScene(const Scene& scene, Problems& problems);
/// Checks that the joints are closed, once the start values are resolved.
void checkJoints(const Scene& scene, Problems& problems);
/// Checks that the times of a table rise; two points at one time are a jump.
void checkTable(std::span<const std::array<double, 2>> points, const std::string& path, Problems& problems);

}  // namespace elasto::scene
