#pragma once
// What Bullet's contact points report, for tests.

#include "test_world.h"

namespace elasto::test {

/// Impulse that all contacts gave to a body in the last tick, by what their points report [N.s].
inline btVector3 reactionOn(TestWorld& world, const btCollisionObject& body) {
    btVector3 sum(0, 0, 0);
    for (int m = 0; m < world.dispatcher.getNumManifolds(); ++m) {
        const btPersistentManifold& manifold = *world.dispatcher.getManifoldByIndexInternal(m);
        if (manifold.getBody0() != &body && manifold.getBody1() != &body) continue;
        const btScalar side = manifold.getBody0() == &body ? btScalar(1) : btScalar(-1);
        for (int i = 0; i < manifold.getNumContacts(); ++i) {
            const btManifoldPoint& point = manifold.getContactPoint(i);
            sum += side * (point.m_appliedImpulse * point.m_normalWorldOnB +
                           point.m_appliedImpulseLateral1 * point.m_lateralFrictionDir1 +
                           point.m_appliedImpulseLateral2 * point.m_lateralFrictionDir2);
        }
    }
    return sum;
}

/// Largest part of a normal on a body that is not vertical.
inline double largestTilt(TestWorld& world, const btCollisionObject& body) {
    double tilt = 0;
    for (int m = 0; m < world.dispatcher.getNumManifolds(); ++m) {
        const btPersistentManifold& manifold = *world.dispatcher.getManifoldByIndexInternal(m);
        if (manifold.getBody0() != &body && manifold.getBody1() != &body) continue;
        for (int i = 0; i < manifold.getNumContacts(); ++i) {
            const btVector3& normal = manifold.getContactPoint(i).m_normalWorldOnB;
            tilt = std::max(tilt, static_cast<double>(btSqrt(normal.x() * normal.x() + normal.z() * normal.z())));
        }
    }
    return tilt;
}

}  // namespace elasto::test
