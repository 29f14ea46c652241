// Bodies that have left a network into the air.

#include <algorithm>

#include "network/body_cache.h"
#include "network/finite_check.h"
#include "tick/world_tick.h"

namespace elasto {
inline namespace ELASTO_BULLET_NAMESPACE {

// They fly on as exactly as they left: Bullet's own steps would shorten a throw by g h/2 times its duration. What they
// touch next is Bullet's or a network's again.
void WorldTick::followFlights(SolverGroup& group, const TickTime& tickTime) {
    if (m_bodyTable.isEmpty()) return;
    const auto& solverBodies = *group.solverBodies;
    std::vector<btRigidBody*> flying;
    for (int i = 0; i < solverBodies.size(); ++i) {
        btRigidBody* body = solverBodies[i].m_originalBody;
        if (body == nullptr || m_isOwned[static_cast<std::size_t>(i)] != 0 || !isMovable(*body)) continue;
        const SavedBody* memory = m_bodyTable.find(*body);
        if (memory != nullptr && isPoseRemembered(*memory, *body)) flying.push_back(body);
    }
    if (flying.empty()) return;
    lookAtContacts(false);
    std::vector<char> isTouched(m_isOwned.size(), 0);
    const auto touch = [&](int solverBody) {
        if (solverBody >= 0) isTouched[static_cast<std::size_t>(solverBody)] = 1;
    };
    for (const btConstraintArray* rows : {group.contactRows, group.frictionRows}) {
        for (int i = 0; i < rows->size(); ++i) {
            touch((*rows)[i].m_solverBodyIdA);
            touch((*rows)[i].m_solverBodyIdB);
        }
    }
    for (btTypedConstraint* constraint : group.constraints) {
        for (const btRigidBody* body : {&constraint->getRigidBodyA(), &constraint->getRigidBodyB()}) {
            if (constraint->isEnabled() && isMovable(*body)) touch(body->getCompanionId());
        }
    }
    std::sort(flying.begin(), flying.end(), [](const btRigidBody* x, const btRigidBody* y) {
        return x->getWorldArrayIndex() < y->getWorldArrayIndex();
    });
    for (btRigidBody* body : flying) {
        const auto solverBody = static_cast<std::size_t>(body->getCompanionId());
        if (isTouched[solverBody] != 0 || m_hasRows[solverBody] != 0) continue;
        const std::shared_ptr<SolvedNetwork> solved = freshNetwork();
        const EnergyBetweenTicks between = gatherFlight(*body, m_bodyTable, m_loadTable, tickTime, *solved);
        solved->h = tickTime.h;
        solved->settings = settings;
        solveMotion(*solved, m_networks.size());
        requireFiniteStart(*solved, between);
        requireFiniteEnd(*solved);
        m_between += between;
        m_isOwned[solverBody] = 1;
        m_networks.push_back(solved);
        m_uncoupled.emplace_back();
    }
}

}  // namespace ELASTO_BULLET_NAMESPACE
}  // namespace elasto
