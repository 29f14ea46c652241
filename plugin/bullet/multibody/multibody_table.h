#pragma once
// What the plugin knows of a world's multibodies: where the present tick starts, and, from tick to tick, the exact
// state that Bullet's values are the roundings of.

#include <elasto/precision.h>

#include <vector>

#include "multibody/multibody_translation.h"

class btMultiBodyDynamicsWorld;

namespace elasto {
inline namespace ELASTO_BULLET_NAMESPACE {

struct SnapshotWorld;

class MultiBodyTable {
public:
    struct Entry {
        btMultiBody* body = nullptr;  ///< between ticks compared only: it may be gone
        bool isAwake = false;
        MultiBodyState start;
        MultiBodyLoads loads;
        const char* refusal = nullptr;     ///< why the flow cannot have it in this tick
        std::vector<btScalar> velocities;  ///< Bullet's own at the tick's start

        // From tick to tick.
        bool isKnown = false;
        MultiBodyState rounded;
        MultiBodyState exact;
        double kinetic = 0;    ///< its energy in the book [J]
        bool isMoved = false;  ///< by the flow in this tick
        std::vector<char>
            isDeepSaid;  ///< by link, the base first: the user was told that it was found inside something
    };

    /// Takes note of all multibodies, before Bullet's solver touches their velocities.
    void beginTick(btMultiBodyDynamicsWorld& world);
    /// Puts velocities back, for a tick that comes to nothing.
    void restore();
    /// The body was moved in this tick and stands at its end.
    void remember(const MovedMultiBody& moved);
    /// Forgets what was not moved. @return energy that the book counted of those [J]
    double forgetOthers();
    void clear() { m_entries.clear(); }

    std::vector<Entry>& entries() { return m_entries; }
    const std::vector<Entry>& entries() const { return m_entries; }
    Entry* find(const btMultiBody& body);
    const Entry* find(const btMultiBody& body) const { return const_cast<MultiBodyTable*>(this)->find(body); }
    /// Now, between ticks or inside one: exact where Bullet's values are unchanged.
    MultiBodyState presentState(const btMultiBody& body) const;

    // --- Snapshots: what it keeps from tick to tick ---
    struct Kept {
        int body = -1;  ///< place in the world's list; -1: gone
        bool isKnown = false;
        bool isMoved = false;
        MultiBodyState rounded;
        MultiBodyState exact;
        double kinetic = 0;
    };
    std::vector<Kept> save(const SnapshotWorld& world) const;
    void restore(const std::vector<Kept>& kept, const SnapshotWorld& world);

private:
    std::vector<Entry> m_entries;  // in the order of the world's list
};

}  // namespace ELASTO_BULLET_NAMESPACE
}  // namespace elasto
