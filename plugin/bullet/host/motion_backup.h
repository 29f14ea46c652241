#pragma once
// How bodies move before Bullet's solution is written to them, for a tick that comes to nothing.

#include <elasto/precision.h>

#include <BulletDynamics/ConstraintSolver/btSolverBody.h>
#include <BulletDynamics/Dynamics/btRigidBody.h>

#include <vector>

namespace elasto {
inline namespace ELASTO_BULLET_NAMESPACE {

class MotionBackup {
public:
    /// Takes note of these too: of what the solver found, which lies together, as the bodies do not.
    /// @param bodies before the solution is written to them
    void save(const btAlignedObjectArray<btSolverBody>& bodies);
    /// Puts back those noted since the last call of either.
    void restore();
    void forget() { m_motions.clear(); }

private:
    struct Motion {
        btRigidBody* body;
        btTransform pose;
        btVector3 velocity, angularVelocity;
    };
    std::vector<Motion> m_motions;
};

}  // namespace ELASTO_BULLET_NAMESPACE
}  // namespace elasto
