#include "contacts/fast_contacts.h"

#include <BulletCollision/CollisionShapes/btCollisionShape.h>
#include <BulletDynamics/ConstraintSolver/btContactSolverInfo.h>

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
struct FastTouch {
    Touch touch;
    btScalar displacement = 0;
};

std::optional<FastTouch> touchOf(const btPersistentManifold& manifold, const btContactSolverInfo& info) {
    const btCollisionObject& bodyA = *manifold.getBody0();
    const btCollisionObject& bodyB = *manifold.getBody1();
    if (manifold.getNumContacts() > 0 || !responds(bodyA, bodyB)) return std::nullopt;
    const TouchingShape shapeA = touchingShape(bodyA, -1), shapeB = touchingShape(bodyB, -1);
    if (!mayBeSearched(shapeA, shapeB)) return std::nullopt;
    const btScalar h = info.m_timeStep;
    const Approach a = Approach::foreseen(bodyA, h);
    const Approach b = Approach::foreseen(bodyB, h);
    const btScalar displacement = Approach::displacement(a, b, h);
    if (!seesOverlapOnly(bodyA, bodyB) && displacement <= manifold.getContactBreakingThreshold()) {
        return std::nullopt;  // Bullet sees it in time
    }
    // Beyond the user's threshold there is no contact.
    if (boxDistance(a, b) > btMin(displacement, manifold.getContactProcessingThreshold())) return std::nullopt;
    const std::optional<Touch> touch = firstTouch(a, shapeA, b, shapeB, h);
    if (!touch || !hasAllPoints(*touch)) return std::nullopt;
    return FastTouch{*touch, displacement};
}

}  // namespace

bool touchesWithin(const btPersistentManifold& manifold, const btContactSolverInfo& info) {
    std::optional<FastTouch> fast = touchOf(manifold, info);
    return fast && !placesOf(fast->touch, fast->displacement).empty();
}

void addFastPoints(btPersistentManifold& manifold, const btContactSolverInfo& info, std::vector<ContactPoint>& points) {
    std::optional<FastTouch> fast = touchOf(manifold, info);
    if (!fast) return;
    for (const TouchPlace& place : placesOf(fast->touch, fast->displacement)) {
        addPoint(manifold, fast->touch, place, info, points);
    }
}

}  // namespace ELASTO_BULLET_NAMESPACE
}  // namespace elasto
