#pragma once
// Pairs of links with what they may meet within the tick, of which Bullet keeps no points: it draws the boxes of rigid
// bodies around their ways over the tick, those of links around the links only, and of parts of compounds it keeps none
// before their boxes overlap.

#include <elasto/precision.h>

#include <BulletCollision/NarrowPhaseCollision/btPersistentManifold.h>

#include <deque>
#include <span>
#include <vector>

class btDiscreteDynamicsWorld;
class btMultiBody;

namespace elasto {
inline namespace ELASTO_BULLET_NAMESPACE {

struct SolverGroup;

/// True if Bullet keeps points of the pair, though it may have none now.
bool hasManifold(btDiscreteDynamicsWorld& world, const btCollisionObject& a, const btCollisionObject& b);

class ForeseenPairs {
public:
    /// Forgets those of the last tick.
    void beginTick() { m_own.clear(); }

    /// Adds a manifold without points for each pair of a link of these multibodies and a body of the group, or one
    /// that does not move, which may touch each other as Bullet filters pairs. By the bodies' places in the world.
    void find(const SolverGroup& group, btDiscreteDynamicsWorld& world, std::span<btMultiBody* const> multiBodies,
              std::vector<btPersistentManifold*>& manifolds);

private:
    std::deque<btPersistentManifold> m_own;  // stay where they are until the next tick
};

}  // namespace ELASTO_BULLET_NAMESPACE
}  // namespace elasto
