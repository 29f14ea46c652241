#pragma once
/// @file check_scene.h
/// What a schema cannot say.

#include "problems.h"

#include <elasto/export.h>
#include <elasto/scene/description.h>

namespace elasto::scene {

/// Checks the meaning of a scene: names, ends of elements and joints, loads, paths, records. Start values are not yet
/// resolved.
ELASTO_API void checkScene(const Scene& scene, Problems& problems);
/// Checks that the joints are closed, once the start values are resolved.
ELASTO_API void checkJoints(const Scene& scene, Problems& problems);
/// Checks that no friction starts beyond its hard stops, likewise.
ELASTO_API void checkStops(const Scene& scene, Problems& problems);

}  // namespace elasto::scene
