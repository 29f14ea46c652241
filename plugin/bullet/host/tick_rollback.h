#pragma once
// What a tick that throws leaves behind in Bullet.

#include <elasto/precision.h>

#include <BulletDynamics/Dynamics/btDynamicsWorld.h>

#include <exception>

namespace elasto {
inline namespace ELASTO_BULLET_NAMESPACE {

/// Bullet adds gravity to all bodies' forces when a step begins, and clears them when it ends. An exception that leaves
/// the step passes the end by: without this the next step would have gravity, and the user's forces, twice.
class TickRollback {
public:
    explicit TickRollback(btDynamicsWorld& world) : m_world(world) {}
    ~TickRollback() {
        if (std::uncaught_exceptions() > m_before) m_world.clearForces();
    }
    TickRollback(const TickRollback&) = delete;
    TickRollback& operator=(const TickRollback&) = delete;

private:
    btDynamicsWorld& m_world;
    const int m_before = std::uncaught_exceptions();
};

}  // namespace ELASTO_BULLET_NAMESPACE
}  // namespace elasto
