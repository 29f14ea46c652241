#include "host/installed_solver.h"

#include <BulletCollision/CollisionDispatch/btSimulationIslandManager.h>
#include <BulletDynamics/ConstraintSolver/btSequentialImpulseConstraintSolverMt.h>
#include <BulletDynamics/Dynamics/btDiscreteDynamicsWorldMt.h>
#include <BulletDynamics/Featherstone/btMultiBodyDynamicsWorld.h>
#include <BulletDynamics/Featherstone/btMultiBodyMLCPConstraintSolver.h>
#include <BulletDynamics/MLCPSolvers/btMLCPSolver.h>

#include <stdexcept>
#include <string>
#include <typeinfo>

#include "host/bullet_internals.h"
#include "host/class_of.h"

namespace elasto {
inline namespace ELASTO_BULLET_NAMESPACE {

namespace {

// Calls visit with the solver as what it exactly is; a class derived from one of Bullet's may work differently.
template <class Visit>
void visitSolver(btConstraintSolver& solver, const Visit& visit) {
    if (classOf(solver) == typeid(btSequentialImpulseConstraintSolver)) {
        visit(static_cast<btSequentialImpulseConstraintSolver&>(solver));
    } else if (classOf(solver) == typeid(btNNCGConstraintSolver)) {
        visit(static_cast<btNNCGConstraintSolver&>(solver));
    } else if (classOf(solver) == typeid(btMultiBodyConstraintSolver)) {
        visit(static_cast<btMultiBodyConstraintSolver&>(solver));
    }
}

void putIn(btDiscreteDynamicsWorld& world, btConstraintSolver& solver, bool isOwned) {
    WorldInternals::ownsSolver(world) = false;  // or the world would free the present one
    if (auto* multiBodyWorld = castTo<btMultiBodyDynamicsWorld*>(&world)) {
        multiBodyWorld->setMultiBodyConstraintSolver(static_cast<btMultiBodyConstraintSolver*>(&solver));
    } else {
        world.setConstraintSolver(&solver);
    }
    WorldInternals::ownsSolver(world) = isOwned;
}

}  // namespace

SolverEvents* eventsOf(const btConstraintSolver& solver) {
    SolverEvents* events = nullptr;
    const auto look = [&](const auto* ours) {
        if (ours != nullptr) events = &ours->events();
    };
    look(castTo<const EventSolver<btSequentialImpulseConstraintSolver>*>(&solver));
    look(castTo<const EventSolver<btNNCGConstraintSolver>*>(&solver));
    look(castTo<const EventSolver<btMultiBodyConstraintSolver>*>(&solver));
    return events;
}

bool isOurs(const btConstraintSolver& solver) {
    return eventsOf(solver) != nullptr;
}

bool isSearchQuadratic(const btDynamicsWorld& world) {
    const auto* discrete = castTo<const btDiscreteDynamicsWorld*>(&world);
    if (discrete == nullptr) return true;
    auto& users = const_cast<btDiscreteDynamicsWorld&>(*discrete);
    if (!users.getSimulationIslandManager()->getSplitIslands()) return false;
    SolverEvents* events = eventsOf(*users.getConstraintSolver());
    return events == nullptr || !events->islands().isWanted || !IslandGroups::canSplit(world);
}

const char* whyUnsupported(const btDynamicsWorld& world) {
    if (!hasTypeInformation(world)) {
        return "the world's class was compiled with -fno-rtti, so that what it is derived from is not known; use "
               "Bullet's own class, or compile the file that makes the world with -frtti";
    }
    // Whatever solver it has now: it solves islands side by side, and large ones with another solver of its own.
    if (castTo<const btDiscreteDynamicsWorldMt*>(&world) != nullptr) {
        return "the world is a btDiscreteDynamicsWorldMt, which hands its islands to a pool of solvers and to threads "
               "(multithreaded pools are not supported); use a btDiscreteDynamicsWorld";
    }
    return whyUnsupported(*const_cast<btDynamicsWorld&>(world).getConstraintSolver());
}

const char* whyUnsupported(const btConstraintSolver& solver) {
    bool isKnown = isOurs(solver);
    visitSolver(const_cast<btConstraintSolver&>(solver), [&](const auto&) { isKnown = true; });
    if (isKnown) {
        return nullptr;
    }
    if (castTo<const btMLCPSolver*>(&solver) != nullptr ||
        castTo<const btMultiBodyMLCPConstraintSolver*>(&solver) != nullptr) {
        return "the world's solver is an MLCP solver, which makes its matrix of all rows before elements can take "
               "theirs out; use a btSequentialImpulseConstraintSolver or a btNNCGConstraintSolver";
    }
    if (castTo<const btSequentialImpulseConstraintSolverMt*>(&solver) != nullptr) {
        return "the world's solver is a btSequentialImpulseConstraintSolverMt, whose batches hold the numbers of rows "
               "that elements would take out; use a btSequentialImpulseConstraintSolver";
    }
    if (castTo<const btConstraintSolverPoolMt*>(&solver) != nullptr) {
        return "the world's solver is a btConstraintSolverPoolMt, which never calls the solver that elements need "
               "(multithreaded pools are not supported); use a btSequentialImpulseConstraintSolver";
    }
    return "the world's solver is none of btSequentialImpulseConstraintSolver, btNNCGConstraintSolver and "
           "btMultiBodyConstraintSolver; a class derived from one of these may work in another way";
}

InstalledSolver::InstalledSolver(btDiscreteDynamicsWorld& world, SolverEvents& events)
    : m_world(&world), m_users(world.getConstraintSolver()), m_worldOwnedUsers(WorldInternals::ownsSolver(world)) {
    if (isOurs(*m_users)) {
        throw std::invalid_argument("elasto::Plugin: this world has a Plugin already");
    }
    if (const char* why = whyUnsupported(world)) {
        throw std::invalid_argument(std::string("elasto::Plugin: ") + why);
    }
    const bool isMultiBodyWorld = castTo<btMultiBodyDynamicsWorld*>(&world) != nullptr;
    if (isMultiBodyWorld && classOf(*m_users) != typeid(btMultiBodyConstraintSolver)) {
        throw std::invalid_argument(
            "elasto::Plugin: a btMultiBodyDynamicsWorld needs a btMultiBodyConstraintSolver; the world has another "
            "one");
    }
    visitSolver(*m_users, [&]<class Base>(const Base& users) { m_ours = new EventSolver<Base>(users, events); });
    putIn(world, *m_ours, true);
}

InstalledSolver::~InstalledSolver() {
    if (m_world == nullptr) {  // it destroyed our solver; the user's was its own or is the user's
        if (m_worldOwnedUsers) {
            delete m_users;
        }
        return;
    }
    if (!isInPlace()) {  // ours was freed when it was replaced
        if (m_worldOwnedUsers) {
            delete m_users;
        }
        return;
    }
    visitSolver(*m_users, [&]<class Base>(Base& users) {
        users.setRandSeed(static_cast<const Base*>(m_ours)->getRandSeed());
        users.m_analyticsData = static_cast<const Base*>(m_ours)->m_analyticsData;
    });
    putIn(*m_world, *m_users, m_worldOwnedUsers);
    delete m_ours;
}

bool InstalledSolver::isInPlace() const {
    return m_world == nullptr || m_world->getConstraintSolver() == m_ours;
}

}  // namespace ELASTO_BULLET_NAMESPACE
}  // namespace elasto
