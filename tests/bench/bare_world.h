#pragma once
// The parts of an ordinary Bullet world, with nothing in it.

#include <btBulletDynamicsCommon.h>

namespace elasto::bench {

/// What is in m_world must be taken out by those who derive from this.
class BareWorld {
public:
    BareWorld(const BareWorld&) = delete;
    BareWorld& operator=(const BareWorld&) = delete;

protected:
    BareWorld() = default;
    ~BareWorld() = default;

    btDefaultCollisionConfiguration m_configuration;
    btCollisionDispatcher m_dispatcher{&m_configuration};
    btDbvtBroadphase m_broadphase;
    btSequentialImpulseConstraintSolver m_solver;
    btDiscreteDynamicsWorld m_world{&m_dispatcher, &m_broadphase, &m_solver, &m_configuration};
};

}  // namespace elasto::bench
