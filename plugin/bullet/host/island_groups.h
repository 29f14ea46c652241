#pragma once
// Bullet's islands, each with its constraints, found in a time that grows with their number only.
//
// For every island Bullet looks through the whole list of constraints. Here Bullet is told not to split, so that it
// hands everything over at once; that is then split as Bullet would have: the same islands, contacts, constraints and
// batches in the same order, and so the same bits.

#include <elasto/precision.h>

#include <BulletDynamics/Dynamics/btDiscreteDynamicsWorld.h>

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

class btMultiBodyConstraint;
struct btContactSolverInfo;

namespace elasto {
inline namespace ELASTO_BULLET_NAMESPACE {

/// One call of Bullet's solver.
struct IslandGroup {
    btAlignedObjectArray<btCollisionObject*> bodies;
    btAlignedObjectArray<btPersistentManifold*> manifolds;
    btAlignedObjectArray<btTypedConstraint*> constraints;
};

/// Storage for sorting constraints.
template <class Constraint>
struct OtherConstraints {
    btAlignedObjectArray<Constraint*> others;  ///< than elements
    std::vector<Constraint*> elements;         ///< by island
};

/// Who takes islands of one body and one constraint out of the groups.
class SingleElementTaker {
public:
    virtual ~SingleElementTaker() = default;
    /// Grows whenever a constraint that may be taken is destroyed, of whatever world: another one may get its address.
    virtual std::uint64_t destroyed() const = 0;
    /// True if the constraint is between a body that moves and the world, whatever happens, and may be taken.
    virtual bool mayTakeSingle(btTypedConstraint& constraint) = 0;
    /// Asked for each such island. @param body may be another one than the constraint's, which has left the world
    /// @return true if it is solved
    virtual bool takeSingle(btTypedConstraint& constraint, btCollisionObject& body) = 0;
    /// False for a pair whose boxes overlap and that does not touch: it does not keep a constraint from being taken
    /// alone.
    virtual bool mayTouch(const btPersistentManifold& manifold, const btContactSolverInfo& info) = 0;
    /// Two that it will be asked for, so that they begin their way from memory.
    virtual void fetchSingle(btTypedConstraint& later, btTypedConstraint& soon) = 0;
};

class IslandGroups {
public:
    bool isWanted = true;  ///< by the user

    /// Whether this is possible at all in a world: not in those that have multibodies, whose islands are found
    /// differently.
    static bool canSplit(const btDynamicsWorld& world);

    /// Before Bullet unites bodies to islands: where all constraints may be taken, and so unite nothing, Bullet does
    /// not see them until begin. It would sort them, which takes longer than to solve them. Not in worlds of users'
    /// classes, which may look at them meanwhile.
    void hideConstraints(btDiscreteDynamicsWorld& world, SingleElementTaker& taker);
    /// Of this tick.
    bool wereHidden() const { return m_wasHidden; }
    /// A constraint is being destroyed.
    void forget(btTypedConstraint& constraint);
    /// Before Bullet looks for its islands in this tick: it then calls the solver for the whole world, unless there are
    /// no constraints, or few beside many contacts, or the user does not want islands to be split.
    void begin(btDiscreteDynamicsWorld& world);
    /// Bullet's sort is not stable: among elements it leaves the joints of an island in another order than without. So
    /// it does with the limits and motors of multibodies.
    void sortAsWithoutElements(btDiscreteDynamicsWorld& world);
    /// True from begin on if the next call of the solver is for the whole world.
    bool isWhole() const { return m_isWhole; }
    /// Calls solve for what Bullet would have called it for, but the last batch, which Bullet solves by itself later.
    /// @param constraints all of the world's that Bullet sees, sorted by island
    void split(std::span<btTypedConstraint*> constraints, const btContactSolverInfo& info, SingleElementTaker& taker,
               const std::function<void(IslandGroup&)>& solve);
    /// After split: whether an island was asleep. True where Bullet has split by itself.
    bool hasSleepers() const { return m_hasSleepers; }
    /// The last batch, once. Null: there is none
    IslandGroup* lastBatch();
    /// However the tick ended: Bullet splits islands again.
    void end();

private:
    void findMembers(std::span<btTypedConstraint*> constraints);
    bool takeBodies(int& element, IslandGroup& group) const;
    void findManifolds();
    bool canBeWhole(const btDiscreteDynamicsWorld& world) const;
    void showConstraints();
    void sortHidden();

    btDiscreteDynamicsWorld* m_world = nullptr;  // whose setting is changed
    btDiscreteDynamicsWorld* m_blind = nullptr;  // that does not see its constraints
    bool m_isWhole = false;
    bool m_wasHidden = false;  // in this tick
    bool m_hasLastBatch = false;
    bool m_hasSleepers = true;
    std::vector<int> m_statesBefore;  // of all objects, before Bullet has put islands to sleep
    std::vector<char> m_isAsleep;     // as it would have been when Bullet went through the contacts
    btAlignedObjectArray<btPersistentManifold*> m_manifolds;
    // All of the world's as they were when they were last looked at.
    std::vector<btTypedConstraint*> m_constraints;
    bool m_mayAllBeTaken = false;
    std::uint64_t m_destroyed = 0;  // until then, of all that may be taken
    struct Member {
        btTypedConstraint* constraint;
        const btCollisionObject* body;  // of the two the one that tells the island, where the constraint was hidden
        int island;
        int place;  // in m_constraints
    };
    std::vector<Member> m_members;  // sorted by island
    OtherConstraints<btTypedConstraint> m_otherConstraints;
    OtherConstraints<btMultiBodyConstraint> m_otherMultiBodyConstraints;
    IslandGroup m_island;
    IslandGroup m_batch;
};

}  // namespace ELASTO_BULLET_NAMESPACE
}  // namespace elasto
