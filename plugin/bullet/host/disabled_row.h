#pragma once
// A row of Bullet's solver that does nothing, whichever of its row solvers takes it.

#include <elasto/precision.h>

#include <BulletDynamics/ConstraintSolver/btSolverConstraint.h>

namespace elasto {
inline namespace ELASTO_BULLET_NAMESPACE {

/// Without gradients and right-hand side the row's impulse stays 0. Its diagonal must not be 0: Bullet divides by it.
inline void disableRow(btSolverConstraint& row) {
    for (btVector3* vector : {&row.m_contactNormal1, &row.m_contactNormal2, &row.m_relpos1CrossNormal,
                              &row.m_relpos2CrossNormal, &row.m_angularComponentA, &row.m_angularComponentB}) {
        vector->setZero();
    }
    row.m_rhs = row.m_rhsPenetration = row.m_cfm = row.m_appliedImpulse = row.m_appliedPushImpulse = 0;
    row.m_jacDiagABInv = 1;
    row.m_lowerLimit = -SIMD_INFINITY;
    row.m_upperLimit = SIMD_INFINITY;
}

}  // namespace ELASTO_BULLET_NAMESPACE
}  // namespace elasto
