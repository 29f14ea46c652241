#include "contacts/fast_contacts.h"

#include <BulletCollision/CollisionShapes/btCollisionShape.h>
#include <BulletDynamics/ConstraintSolver/btContactSolverInfo.h>

#include <algorithm>

#include "contacts/approach.h"
#include "contacts/closed_pairs.h"
#include "contacts/contact_touch.h"

namespace elasto {
inline namespace ELASTO_BULLET_NAMESPACE {

namespace {

bool responds(const btCollisionObject& a, const btCollisionObject& b) {
    return a.hasContactResponse() && b.hasContactResponse() && !(a.isStaticObject() && b.isStaticObject()) &&
           !a.isKinematicObject() && !b.isKinematicObject();  // which Bullet shows where they end
}

/// Where the bodies touch within the tick, and how far they may go in it.
struct FastTouches {
    std::vector<Touch> touches;
    btScalar displacement = 0;
};

FastTouches touchesOf(const btPersistentManifold& manifold, const btContactSolverInfo& info) {
    const btCollisionObject& bodyA = *manifold.getBody0();
    const btCollisionObject& bodyB = *manifold.getBody1();
    if (manifold.getNumContacts() > 0 || !responds(bodyA, bodyB)) return {};
    const btScalar h = info.m_timeStep;
    const Approach a = Approach::foreseen(bodyA, h);
    const Approach b = Approach::foreseen(bodyB, h);
    const btScalar displacement = Approach::displacement(a, b, h);
    if (!seesOverlapOnly(bodyA, bodyB) && displacement <= manifold.getContactBreakingThreshold()) {
        return {};  // Bullet sees it in time
    }
    // Beyond the user's threshold there is no contact.
    if (boxDistance(a, b) > btMin(displacement, manifold.getContactProcessingThreshold())) return {};
    return {firstTouches(a, b, h), displacement};
}

}  // namespace

bool touchesWithin(const btPersistentManifold& manifold, const btContactSolverInfo& info) {
    FastTouches fast = touchesOf(manifold, info);
    return std::any_of(fast.touches.begin(), fast.touches.end(),
                       [&](Touch& touch) { return !placesOf(touch, fast.displacement).empty(); });
}

void addFastPoints(btPersistentManifold& manifold, const btContactSolverInfo& info, std::vector<ContactPoint>& points) {
    FastTouches fast = touchesOf(manifold, info);
    for (Touch& touch : fast.touches) {
        for (const TouchPlace& place : placesOf(touch, fast.displacement)) {
            addPoint(manifold, touch, place, info, points);
        }
    }
}

}  // namespace ELASTO_BULLET_NAMESPACE
}  // namespace elasto
