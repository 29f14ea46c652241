#pragma once
// Whole worlds saved and restored: see Plugin::saveWorld.

#include <elasto/world_snapshot.h>

namespace elasto {
inline namespace ELASTO_BULLET_NAMESPACE {

struct SnapshotWorld;
struct WorldRecord;
class WorldTick;

/// @throws std::logic_error in a tick, or where the world is gone @param caller for messages
void requireBetweenTicks(const WorldTick& tick, const char* caller);
/// @throws InvalidParameter if the world has something that a snapshot does not hold, std::logic_error in a tick
WorldSnapshot saveWorld(const WorldTick& tick);
/// The world's state into an empty record; at the end of a tick too, when all bodies stand where it ends.
/// @throws InvalidParameter as saveWorld
void fillRecord(const WorldTick& tick, const SnapshotWorld& from, WorldRecord& record);
/// A record's state into the world. @throws InvalidParameter if it does not fit; nothing is changed then
void putRecord(WorldTick& tick, const SnapshotWorld& to, const WorldRecord& record);
/// @throws InvalidParameter if the snapshot does not fit the world, std::logic_error in a tick; nothing is changed then
void restoreWorld(WorldTick& tick, const WorldSnapshot& snapshot);

}  // namespace ELASTO_BULLET_NAMESPACE
}  // namespace elasto
