#pragma once
/// @file first_touch.h
/// Whether the shapes of a scene's bodies meet while it runs.

#include <elasto/scene/description.h>

#include <cstddef>
#include <optional>

namespace elasto::tools {

/// Two bodies whose shapes come together.
struct Touch {
    std::size_t a, b;  ///< indices of bodies
    double time;       ///< at the end of which tick Bullet has found them so near that they may touch [s]
};

/// Runs a scene until two shapes come together, or to its end. Scenes in which none can are not run.
/// @throws FailureError as checkedTick()
std::optional<Touch> firstTouch(const Scene& scene);

}  // namespace elasto::tools
