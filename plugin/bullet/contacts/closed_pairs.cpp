#include "contacts/closed_pairs.h"

#include <BulletCollision/NarrowPhaseCollision/btPersistentManifold.h>
#include <BulletDynamics/ConstraintSolver/btContactSolverInfo.h>
#include <BulletDynamics/Dynamics/btRigidBody.h>

#include "contacts/approach.h"
#include "contacts/contact_touch.h"
#include "contacts/surface_touch.h"
#include "contacts/tuning.h"

namespace elasto {
inline namespace ELASTO_BULLET_NAMESPACE {

namespace {

const btCollisionShape& shapeOf(const btCollisionObject& object) {
    return *object.getCollisionShape();
}

/// How near Bullet reports points of two bodies.
btScalar breakingThreshold(const btCollisionObject& a, const btCollisionObject& b) {
    return btMin(shapeOf(a).getContactBreakingThreshold(gContactBreakingThreshold),
                 shapeOf(b).getContactBreakingThreshold(gContactBreakingThreshold));
}

/// Bullet shows a kinematic body where it ends.
Approach approachOf(const btCollisionObject& object, btScalar h) {
    Approach approach = Approach::foreseen(object, h);
    if (object.isKinematicObject()) approach.start = approach.at(-h);
    return approach;
}

/// Calls visit with each of the shapes' touches.
template <class Visit>
void forEachTouch(const btCollisionObject& a, const btCollisionObject& b, const btContactSolverInfo& info,
                  bool hasBorne, const Visit& visit) {
    if (!a.hasContactResponse() || !b.hasContactResponse()) return;
    if (a.isStaticOrKinematicObject() && b.isStaticOrKinematicObject()) return;
    if (!hasBorne && !seesOverlapOnly(a, b) && breakingThreshold(a, b) >= static_cast<btScalar>(kNearAtStart)) return;
    const btScalar h = info.m_timeStep;
    const Approach ofA = approachOf(a, h);
    const Approach ofB = approachOf(b, h);
    const btScalar moved = btMin(Approach::displacement(ofA, ofB, h), static_cast<btScalar>(kNearAtStart));
    const btScalar borne = static_cast<btScalar>(hasBorne ? kHairline : kJustTouching);
    const btScalar most = btMin(a.getContactProcessingThreshold(), b.getContactProcessingThreshold());
    const btScalar reach = btMin(btMax(moved, borne), most);
    if (boxDistance(ofA, ofB) > reach) return;
    forEachShape(a, [&](const TouchingShape& shapeA, int childA) {
        forEachShape(b, [&](const TouchingShape& shapeB, int childB) {
            if (!maySweep(shapeA, shapeB)) return;
            Touch touch;
            touch.a = shapeA;
            touch.b = shapeB;
            touch.childA = childA;
            touch.childB = childB;
            touch.poseA = ofA.start;
            touch.poseB = ofB.start;
            if (!areBoxesWithin(touch, reach)) return;
            const bool isOnSurface = !mayBeSearched(shapeA, shapeB);
            const bool isFound = isOnSurface ? findNearestOnSurface(touch, reach) : findNearest(touch);
            if (isFound && touch.distance <= reach) visit(touch, reach);
        });
    });
}

}  // namespace

bool seesOverlapOnly(const btCollisionObject& a, const btCollisionObject& b) {
    const btCollisionShape& shapeA = shapeOf(a);
    const btCollisionShape& shapeB = shapeOf(b);
    const auto isOfParts = [](const btCollisionShape& shape) {  // parts, or triangles
        return shape.isCompound() || (shape.isConcave() && shape.getShapeType() != STATIC_PLANE_PROXYTYPE);
    };
    return (isBox(shapeA) && isBox(shapeB)) || (isBall(shapeA) && isBall(shapeB)) || isOfParts(shapeA) ||
           isOfParts(shapeB);
}

bool isClosed(const btCollisionObject& a, const btCollisionObject& b, const btContactSolverInfo& info, bool hasBorne) {
    bool isAny = false;
    forEachTouch(a, b, info, hasBorne, [&](Touch&, btScalar) { isAny = true; });
    return isAny;
}

void addClosedPoints(btPersistentManifold& manifold, const btContactSolverInfo& info, bool hasBorne,
                     std::vector<ContactPoint>& points) {
    forEachTouch(*manifold.getBody0(), *manifold.getBody1(), info, hasBorne, [&](Touch& touch, btScalar reach) {
        for (const TouchPlace& place : placesOf(touch, reach)) {
            ContactPoint* point = addPoint(manifold, touch, place, info, points);
            if (point != nullptr && hasBorne) closeHairline(*point);
        }
    });
}

}  // namespace ELASTO_BULLET_NAMESPACE
}  // namespace elasto
