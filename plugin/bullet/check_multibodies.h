#pragma once
// What is wrong with elements on multibodies.

#include <elasto/check.h>

namespace elasto {
inline namespace ELASTO_BULLET_NAMESPACE {

/// Adds what is wrong with the MultiBodyElements of a world; nothing if it has none.
/// @param hasPlugin the world has a Plugin
void checkMultiBodies(const btDynamicsWorld& world, bool hasPlugin, std::vector<Problem>& problems);

}  // namespace ELASTO_BULLET_NAMESPACE
}  // namespace elasto
