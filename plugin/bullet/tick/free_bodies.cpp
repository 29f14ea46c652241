#include "tick/free_bodies.h"

#include <BulletDynamics/ConstraintSolver/btTypedConstraint.h>
#include <BulletDynamics/Dynamics/btRigidBody.h>

#include <algorithm>
#include <cstddef>

#include "host/body_status.h"
#include "host/bullet_internals.h"
#include "network/body_cache.h"

namespace elasto {
inline namespace ELASTO_BULLET_NAMESPACE {

void FreeBodies::find(const SolverGroup& group, const BodyTable& table, Flights flights) {
    m_bodies.clear();
    const btAlignedObjectArray<btSolverBody>& solverBodies = *group.solverBodies;
    const auto count = static_cast<std::size_t>(solverBodies.size());
    m_isTied.assign(count, 0);
    m_isTouched.assign(count, 0);
    for (const btConstraintArray* rows : {group.contactRows, group.frictionRows}) {
        for (int i = 0; i < rows->size(); ++i) {
            for (const int id : {(*rows)[i].m_solverBodyIdA, (*rows)[i].m_solverBodyIdB}) {
                if (id >= 0) m_isTouched[static_cast<std::size_t>(id)] = 1;
            }
        }
    }
    for (const btTypedConstraint* constraint : group.constraints) {
        if (!constraint->isEnabled()) continue;
        for (const btRigidBody* body : {&constraint->getRigidBodyA(), &constraint->getRigidBodyB()}) {
            const int id = body->getCompanionId();
            if (isMovable(*body) && id >= 0) m_isTied[static_cast<std::size_t>(id)] = 1;
        }
    }
    for (std::size_t i = 0; i < count; ++i) {
        btRigidBody* body = solverBodies[static_cast<int>(i)].m_originalBody;
        if (body == nullptr || m_isTied[i] != 0 || !isMovable(*body)) continue;
        const SavedBody* cache = table.find(*body);
        const bool isFollowed = cache != nullptr && isPoseRemembered(*cache, *body);
        const bool isFree = m_isTouched[i] == 0;
        if (flights == Flights::All ? isFree || isFollowed : isFree && isFollowed) m_bodies.push_back(body);
    }
    std::sort(m_bodies.begin(), m_bodies.end(), [](const btRigidBody* x, const btRigidBody* y) {
        return x->getWorldArrayIndex() < y->getWorldArrayIndex();
    });
}

}  // namespace ELASTO_BULLET_NAMESPACE
}  // namespace elasto
