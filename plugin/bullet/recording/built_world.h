#pragma once
// A world of its own with all that is in it, built as a recording says.

#include <elasto/plugin.h>

#include <memory>

#include "recording/world_state.h"

class btDiscreteDynamicsWorld;

namespace elasto {
inline namespace ELASTO_BULLET_NAMESPACE {

/// What functions of the recorded program (loads, strengths of friction) answered in a tick, one after the other: for
/// the same questions in the same order.
struct CallTape;

class BuiltWorld {
public:
    /// @param answers what loads will say; must outlive this
    /// @throws InvalidParameter if no such world can be built
    BuiltWorld(const WorldState& state, CallTape& answers);
    ~BuiltWorld();
    BuiltWorld(const BuiltWorld&) = delete;
    BuiltWorld& operator=(const BuiltWorld&) = delete;

    /// Makes the world what the state says, which must be of a world that is built alike.
    void restore(WorldState& state);
    /// One tick of h [s]. @return the world at its end, before anybody would be called back
    WorldState step(btScalar h);

    btDiscreteDynamicsWorld& world();
    Plugin& plugin();

private:
    struct Parts;
    std::unique_ptr<Parts> m_parts;
};

}  // namespace ELASTO_BULLET_NAMESPACE
}  // namespace elasto
