#include "host/unmoved_bodies.h"

#include <BulletDynamics/Dynamics/btDiscreteDynamicsWorld.h>
#include <BulletDynamics/Dynamics/btRigidBody.h>

#include <algorithm>

#include "host/bullet_internals.h"

namespace elasto {
inline namespace ELASTO_BULLET_NAMESPACE {

bool UnmovedBodies::takeOut(btDiscreteDynamicsWorld& world, std::size_t count,
                            const std::function<const btRigidBody*(std::size_t)>& bodyAt) {
    if (count == 0) return true;
    // Restitutions of contacts that are expected come from a function of the user's.
    if (!WorldInternals::isBulletsOwn(world) || world.getApplySpeculativeContactRestitution()) return false;
    btAlignedObjectArray<btRigidBody*>& moved = WorldInternals::movedBodies(world);
    m_all.resize(static_cast<std::size_t>(moved.size()));
    for (int i = 0; i < moved.size(); ++i) m_all[static_cast<std::size_t>(i)] = moved[i];
    m_isOut.assign(static_cast<std::size_t>(world.getNumCollisionObjects()), 0);
    const auto isOut = [&](const btRigidBody& body) -> char& {
        return m_isOut[static_cast<std::size_t>(body.getWorldArrayIndex())];
    };
    for (std::size_t i = 0; i < count; ++i) isOut(*bodyAt(i)) = 1;
    // Continuous collision detection asks the user's filters.
    const bool areSwept = std::any_of(m_all.begin(), m_all.end(), [&](const btRigidBody* body) {
        return isOut(*body) == 0 && body->getCcdSquareMotionThreshold() != 0;
    });
    if (areSwept) return false;
    int left = 0;
    for (btRigidBody* body : m_all) {
        if (isOut(*body) == 0) moved[left++] = body;
    }
    moved.resize(left);
    m_world = &world;
    return true;
}

void UnmovedBodies::putBack() {
    if (m_world == nullptr) return;
    btAlignedObjectArray<btRigidBody*>& moved = WorldInternals::movedBodies(*m_world);
    moved.resize(static_cast<int>(m_all.size()));
    for (int i = 0; i < moved.size(); ++i) moved[i] = m_all[static_cast<std::size_t>(i)];
    m_world = nullptr;
}

}  // namespace ELASTO_BULLET_NAMESPACE
}  // namespace elasto
