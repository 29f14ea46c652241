#pragma once
// How the bodies of a world move before Bullet solves, for a tick that comes to nothing.

#include <elasto/precision.h>

#include <BulletDynamics/Dynamics/btDiscreteDynamicsWorld.h>

#include <vector>

namespace elasto {
inline namespace ELASTO_BULLET_NAMESPACE {

class MotionBackup {
public:
    /// Takes note of all bodies that move.
    void save(const btDiscreteDynamicsWorld& world);
    /// Puts them back, if they were noted since the last call.
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
