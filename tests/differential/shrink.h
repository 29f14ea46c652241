#pragma once
// Smaller machines that fail in the same way.

#include <functional>

#include "machine.h"

namespace elasto::differential {

/// Scenes with one thing less or half of the time; not all of them need to be well posed.
std::vector<Json> simplerOnes(const Json& scene);

/// Moving bodies that no element acts on, also not over joints: these are Bullet's to move, not Elasto's.
int looseBodies(const Json& scene);

/// Has no more loose bodies than the scene.
/// @param fails whether a scene fails in the same way still @param tries at most so many are looked at
Json shrunk(Json scene, int tries, const std::function<bool(const Json&)>& fails);

}  // namespace elasto::differential
