#pragma once
// All that a tick depends on, as one value that can be written as chunks of bytes and read again.

#include "recording/build_record.h"
#include "recording/chunk_list.h"
#include "snapshot/world_record.h"

namespace elasto {
inline namespace ELASTO_BULLET_NAMESPACE {

class WorldTick;

struct WorldState {
    BuildRecord build;
    WorldNumbers numbers;
    std::vector<ElementNotes> notes;  ///< of elements, in their order
    WorldRecord record;
};

/// @throws InvalidParameter naming what a recording does not hold @param caller for messages
WorldState stateOf(WorldTick& tick, const char* caller);

/// What Bullet will have made of the state at the end of a tick when the next one begins, if nobody interferes: bodies
/// have got tired by h [s], and forces are those of gravity.
void goOnToNextTick(WorldState& state, btScalar h);

ChunkList chunksOf(WorldState& state);
/// @throws InvalidParameter if they are none of a state
WorldState stateFrom(const ChunkList& chunks);
/// Two states of equal bytes here are of worlds that are built alike.
Bytes buildBytes(WorldState& state);
/// Places of the bodies in the order in which they were added to the broadphase.
std::vector<int> addingOrder(const BroadphaseRecord& broadphase);

/// Of all that the state holds and that moves: where a bit of it differs, it does too (but for signs of zeros).
std::uint64_t hashOf(const WorldState& state);

}  // namespace ELASTO_BULLET_NAMESPACE
}  // namespace elasto
