#include "host/island_groups.h"

#include <BulletCollision/BroadphaseCollision/btBroadphaseProxy.h>
#include <BulletCollision/CollisionDispatch/btSimulationIslandManager.h>
#include <BulletCollision/NarrowPhaseCollision/btPersistentManifold.h>
#include <BulletDynamics/ConstraintSolver/btContactSolverInfo.h>
#include <BulletDynamics/ConstraintSolver/btTypedConstraint.h>
#include <BulletDynamics/Dynamics/btRigidBody.h>
#include <BulletDynamics/Featherstone/btMultiBodyDynamicsWorld.h>

#include <algorithm>
#include <iterator>
#include <tuple>

#include "host/bullet_internals.h"
#include "host/class_of.h"
#include "host/element_of.h"
#include "host/prefetch.h"
#include "host/tuning.h"

namespace elasto {
inline namespace ELASTO_BULLET_NAMESPACE {

namespace {

int islandOf(const btCollisionObject& a, const btCollisionObject& b) {
    return a.getIslandTag() >= 0 ? a.getIslandTag() : b.getIslandTag();
}

int islandOf(const btPersistentManifold& manifold) {
    return islandOf(*manifold.getBody0(), *manifold.getBody1());
}

int islandOf(const btTypedConstraint& constraint) {
    return islandOf(constraint.getRigidBodyA(), constraint.getRigidBodyB());
}

bool isBulletFaster(const btDiscreteDynamicsWorld& world) {
    return world.getNumConstraints() == 0 ||
           (world.getNumConstraints() <= kFewConstraints && world.getDispatcher()->getNumManifolds() > kManyContacts);
}

// Bullet's two orders; its sort is not stable, so the comparisons must be as its own.
bool isBefore(const btPersistentManifold* x, const btPersistentManifold* y) {
    return islandOf(*x) < islandOf(*y);
}

bool isBeforeInFixedOrder(const btPersistentManifold* x, const btPersistentManifold* y) {
    const auto orderOf = [](const btPersistentManifold& manifold) {
        return std::tuple(islandOf(manifold), manifold.getBody0()->getBroadphaseHandle()->m_uniqueId,
                          manifold.getBody1()->getBroadphaseHandle()->m_uniqueId);
    };
    return orderOf(*x) < orderOf(*y);
}

bool isConstraintBefore(const btTypedConstraint* x, const btTypedConstraint* y) {
    return islandOf(*x) < islandOf(*y);
}

bool isMultiBodyConstraintBefore(const btMultiBodyConstraint* x, const btMultiBodyConstraint* y) {
    const auto island = [](const btMultiBodyConstraint& constraint) {
        const int a = constraint.getIslandIdA();
        return a >= 0 ? a : constraint.getIslandIdB();
    };
    return island(*x) < island(*y);
}

// Those that are no elements as Bullet would sort them alone; elements come after them in their islands.
template <class Constraint, class Before>
void sortAsAlone(btAlignedObjectArray<Constraint*>& all, btAlignedObjectArray<Constraint*>& sorted,
                 OtherConstraints<Constraint>& space, const Before& isBefore) {
    const auto isElement = [](Constraint* constraint) { return elementOf(constraint) != nullptr; };
    const int count = all.size();
    btAlignedObjectArray<Constraint*>& others = space.others;
    others.resize(0);
    for (int i = 0; i < count; ++i) {
        if (!isElement(all[i])) others.push_back(all[i]);
    }
    if (others.size() < 2 || others.size() == count) return;
    // A world of a user's class may have an order of its own.
    if (sorted.size() != count || !std::is_sorted(&sorted[0], &sorted[0] + count, isBefore)) return;
    others.quickSort(isBefore);
    space.elements.clear();
    std::copy_if(&sorted[0], &sorted[0] + count, std::back_inserter(space.elements), isElement);
    std::merge(&others[0], &others[0] + others.size(), space.elements.begin(), space.elements.end(), &sorted[0],
               isBefore);
}

// Without giving storage back.
void clear(IslandGroup& group) {
    group.bodies.resize(0);
    group.manifolds.resize(0);
    group.constraints.resize(0);
}

}  // namespace

bool IslandGroups::canSplit(const btDynamicsWorld& world) {
    return world.getWorldType() == BT_DISCRETE_DYNAMICS_WORLD &&
           castTo<const btMultiBodyDynamicsWorld*>(&world) == nullptr;
}

bool IslandGroups::canBeWhole(const btDiscreteDynamicsWorld& world) const {
    auto& users = const_cast<btDiscreteDynamicsWorld&>(world);
    return isWanted && canSplit(world) && !isBulletFaster(world) &&
           users.getSimulationIslandManager()->getSplitIslands();
}

void IslandGroups::hideConstraints(btDiscreteDynamicsWorld& world, SingleElementTaker& taker) {
    showConstraints();
    m_wasHidden = false;
    if (!canBeWhole(world) || !WorldInternals::isBulletsOwn(world)) return;
    btAlignedObjectArray<btTypedConstraint*>& all = WorldInternals::constraints(world);
    const auto count = static_cast<std::size_t>(all.size());
    const bool isKnown = m_destroyed == taker.destroyed() && m_constraints.size() == count &&
                         std::equal(m_constraints.begin(), m_constraints.end(), &all[0]);
    if (!isKnown) {
        m_destroyed = taker.destroyed();
        m_constraints.assign(&all[0], &all[0] + count);
        m_members.clear();
        m_mayAllBeTaken = std::all_of(m_constraints.begin(), m_constraints.end(),
                                      [&](btTypedConstraint* constraint) { return taker.mayTakeSingle(*constraint); });
        for (std::size_t i = 0; m_mayAllBeTaken && i < count; ++i) {
            btTypedConstraint* constraint = m_constraints[i];
            const bool isA = &constraint->getRigidBodyB() == &btTypedConstraint::getFixedBody();
            const btRigidBody& body = isA ? constraint->getRigidBodyA() : constraint->getRigidBodyB();
            m_members.push_back({constraint, &body, -1, static_cast<int>(i)});
        }
    }
    if (!m_mayAllBeTaken) return;
    all.resize(0);
    m_blind = &world;
    m_wasHidden = true;
}

void IslandGroups::showConstraints() {
    if (m_blind == nullptr) return;
    btAlignedObjectArray<btTypedConstraint*>& all = WorldInternals::constraints(*m_blind);
    all.resize(static_cast<int>(m_constraints.size()));
    std::copy(m_constraints.begin(), m_constraints.end(), &all[0]);
    m_blind = nullptr;
}

// The user may have asked Bullet for its islands between two ticks, and nothing can be removed from a list that is
// empty.
void IslandGroups::forget(btTypedConstraint& constraint) {
    if (m_blind == nullptr) return;
    btAlignedObjectArray<btTypedConstraint*>& all = WorldInternals::constraints(*m_blind);
    showConstraints();
    all.remove(&constraint);
}

// By the islands that Bullet has found since. They hardly ever change.
void IslandGroups::sortHidden() {
    btUnionFind& unions = m_world->getSimulationIslandManager()->getUnionFind();
    const btCollisionObjectArray& objects = m_world->getCollisionObjectArray();
    const int count = static_cast<int>(m_members.size());
    // Each body with an element, in their order: nobody need be asked for his island.
    bool isEachOne = unions.getNumElements() == count;
    for (int i = 0; isEachOne && i < count; ++i) {
        const btElement& element = unions.getElement(i);
        Member& member = m_members[static_cast<std::size_t>(i)];
        isEachOne = objects[element.m_sz] == member.body;
        member.island = element.m_id;
    }
    if (isEachOne) return;
    for (Member& member : m_members) member.island = member.body->getIslandTag();
    const auto isBeforeOther = [](const Member& x, const Member& y) {
        return std::tie(x.island, x.place) < std::tie(y.island, y.place);
    };
    if (!std::is_sorted(m_members.begin(), m_members.end(), isBeforeOther)) {
        std::sort(m_members.begin(), m_members.end(), isBeforeOther);
    }
}

void IslandGroups::sortAsWithoutElements(btDiscreteDynamicsWorld& world) {
    sortAsAlone(WorldInternals::constraints(world), WorldInternals::sortedConstraints(world), m_otherConstraints,
                isConstraintBefore);
    if (auto* withMultiBodies = castTo<btMultiBodyDynamicsWorld*>(&world)) {
        sortAsAlone(MultiBodyWorldInternals::constraints(*withMultiBodies),
                    MultiBodyWorldInternals::sortedConstraints(*withMultiBodies), m_otherMultiBodyConstraints,
                    isMultiBodyConstraintBefore);
    }
}

void IslandGroups::begin(btDiscreteDynamicsWorld& world) {
    end();
    m_hasSleepers = true;
    if (!canBeWhole(world)) return;
    m_world = &world;
    m_isWhole = true;
    m_hasLastBatch = false;
    const btCollisionObjectArray& objects = world.getCollisionObjectArray();
    // They are asked for where there are contacts.
    m_statesBefore.resize(world.getDispatcher()->getNumManifolds() > 0 ? static_cast<std::size_t>(objects.size()) : 0);
    for (int i = 0; i < static_cast<int>(m_statesBefore.size()); ++i) {
        m_statesBefore[static_cast<std::size_t>(i)] = objects[i]->getActivationState();
    }
    world.getSimulationIslandManager()->setSplitIslands(false);
}

void IslandGroups::end() {
    showConstraints();
    if (m_world != nullptr) m_world->getSimulationIslandManager()->setSplitIslands(true);
    m_world = nullptr;
    m_isWhole = false;
    m_hasLastBatch = false;
}

// Those that Bullet takes for its islands. While it goes through them it wakes what touches something kinematic, and
// leaves out what slept until then.
void IslandGroups::findManifolds() {
    m_manifolds.resize(0);
    if (m_world->getDispatcher()->getNumManifolds() == 0) return;
    btUnionFind& unions = m_world->getSimulationIslandManager()->getUnionFind();
    m_isAsleep.resize(m_statesBefore.size());
    for (std::size_t i = 0; i < m_isAsleep.size(); ++i) m_isAsleep[i] = m_statesBefore[i] == ISLAND_SLEEPING;
    for (int begin = 0, end = 0; begin < unions.getNumElements(); begin = end) {
        const int island = unions.getElement(begin).m_id;
        bool isAsleep = true;
        for (end = begin; end < unions.getNumElements() && unions.getElement(end).m_id == island; ++end) {
            const int state = m_statesBefore[static_cast<std::size_t>(unions.getElement(end).m_sz)];
            isAsleep = isAsleep && state != ACTIVE_TAG && state != DISABLE_DEACTIVATION;
        }
        for (int k = begin; k < end; ++k) {
            const auto object = static_cast<std::size_t>(unions.getElement(k).m_sz);
            const int state = m_statesBefore[object];
            // Bullet leaves DISABLE_SIMULATION alone.
            m_isAsleep[object] = isAsleep && state != DISABLE_SIMULATION;
        }
    }
    btDispatcher& dispatcher = *m_world->getDispatcher();
    const bool isFixedOrder = m_world->getDispatchInfo().m_deterministicOverlappingPairs;
    const auto isAsleep = [&](const btCollisionObject& object) -> char& {
        return m_isAsleep[static_cast<std::size_t>(object.getWorldArrayIndex())];
    };
    for (int i = 0; i < dispatcher.getNumManifolds(); ++i) {
        btPersistentManifold* manifold = dispatcher.getManifoldByIndexInternal(i);
        if (isFixedOrder && manifold->getNumContacts() == 0) continue;
        const btCollisionObject& a = *manifold->getBody0();
        const btCollisionObject& b = *manifold->getBody1();
        if (isAsleep(a) != 0 && isAsleep(b) != 0) continue;
        const auto wake = [&](const btCollisionObject& other) {
            if (!other.isStaticOrKinematicObject()) isAsleep(other) = 0;
        };
        if (a.isKinematicObject() && isAsleep(a) == 0 && a.hasContactResponse()) wake(b);
        if (b.isKinematicObject() && isAsleep(b) == 0 && b.hasContactResponse()) wake(a);
        if (dispatcher.needsResponse(&a, &b)) m_manifolds.push_back(manifold);
    }
    if (isFixedOrder) {
        m_manifolds.quickSort(isBeforeInFixedOrder);
    } else {
        m_manifolds.quickSort(isBefore);
    }
}

void IslandGroups::findMembers(std::span<btTypedConstraint*> constraints) {
    if (m_wasHidden) return sortHidden();
    if (m_mayAllBeTaken) m_constraints.clear();  // which m_members goes with
    m_members.clear();
    for (btTypedConstraint* constraint : constraints) {
        m_members.push_back({constraint, nullptr, islandOf(*constraint), 0});
    }
}

// Those of the island of an element of the union-find. @param element goes on to the next island's
// @return whether one of them is awake
bool IslandGroups::takeBodies(int& element, IslandGroup& group) const {
    btUnionFind& unions = m_world->getSimulationIslandManager()->getUnionFind();
    const int island = unions.getElement(element).m_id;
    bool isAwake = false;
    for (; element < unions.getNumElements() && unions.getElement(element).m_id == island; ++element) {
        btCollisionObject* body = m_world->getCollisionObjectArray()[unions.getElement(element).m_sz];
        group.bodies.push_back(body);
        isAwake = isAwake || body->isActive();
    }
    return isAwake;
}

void IslandGroups::split(std::span<btTypedConstraint*> constraints, const btContactSolverInfo& info,
                         SingleElementTaker& taker, const std::function<void(IslandGroup&)>& solve) {
    m_isWhole = false;
    m_world->getSimulationIslandManager()->setSplitIslands(true);
    findManifolds();
    findMembers(constraints);
    btUnionFind& unions = m_world->getSimulationIslandManager()->getUnionFind();
    const bool isBatched = info.m_minimumSolverBatchSize > 1;
    clear(m_batch);
    int manifold = 0;
    std::size_t constraint = 0;
    int alone = 0;  // taken out of the batch, which ends where it would with them
    m_hasSleepers = false;
    for (int element = 0; element < unions.getNumElements();) {
        if (constraint + kFetchAhead < m_members.size()) {
            taker.fetchSingle(*m_members[constraint + kFetchAhead].constraint,
                              *m_members[constraint + kFetchAhead / 2].constraint);
        }
        const int island = unions.getElement(element).m_id;
        IslandGroup& group = isBatched ? m_batch : m_island;
        if (!isBatched) clear(group);
        const int bodiesBefore = group.bodies.size();
        const bool isAwake = takeBodies(element, group);
        while (constraint < m_members.size() && m_members[constraint].island < island) ++constraint;
        if (!isAwake) {
            m_hasSleepers = true;
            group.bodies.resize(bodiesBefore);
            while (manifold < m_manifolds.size() && islandOf(*m_manifolds[manifold]) == island) ++manifold;
            continue;
        }
        const int manifoldsBefore = group.manifolds.size();
        bool touches = false;
        while (manifold < m_manifolds.size() && islandOf(*m_manifolds[manifold]) == island) {
            touches = touches || taker.mayTouch(*m_manifolds[manifold], info);
            group.manifolds.push_back(m_manifolds[manifold++]);
        }
        const auto isOfIsland = [&](std::size_t i) { return i < m_members.size() && m_members[i].island == island; };
        const bool isSingle = group.bodies.size() == bodiesBefore + 1 && !touches && isOfIsland(constraint) &&
                              !isOfIsland(constraint + 1);
        if (isSingle && taker.takeSingle(*m_members[constraint].constraint, *group.bodies[bodiesBefore])) {
            group.bodies.resize(bodiesBefore);
            ++constraint;
            alone += 1 + group.manifolds.size() - manifoldsBefore;
            group.manifolds.resize(manifoldsBefore);
        }
        while (isOfIsland(constraint)) group.constraints.push_back(m_members[constraint++].constraint);
        const bool isWhole = group.constraints.size() + group.manifolds.size() + alone > info.m_minimumSolverBatchSize;
        if (isBatched && !isWhole) continue;
        if (group.bodies.size() > 0) solve(group);
        clear(group);
        alone = 0;
    }
    m_world = nullptr;
    m_hasLastBatch = isBatched;
}

IslandGroup* IslandGroups::lastBatch() {
    if (!m_hasLastBatch) return nullptr;
    m_hasLastBatch = false;
    return &m_batch;
}

}  // namespace ELASTO_BULLET_NAMESPACE
}  // namespace elasto
