#pragma once
// Whole worlds saved and restored: see Plugin::saveWorld.

#include <elasto/world_snapshot.h>

namespace elasto {
inline namespace ELASTO_BULLET_NAMESPACE {

class WorldTick;

/// @throws InvalidParameter if the world has something that a snapshot does not hold, std::logic_error in a tick
WorldSnapshot saveWorld(const WorldTick& tick);
/// @throws InvalidParameter if the snapshot does not fit the world, std::logic_error in a tick; nothing is changed then
void restoreWorld(WorldTick& tick, const WorldSnapshot& snapshot);

}  // namespace ELASTO_BULLET_NAMESPACE
}  // namespace elasto
