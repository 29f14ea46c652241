#pragma once
// The only file that touches what Bullet does not make public: virtual functions and protected members of its solvers,
// and protected members of its world. Written against Bullet 3.24; the assertions below name what another version
// moved, and the start-up test (startup_check.h) finds out whether it still works as expected.

#include <elasto/precision.h>

#include <BulletDynamics/ConstraintSolver/btNNCGConstraintSolver.h>
#include <BulletDynamics/ConstraintSolver/btSequentialImpulseConstraintSolver.h>
#include <BulletDynamics/Dynamics/btDiscreteDynamicsWorld.h>
#include <BulletDynamics/Featherstone/btMultiBodyConstraintSolver.h>
#include <BulletDynamics/Featherstone/btMultiBodyDynamicsWorld.h>

#include <algorithm>
#include <array>
#include <span>
#include <type_traits>
#include <typeinfo>
#include <vector>

#include "host/class_of.h"
#include "host/island_groups.h"

namespace elasto {
inline namespace ELASTO_BULLET_NAMESPACE {

/// One call of Bullet's solver after its set-up: one or more islands. Valid during the call only.
struct SolverGroup {
    std::span<btPersistentManifold*> manifolds;
    std::span<btTypedConstraint*> constraints;
    const btContactSolverInfo* info = nullptr;
    btScalar timeStep = 0;
    btAlignedObjectArray<btSolverBody>* solverBodies = nullptr;  ///< btCollisionObject::getCompanionId() is the index
    btConstraintArray* contactRows = nullptr;
    btConstraintArray* frictionRows = nullptr;
    btConstraintArray* rollingRows = nullptr;  ///< and those of spinning
    btConstraintArray* jointRows = nullptr;    ///< in the order of constraints; m_originalContactPoint is the joint
    std::vector<int> multiBodyPartners;        ///< solver bodies that joints of a btMultiBody have rows on
    std::span<btMultiBodyConstraint*> multiBodyConstraints;
    btMultiBodyJacobianData* multiBodyData = nullptr;            ///< null: the solver knows no multibodies
    std::array<btMultiBodyConstraintArray*, 5> multiBodyRows{};  ///< of joints, contacts, and three kinds of friction
};

/// What our solvers tell the plugin, in the order of a tick.
class SolverEvents : public SingleElementTaker {
public:
    virtual void beginTick() = 0;
    virtual void expect(std::span<btTypedConstraint*> constraints, bool isExpected) = 0;
    virtual void expect(std::span<btMultiBodyConstraint*> constraints, bool isExpected) = 0;
    virtual void solve(SolverGroup& group) = 0;   ///< rows are set up, nothing is solved yet
    virtual void finish(SolverGroup& group) = 0;  ///< solved, nothing is written back yet
    virtual void allSolved() = 0;                 ///< every group is written back, no body has moved yet
    virtual void abandonTick() = 0;               ///< an exception passes through
    virtual void solverDestroyed() = 0;           ///< by the world that owned it
    virtual IslandGroups& islands() = 0;          ///< of the present tick
};

/// One of Bullet's solvers, plus our events. Left alone it works bit for bit as the one it was copied from.
template <class Base>
class EventSolver final : public Base {
public:
    /// Carries over the user's random seed, row solvers and settings.
    EventSolver(const Base& users, SolverEvents& events) : m_events(&events) {
        static_assert(std::is_same_v<decltype(this->m_tmpSolverBodyPool), btAlignedObjectArray<btSolverBody>>,
                      "btSequentialImpulseConstraintSolver::m_tmpSolverBodyPool is not what Bullet 3.24 has");
        static_assert(
            std::is_same_v<decltype(this->m_tmpSolverContactConstraintPool), btConstraintArray>,
            "btSequentialImpulseConstraintSolver::m_tmpSolverContactConstraintPool is not what Bullet 3.24 has");
        static_assert(std::is_same_v<decltype(this->m_tmpSolverContactFrictionConstraintPool), btConstraintArray>,
                      "btSequentialImpulseConstraintSolver::m_tmpSolverContactFrictionConstraintPool is not what "
                      "Bullet 3.24 has");
        static_assert(
            std::is_same_v<decltype(this->m_tmpSolverContactRollingFrictionConstraintPool), btConstraintArray>,
            "btSequentialImpulseConstraintSolver::m_tmpSolverContactRollingFrictionConstraintPool is not what "
            "Bullet 3.24 has");
        static_assert(
            std::is_same_v<decltype(this->m_tmpSolverNonContactConstraintPool), btConstraintArray>,
            "btSequentialImpulseConstraintSolver::m_tmpSolverNonContactConstraintPool is not what Bullet 3.24 "
            "has");
        this->setRandSeed(users.getRandSeed());
        this->m_analyticsData = users.m_analyticsData;
        // Row solvers the user may have set, and the mode they were chosen for, or Bullet would choose again.
        this->m_resolveSingleConstraintRowGeneric = users.*(&EventSolver::m_resolveSingleConstraintRowGeneric);
        this->m_resolveSingleConstraintRowLowerLimit = users.*(&EventSolver::m_resolveSingleConstraintRowLowerLimit);
        this->m_resolveSplitPenetrationImpulse = users.*(&EventSolver::m_resolveSplitPenetrationImpulse);
        this->m_cachedSolverMode = users.*(&EventSolver::m_cachedSolverMode);
        if constexpr (std::is_same_v<Base, btNNCGConstraintSolver>) {
            this->m_onlyForNoneContact = users.m_onlyForNoneContact;
        }
        if constexpr (std::is_base_of_v<btMultiBodyConstraintSolver, Base>) {
            this->m_tmpMultiBodyConstraints = nullptr;  // Bullet leaves them open until there are any
            this->m_tmpNumMultiBodyConstraints = 0;
        }
    }
    ~EventSolver() override { m_events->solverDestroyed(); }

    SolverEvents& events() const { return *m_events; }

    void prepareSolve(int numBodies, int numManifolds) override {
        Base::prepareSolve(numBodies, numManifolds);
        abandonIfThrown([&] { m_events->beginTick(); });
    }

    btScalar solveGroup(btCollisionObject** bodies, int numBodies, btPersistentManifold** manifolds, int numManifolds,
                        btTypedConstraint** constraints, int numConstraints, const btContactSolverInfo& info,
                        btIDebugDraw* debugDrawer, btDispatcher* dispatcher) override {
        const auto solve = [&](IslandGroup& group) {
            const auto first = [](auto& array) { return array.size() > 0 ? &array[0] : nullptr; };
            Base::solveGroup(first(group.bodies), group.bodies.size(), first(group.manifolds), group.manifolds.size(),
                             first(group.constraints), group.constraints.size(), info, debugDrawer, dispatcher);
        };
        IslandGroups& islands = m_events->islands();
        if (islands.isWhole()) {
            abandonIfThrown([&] {
                islands.split({constraints, static_cast<std::size_t>(numConstraints)}, info, *m_events,
                              std::ref(solve));
            });
        } else if (IslandGroup* last = islands.lastBatch()) {
            solve(*last);
        } else {
            Base::solveGroup(bodies, numBodies, manifolds, numManifolds, constraints, numConstraints, info, debugDrawer,
                             dispatcher);
        }
        return 0;
    }

    void allSolved(const btContactSolverInfo& info, btIDebugDraw* debugDrawer) override {
        Base::allSolved(info, debugDrawer);
        abandonIfThrown([&] { m_events->allSolved(); });
    }

protected:
    btScalar solveGroupCacheFriendlySetup(btCollisionObject** bodies, int numBodies, btPersistentManifold** manifolds,
                                          int numManifolds, btTypedConstraint** constraints, int numConstraints,
                                          const btContactSolverInfo& info, btIDebugDraw* debugDrawer) override {
        const std::span<btTypedConstraint*> ours(constraints, static_cast<std::size_t>(numConstraints));
        const std::span<btMultiBodyConstraint*> onMultiBodies = multiBodyConstraints();
        try {
            m_events->expect(ours, true);
            m_events->expect(onMultiBodies, true);
            const btScalar result = Base::solveGroupCacheFriendlySetup(bodies, numBodies, manifolds, numManifolds,
                                                                       constraints, numConstraints, info, debugDrawer);
            m_events->expect(ours, false);
            m_events->expect(onMultiBodies, false);
            m_group.manifolds = {manifolds, static_cast<std::size_t>(numManifolds)};
            m_group.constraints = ours;
            m_group.info = &info;
            m_group.timeStep = info.m_timeStep;
            m_group.solverBodies = &this->m_tmpSolverBodyPool;
            m_group.contactRows = &this->m_tmpSolverContactConstraintPool;
            m_group.frictionRows = &this->m_tmpSolverContactFrictionConstraintPool;
            m_group.rollingRows = &this->m_tmpSolverContactRollingFrictionConstraintPool;
            m_group.jointRows = &this->m_tmpSolverNonContactConstraintPool;
            findMultiBodies(onMultiBodies);
            m_events->solve(m_group);
            return result;
        } catch (...) {
            m_events->expect(ours, false);
            m_events->expect(onMultiBodies, false);
            m_events->abandonTick();
            throw;
        }
    }

    btScalar solveGroupCacheFriendlyFinish(btCollisionObject** bodies, int numBodies,
                                           const btContactSolverInfo& info) override {
        m_events->finish(m_group);
        return Base::solveGroupCacheFriendlyFinish(bodies, numBodies, info);
    }

private:
    /// So that a world whose tick came to nothing is no longer in one.
    template <class Step>
    void abandonIfThrown(const Step& step) {
        try {
            step();
        } catch (...) {
            m_events->abandonTick();
            throw;
        }
    }

    std::span<btMultiBodyConstraint*> multiBodyConstraints() {
        if constexpr (std::is_base_of_v<btMultiBodyConstraintSolver, Base>) {
            return {this->m_tmpMultiBodyConstraints, static_cast<std::size_t>(this->m_tmpNumMultiBodyConstraints)};
        } else {
            return {};
        }
    }

    void findMultiBodies(std::span<btMultiBodyConstraint*> constraints) {
        m_group.multiBodyPartners.clear();
        m_group.multiBodyConstraints = constraints;
        if constexpr (std::is_base_of_v<btMultiBodyConstraintSolver, Base>) {
            static_assert(std::is_same_v<decltype(this->m_data), btMultiBodyJacobianData>,
                          "btMultiBodyConstraintSolver::m_data is not what Bullet 3.24 has");
            m_group.multiBodyData = &this->m_data;
            m_group.multiBodyRows = {
                &this->m_multiBodyNonContactConstraints, &this->m_multiBodyNormalContactConstraints,
                &this->m_multiBodyFrictionContactConstraints, &this->m_multiBodyTorsionalFrictionContactConstraints,
                &this->m_multiBodySpinningFrictionContactConstraints};
            const auto& rows = this->m_multiBodyNonContactConstraints;
            for (int i = 0; i < rows.size(); ++i) {
                if (rows[i].m_multiBodyA == nullptr) m_group.multiBodyPartners.push_back(rows[i].m_solverBodyIdA);
                if (rows[i].m_multiBodyB == nullptr) m_group.multiBodyPartners.push_back(rows[i].m_solverBodyIdB);
            }
        }
    }

    SolverEvents* m_events;
    SolverGroup m_group;
};

/// Members of the world that have no public access.
class WorldInternals : private btDiscreteDynamicsWorld {
public:
    /// False in a world of a user's class, whose functions may be called within a tick and look at what is in it.
    static bool isBulletsOwn(const btDiscreteDynamicsWorld& world) {
        return classOf(world) == typeid(btDiscreteDynamicsWorld);
    }
    /// True if the world deletes its solver. It frees one that is replaced without destroying it.
    static bool& ownsSolver(btDiscreteDynamicsWorld& world) {
        static_assert(std::is_same_v<decltype(m_ownsConstraintSolver), bool>,
                      "btDiscreteDynamicsWorld::m_ownsConstraintSolver is not what Bullet 3.24 has");
        return world.*(&WorldInternals::m_ownsConstraintSolver);
    }
    /// Called in this order after the bodies have moved.
    static btAlignedObjectArray<btActionInterface*>& actions(btDiscreteDynamicsWorld& world) {
        static_assert(std::is_same_v<decltype(m_actions), btAlignedObjectArray<btActionInterface*>>,
                      "btDiscreteDynamicsWorld::m_actions is not what Bullet 3.24 has");
        return world.*(&WorldInternals::m_actions);
    }
    static btSimulationIslandManager*& islandManager(btDiscreteDynamicsWorld& world) {
        static_assert(std::is_same_v<decltype(m_islandManager), btSimulationIslandManager*>,
                      "btDiscreteDynamicsWorld::m_islandManager is not what Bullet 3.24 has");
        return world.*(&WorldInternals::m_islandManager);
    }
    /// True if the world deletes its manager of islands.
    static bool ownsIslandManager(btDiscreteDynamicsWorld& world) {
        static_assert(std::is_same_v<decltype(m_ownsIslandManager), bool>,
                      "btDiscreteDynamicsWorld::m_ownsIslandManager is not what Bullet 3.24 has");
        return world.*(&WorldInternals::m_ownsIslandManager);
    }
    /// All constraints, in the order in which they were added.
    static btAlignedObjectArray<btTypedConstraint*>& constraints(btDiscreteDynamicsWorld& world) {
        static_assert(std::is_same_v<decltype(m_constraints), btAlignedObjectArray<btTypedConstraint*>>,
                      "btDiscreteDynamicsWorld::m_constraints is not what Bullet 3.24 has");
        return world.*(&WorldInternals::m_constraints);
    }
    /// The same sorted by island, as the solver gets them: once its prepareSolve is called.
    static btAlignedObjectArray<btTypedConstraint*>& sortedConstraints(btDiscreteDynamicsWorld& world) {
        static_assert(std::is_same_v<decltype(m_sortedConstraints), btAlignedObjectArray<btTypedConstraint*>>,
                      "btDiscreteDynamicsWorld::m_sortedConstraints is not what Bullet 3.24 has");
        return world.*(&WorldInternals::m_sortedConstraints);
    }
    /// The bodies that it moves, in the order in which it does.
    static btAlignedObjectArray<btRigidBody*>& movedBodies(btDiscreteDynamicsWorld& world) {
        static_assert(std::is_same_v<decltype(m_nonStaticRigidBodies), btAlignedObjectArray<btRigidBody*>>,
                      "btDiscreteDynamicsWorld::m_nonStaticRigidBodies is not what Bullet 3.24 has");
        return world.*(&WorldInternals::m_nonStaticRigidBodies);
    }
    /// Contacts that continuous collision detection expects in this tick.
    static const btAlignedObjectArray<btPersistentManifold*>& predictiveManifolds(btDiscreteDynamicsWorld& world) {
        static_assert(std::is_same_v<decltype(m_predictiveManifolds), btAlignedObjectArray<btPersistentManifold*>>,
                      "btDiscreteDynamicsWorld::m_predictiveManifolds is not what Bullet 3.24 has");
        return world.*(&WorldInternals::m_predictiveManifolds);
    }
};

/// The same of a world with multibodies.
class MultiBodyWorldInternals : private btMultiBodyDynamicsWorld {
public:
    static btAlignedObjectArray<btMultiBodyConstraint*>& constraints(btMultiBodyDynamicsWorld& world) {
        static_assert(std::is_same_v<decltype(m_multiBodyConstraints), btAlignedObjectArray<btMultiBodyConstraint*>>,
                      "btMultiBodyDynamicsWorld::m_multiBodyConstraints is not what Bullet 3.24 has");
        return world.*(&MultiBodyWorldInternals::m_multiBodyConstraints);
    }
    static btAlignedObjectArray<btMultiBodyConstraint*>& sortedConstraints(btMultiBodyDynamicsWorld& world) {
        static_assert(
            std::is_same_v<decltype(m_sortedMultiBodyConstraints), btAlignedObjectArray<btMultiBodyConstraint*>>,
            "btMultiBodyDynamicsWorld::m_sortedMultiBodyConstraints is not what Bullet 3.24 has");
        return world.*(&MultiBodyWorldInternals::m_sortedMultiBodyConstraints);
    }
};

}  // namespace ELASTO_BULLET_NAMESPACE
}  // namespace elasto
