#pragma once
// Bullet's islands, each with its constraints, found in a time that grows with their number only.
//
// For every island Bullet looks through the whole list of constraints. Here Bullet is told not to split, so that it
// hands everything over at once; that is then split as Bullet would have: the same islands, contacts, constraints and
// batches in the same order, and so the same bits.

#include <elasto/precision.h>

#include <BulletDynamics/Dynamics/btDiscreteDynamicsWorld.h>

#include <functional>
#include <span>
#include <vector>

struct btContactSolverInfo;

namespace elasto {
inline namespace ELASTO_BULLET_NAMESPACE {

/// One call of Bullet's solver.
struct IslandGroup {
    btAlignedObjectArray<btCollisionObject*> bodies;
    btAlignedObjectArray<btPersistentManifold*> manifolds;
    btAlignedObjectArray<btTypedConstraint*> constraints;
};

class IslandGroups {
public:
    bool isWanted = true;  ///< by the user

    /// Whether this is possible at all in a world: not in those that have multibodies, whose islands are found
    /// differently.
    static bool canSplit(const btDynamicsWorld& world);

    /// Before Bullet looks for its islands in this tick: it then calls the solver for the whole world, unless there are
    /// no constraints, or few beside many contacts, or the user does not want islands to be split.
    void begin(btDiscreteDynamicsWorld& world);
    /// True from begin on if the next call of the solver is for the whole world.
    bool isWhole() const { return m_isWhole; }
    /// Calls solve for what Bullet would have called it for, but the last batch, which Bullet solves by itself later.
    /// @param constraints all of the world's, sorted by island
    /// @param takeAlone asked for each island of one body and one constraint, which may be another body's that has left
    /// the world; true: it is solved, and in no group
    void split(std::span<btTypedConstraint*> constraints, const btContactSolverInfo& info,
               const std::function<bool(btTypedConstraint&, btCollisionObject&)>& takeAlone,
               const std::function<void(IslandGroup&)>& solve);
    /// After split: whether an island was asleep. True where Bullet has split by itself.
    bool hasSleepers() const { return m_hasSleepers; }
    /// The last batch, once. Null: there is none
    IslandGroup* lastBatch();
    /// However the tick ended: Bullet splits islands again.
    void end();

private:
    void findManifolds();

    btDiscreteDynamicsWorld* m_world = nullptr;  // whose setting is changed
    bool m_isWhole = false;
    bool m_hasLastBatch = false;
    bool m_hasSleepers = true;
    std::vector<int> m_statesBefore;  // of all objects, before Bullet has put islands to sleep
    std::vector<char> m_isAsleep;     // as it would have been when Bullet went through the contacts
    btAlignedObjectArray<btPersistentManifold*> m_manifolds;
    IslandGroup m_island;
    IslandGroup m_batch;
};

}  // namespace ELASTO_BULLET_NAMESPACE
}  // namespace elasto
