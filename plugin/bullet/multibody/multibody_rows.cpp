#include "multibody/multibody_rows.h"

#include <BulletDynamics/Featherstone/btMultiBody.h>

#include <algorithm>

#include "host/bullet_internals.h"

namespace elasto {
inline namespace ELASTO_BULLET_NAMESPACE {

namespace {

// Bullet sets the limits of friction anew in each iteration, so that they cannot hold a row: gradients and responses
// can. Its diagonal must not be 0, as Bullet divides by it.
void disableRow(btMultiBodySolverConstraint& row, btMultiBodyJacobianData& data) {
    const auto clear = [&](const btMultiBody* body, int index) {
        if (body == nullptr) return;
        for (int i = 0; i < 6 + body->getNumDofs(); ++i) {
            data.m_jacobians[index + i] = 0;
            data.m_deltaVelocitiesUnitImpulse[index + i] = 0;
        }
    };
    clear(row.m_multiBodyA, row.m_jacAindex);
    clear(row.m_multiBodyB, row.m_jacBindex);
    for (btVector3* vector : {&row.m_contactNormal1, &row.m_contactNormal2, &row.m_relpos1CrossNormal,
                              &row.m_relpos2CrossNormal, &row.m_angularComponentA, &row.m_angularComponentB}) {
        vector->setZero();
    }
    row.m_rhs = row.m_rhsPenetration = row.m_cfm = 0;
    row.m_appliedImpulse = row.m_appliedPushImpulse = 0;
    row.m_jacDiagABInv = 1;
    row.m_lowerLimit = -SIMD_INFINITY;
    row.m_upperLimit = SIMD_INFINITY;
}

}  // namespace

void disable(SolverGroup& group, const std::vector<btMultiBody*>& bodies) {
    if (group.multiBodyData == nullptr || bodies.empty()) return;
    const auto isOwned = [&](const btMultiBody* body) {
        return body != nullptr && std::find(bodies.begin(), bodies.end(), body) != bodies.end();
    };
    for (btMultiBodyConstraintArray* rows : group.multiBodyRows) {
        for (int i = 0; i < rows->size(); ++i) {
            btMultiBodySolverConstraint& row = (*rows)[i];
            if (isOwned(row.m_multiBodyA) || isOwned(row.m_multiBodyB)) disableRow(row, *group.multiBodyData);
        }
    }
}

}  // namespace ELASTO_BULLET_NAMESPACE
}  // namespace elasto
