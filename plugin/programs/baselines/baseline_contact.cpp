#include "baseline_contact.h"

#include <BulletCollision/CollisionDispatch/btCollisionWorld.h>
#include <BulletCollision/NarrowPhaseCollision/btPersistentManifold.h>

#include <algorithm>

namespace elasto {
inline namespace ELASTO_BULLET_NAMESPACE {

void BaselineContact::soften(double c, double d) {
    // Bullet adds up the damping of both bodies.
    const double share = 1. / m_points;
    const double damping = std::max(0., share * d - static_cast<double>(m_a.getContactDamping()));
    m_b.setContactStiffnessAndDamping(static_cast<btScalar>(share * c), static_cast<btScalar>(damping));
}

void BaselineContact::setEnabled(bool enabled, btCollisionWorld& world) {
    m_a.setIgnoreCollisionCheck(&m_b, !enabled);
    m_b.setIgnoreCollisionCheck(&m_a, !enabled);
    // Contacts that are there already would stay.
    btOverlappingPairCache& pairs = *world.getPairCache();
    pairs.cleanProxyFromPairs(m_b.getBroadphaseHandle(), world.getDispatcher());
}

double BaselineContact::meanForce(btDispatcher& dispatcher, double h) const {
    double impulse = 0;
    for (int i = 0; i < dispatcher.getNumManifolds(); ++i) {
        const btPersistentManifold& manifold = *dispatcher.getManifoldByIndexInternal(i);
        const btCollisionObject* first = manifold.getBody0();
        const btCollisionObject* second = manifold.getBody1();
        if (!(first == &m_a && second == &m_b) && !(first == &m_b && second == &m_a)) continue;
        for (int k = 0; k < manifold.getNumContacts(); ++k) {
            impulse += static_cast<double>(manifold.getContactPoint(k).getAppliedImpulse());
        }
    }
    return -impulse / h;
}

}  // namespace ELASTO_BULLET_NAMESPACE
}  // namespace elasto
