#pragma once
/// @file check_scene.h
/// What a schema cannot say.

#include "problems.h"

#include <elasto/export.h>
#include <elasto/scene/description.h>

namespace elasto::scene {

/// Checks the meaning of a scene: names, ends of elements and joints, loads, paths, records. Then resolves its start
/// values, and checks that its joints are closed and that no friction starts beyond its hard stops.
/// @throws SceneError if what comes before the last two is wrong; these are left to the caller
ELASTO_API void checkAndResolve(Scene& scene, Problems& problems);

}  // namespace elasto::scene
