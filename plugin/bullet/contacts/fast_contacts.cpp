#include "contacts/fast_contacts.h"

#include <BulletCollision/CollisionDispatch/btManifoldResult.h>
#include <BulletCollision/CollisionShapes/btConvexShape.h>
#include <BulletCollision/CollisionShapes/btStaticPlaneShape.h>
#include <BulletCollision/NarrowPhaseCollision/btContinuousConvexCollision.h>
#include <BulletCollision/NarrowPhaseCollision/btGjkEpaPenetrationDepthSolver.h>
#include <BulletCollision/NarrowPhaseCollision/btGjkPairDetector.h>
#include <BulletCollision/NarrowPhaseCollision/btPointCollector.h>
#include <BulletCollision/NarrowPhaseCollision/btVoronoiSimplexSolver.h>
#include <BulletDynamics/ConstraintSolver/btContactSolverInfo.h>
#include <BulletDynamics/Dynamics/btRigidBody.h>
#include <LinearMath/btTransformUtil.h>

#include "contacts/contact_overlap.h"
#include "contacts/contact_pair.h"
#include "contacts/contact_shape.h"
#include "host/conversion.h"

namespace elasto {
inline namespace ELASTO_BULLET_NAMESPACE {

namespace {

bool isBall(const btCollisionObject& object) {
    return object.getCollisionShape()->getShapeType() == SPHERE_SHAPE_PROXYTYPE;
}

bool isBox(const btCollisionObject& object) {
    return object.getCollisionShape()->getShapeType() == BOX_SHAPE_PROXYTYPE;
}

bool isHull(const btCollisionObject& object) {
    return object.getCollisionShape()->getShapeType() == CONVEX_HULL_SHAPE_PROXYTYPE;
}

bool isPlane(const btCollisionObject& object) {
    return object.getCollisionShape()->getShapeType() == STATIC_PLANE_PROXYTYPE;
}

/// Of such a pair all points that may touch are known: a ball has one, what has corners those over a plane, and two
/// boxes those of their faces, if they lie flat on each other.
bool hasAllPoints(const btCollisionObject& a, const btCollisionObject& b) {
    if (isBall(a) || isBall(b)) return true;
    if (isPlane(a) || isPlane(b)) return isBox(a) || isBox(b) || isHull(a) || isHull(b);
    return isBox(a) && isBox(b);
}

/// A body over the tick, as far as is known before it is solved: its velocity, and what Bullet's forces make of it.
struct Approach {
    const btCollisionObject& object;
    btVector3 velocity = btVector3(0, 0, 0);  // mean over the tick
    btVector3 spin = btVector3(0, 0, 0);

    Approach(const btCollisionObject& its, btScalar h) : object(its) {
        const btRigidBody* body = btRigidBody::upcast(&its);
        if (body == nullptr || body->isStaticObject()) return;
        velocity = body->getLinearVelocity() + body->getTotalForce() * (body->getInvMass() * h / 2);
        if (!isBall(its)) spin = body->getAngularVelocity();  // a ball's moves nothing of its surface
    }

    const btTransform& start() const { return object.getWorldTransform(); }
    btTransform at(btScalar t) const {
        btTransform pose;
        btTransformUtil::integrateTransform(start(), velocity, spin, t, pose);
        return pose;
    }
    btScalar displacement(btScalar h) const {
        return h * spin.length() * object.getCollisionShape()->getAngularMotionDisc();
    }
};

bool responds(const btCollisionObject& a, const btCollisionObject& b) {
    return a.hasContactResponse() && b.hasContactResponse() && !(a.isStaticObject() && b.isStaticObject()) &&
           !a.isKinematicObject() && !b.isKinematicObject();  // which Bullet shows where they end
}

bool isConvex(const btCollisionObject& object) {
    return object.getCollisionShape()->isConvex();
}

const btConvexShape& convexOf(const btCollisionObject& object) {
    return static_cast<const btConvexShape&>(*object.getCollisionShape());
}

const btStaticPlaneShape& planeOf(const btCollisionObject& object) {
    return static_cast<const btStaticPlaneShape&>(*object.getCollisionShape());
}

/// Distance of the boxes around two bodies as they start: no more than that of the bodies.
btScalar boxDistance(const Approach& a, const Approach& b) {
    btVector3 least[2], most[2];
    a.object.getCollisionShape()->getAabb(a.start(), least[0], most[0]);
    b.object.getCollisionShape()->getAabb(b.start(), least[1], most[1]);
    btVector3 apart(0, 0, 0);
    for (int k = 0; k < 3; ++k)
        apart[k] = btMax(btScalar(0), btMax(least[0][k] - most[1][k], least[1][k] - most[0][k]));
    return apart.length();
}

/// Where two bodies first touch, in the world at that time; the normal points from b to a. What is left between them is
/// what the search for the time allows.
struct Touch {
    btTransform poseA, poseB;
    btVector3 pointB;
    btVector3 normal;
    btScalar distance = 0;
    btScalar displacement = 0;  ///< that their points may go in the tick
    bool isNormalOfB = true;    ///< of two boxes: of b's face, else of a's
};

/// The outward normal of a box's face that is nearest to a direction.
btVector3 boxNormal(const btTransform& pose, const btVector3& outward) {
    const int axis = (outward * pose.getBasis()).absolute().maxAxis();
    const btVector3 normal = pose.getBasis().getColumn(axis);
    return normal.dot(outward) < 0 ? -normal : normal;
}

/// The normal of two boxes' nearest points has the rounding of their search, and is that of a face: a thousandth of a
/// radian would let the corners of flat faces touch one after the other.
void straighten(Touch& touch) {
    const btVector3 ofB = boxNormal(touch.poseB, touch.normal);
    const btVector3 ofA = -boxNormal(touch.poseA, -touch.normal);
    touch.isNormalOfB = ofB.dot(touch.normal) >= ofA.dot(touch.normal);
    const btVector3& normal = touch.isNormalOfB ? ofB : ofA;
    if (normal.dot(touch.normal) >= static_cast<btScalar>(kAlongDirection)) touch.normal = normal;
}

/// The nearest points of two convex shapes.
bool findNearest(const btConvexShape& a, const btConvexShape& b, Touch& touch) {
    btVoronoiSimplexSolver simplex;
    btGjkEpaPenetrationDepthSolver depth;
    btGjkPairDetector detector(&a, &b, &simplex, &depth);
    btGjkPairDetector::ClosestPointInput input;
    input.m_transformA = touch.poseA;
    input.m_transformB = touch.poseB;
    btPointCollector nearest;
    detector.getClosestPoints(input, nearest, nullptr);
    touch.pointB = nearest.m_pointInWorld;
    touch.normal = nearest.m_normalOnBInWorld;
    touch.distance = nearest.m_distance;
    return nearest.m_hasResult;
}

/// The same of a convex shape and a plane.
void findNearest(const btConvexShape& a, const btStaticPlaneShape& b, Touch& touch) {
    touch.normal = touch.poseB.getBasis() * b.getPlaneNormal();
    const btVector3 lowest = touch.poseA(a.localGetSupportingVertex(-touch.normal * touch.poseA.getBasis()));
    touch.distance = b.getPlaneNormal().dot(touch.poseB.invXform(lowest)) - b.getPlaneConstant();
    touch.pointB = lowest - touch.distance * touch.normal;
}

/// @param a convex @param b convex or a plane
std::optional<Touch> firstTouch(const Approach& a, const Approach& b, btScalar h) {
    const btConvexShape& shapeA = convexOf(a.object);
    const bool isOnPlane = isPlane(b.object);
    btVoronoiSimplexSolver simplex;
    btGjkEpaPenetrationDepthSolver depth;
    btConvexCast::CastResult result;
    result.m_fraction = 1;
    const auto cast = [&](btContinuousConvexCollision collision) {
        return collision.calcTimeOfImpact(a.start(), a.at(h), b.start(), b.at(h), result);
    };
    const bool hits = isOnPlane ? cast(btContinuousConvexCollision(&shapeA, &planeOf(b.object)))
                                : cast(btContinuousConvexCollision(&shapeA, &convexOf(b.object), &simplex, &depth));
    if (!hits || !(result.m_fraction > 0) || !(result.m_fraction < 1)) return std::nullopt;
    Touch touch;
    touch.poseA = a.at(result.m_fraction * h);
    touch.poseB = b.at(result.m_fraction * h);
    if (isOnPlane) {
        findNearest(shapeA, planeOf(b.object), touch);
    } else if (!findNearest(shapeA, convexOf(b.object), touch)) {
        return std::nullopt;
    }
    return touch;
}

/// The pair with the convex one first.
struct Pair {
    const btCollisionObject& a;
    const btCollisionObject& b;
    bool isTurned;

    static std::optional<Pair> of(const btPersistentManifold& manifold) {
        const btCollisionObject& a = *manifold.getBody0();
        const btCollisionObject& b = *manifold.getBody1();
        if (isConvex(a) && (isConvex(b) || isPlane(b))) return Pair{a, b, false};
        if (isPlane(a) && isConvex(b)) return Pair{b, a, true};
        return std::nullopt;
    }
};

std::optional<Touch> touchOf(const btPersistentManifold& manifold, const btContactSolverInfo& info) {
    if (manifold.getNumContacts() > 0 || !responds(*manifold.getBody0(), *manifold.getBody1())) return std::nullopt;
    const std::optional<Pair> pair = Pair::of(manifold);
    if (!pair || !hasAllPoints(pair->a, pair->b)) return std::nullopt;
    const btScalar h = info.m_timeStep;
    const Approach a(pair->a, h);
    const Approach b(pair->b, h);
    const btScalar displacement = (a.velocity - b.velocity).length() * h + a.displacement(h) + b.displacement(h);
    if (displacement <= manifold.getContactBreakingThreshold()) return std::nullopt;  // Bullet sees it in time
    // Beyond the user's threshold there is no contact.
    if (boxDistance(a, b) > btMin(displacement, manifold.getContactProcessingThreshold())) return std::nullopt;
    std::optional<Touch> touch = firstTouch(a, b, h);
    if (touch) touch->displacement = displacement;
    if (touch && isBox(pair->a) && isBox(pair->b)) straighten(*touch);
    if (touch && pair->isTurned) {
        touch->pointB += touch->distance * touch->normal;
        touch->normal = -touch->normal;
        std::swap(touch->poseA, touch->poseB);
    }
    return touch;
}

/// A pair of points of the two surfaces, in the world at the time of the touch.
struct Place {
    btVector3 onA, onB;
};

/// The corners of a box or a hull that the tick may bring onto a plane.
std::vector<Place> cornersOver(const btPersistentManifold& manifold, const Touch& touch, bool isPlaneB,
                               btScalar displacement) {
    const btTransform& pose = isPlaneB ? touch.poseA : touch.poseB;
    const btVector3 up = isPlaneB ? touch.normal : -touch.normal;
    const btVector3 onPlane = isPlaneB ? touch.pointB : touch.pointB + touch.distance * touch.normal;
    std::vector<btVector3> corners;
    addCorners(touchingShape(isPlaneB ? *manifold.getBody0() : *manifold.getBody1(), -1), -up * pose.getBasis(),
               corners);
    std::vector<Place> places;
    for (const btVector3& corner : corners) {
        const btVector3 there = pose(corner);
        const btScalar height = (there - onPlane).dot(up);
        if (height > displacement) continue;
        const btVector3 foot = there - height * up;
        places.push_back(isPlaneB ? Place{there, foot} : Place{foot, there});
    }
    return places;
}

/// The corners of where the faces of two boxes lie over each other: the face that has the normal carries it, the other
/// one has the corners. None if they do not lie flat on each other.
std::vector<Place> facesOf(const btPersistentManifold& manifold, const Touch& touch) {
    const TouchingShape shapeA = touchingShape(*manifold.getBody0(), -1);
    const TouchingShape shapeB = touchingShape(*manifold.getBody1(), -1);
    const btVector3& normal = touch.normal;
    const std::vector<btVector3> corners = touch.isNormalOfB
                                               ? overlapCorners(shapeA, touch.poseA, shapeB, touch.poseB, -normal)
                                               : overlapCorners(shapeB, touch.poseB, shapeA, touch.poseA, normal);
    const btVector3 onFace = touch.isNormalOfB ? touch.pointB : touch.pointB + touch.distance * normal;
    std::vector<Place> places;
    for (const btVector3& corner : corners) {
        const btVector3 foot = corner - (corner - onFace).dot(normal) * normal;
        places.push_back(touch.isNormalOfB ? Place{corner, foot} : Place{foot, corner});
    }
    return places;
}

std::vector<Place> placesOf(const btPersistentManifold& manifold, const Touch& touch) {
    const btCollisionObject& a = *manifold.getBody0();
    const btCollisionObject& b = *manifold.getBody1();
    if (isBall(a) || isBall(b)) return {{touch.pointB + touch.distance * touch.normal, touch.pointB}};
    if (isPlane(b) || isPlane(a)) return cornersOver(manifold, touch, isPlane(b), touch.displacement);
    return facesOf(manifold, touch);
}

btManifoldPoint manifoldPoint(const btPersistentManifold& manifold, const Touch& touch, const Place& place) {
    const btCollisionObject& a = *manifold.getBody0();
    const btCollisionObject& b = *manifold.getBody1();
    // The normal goes along with b; the flow looks at the bodies as they start.
    const btVector3 normal = b.getWorldTransform().getBasis() * (touch.normal * touch.poseB.getBasis());
    const btVector3 inA = touch.poseA.invXform(place.onA);
    const btVector3 inB = touch.poseB.invXform(place.onB);
    const btScalar gap = normal.dot(a.getWorldTransform()(inA) - b.getWorldTransform()(inB));
    btManifoldPoint point(inA, inB, normal, gap);
    point.m_positionWorldOnA = a.getWorldTransform()(inA);
    point.m_positionWorldOnB = b.getWorldTransform()(inB);
    point.m_combinedFriction = btManifoldResult::calculateCombinedFriction(&a, &b);
    point.m_combinedRestitution = btManifoldResult::calculateCombinedRestitution(&a, &b);
    point.m_combinedRollingFriction = btManifoldResult::calculateCombinedRollingFriction(&a, &b);
    point.m_combinedSpinningFriction = btManifoldResult::calculateCombinedSpinningFriction(&a, &b);
    constexpr int kSoft = btCollisionObject::CF_HAS_CONTACT_STIFFNESS_DAMPING;
    if (((a.getCollisionFlags() | b.getCollisionFlags()) & kSoft) != 0) {
        point.m_combinedContactDamping1 = btManifoldResult::calculateCombinedContactDamping(&a, &b);
        point.m_combinedContactStiffness1 = btManifoldResult::calculateCombinedContactStiffness(&a, &b);
        point.m_contactPointFlags |= BT_CONTACT_FLAG_CONTACT_STIFFNESS_DAMPING;
    }
    constexpr int kAnchor = btCollisionObject::CF_HAS_FRICTION_ANCHOR;
    if (((a.getCollisionFlags() | b.getCollisionFlags()) & kAnchor) != 0) {
        point.m_contactPointFlags |= BT_CONTACT_FLAG_FRICTION_ANCHOR;
    }
    return point;
}

}  // namespace

bool touchesWithin(const btPersistentManifold& manifold, const btContactSolverInfo& info) {
    const std::optional<Touch> touch = touchOf(manifold, info);
    return touch && !placesOf(manifold, *touch).empty();
}

bool mayTouch(const btPersistentManifold& manifold, const btContactSolverInfo& info) {
    return manifold.getNumContacts() > 0 || touchesWithin(manifold, info);
}

void addFastPoints(btPersistentManifold& manifold, const btContactSolverInfo& info, std::vector<ContactPoint>& points) {
    const std::optional<Touch> touch = touchOf(manifold, info);
    if (!touch) return;
    for (const Place& place : placesOf(manifold, *touch)) {
        // Bullet, which has made its rows by now, takes it for a point that is still open: the impulse is told there,
        // and its next look at the pair follows it or drops it.
        btManifoldPoint own = manifoldPoint(manifold, *touch, place);
        const bool hasRoom = manifold.getNumContacts() < MANIFOLD_CACHE_SIZE;
        btManifoldPoint& point = hasRoom ? manifold.getContactPoint(manifold.addManifoldPoint(own, true)) : own;
        std::optional<ContactPoint> found = contactPoint(manifold, point, info, poseOf(manifold));
        if (!found) continue;
        if (!hasRoom) found->point = nullptr;
        found->contact.offset = static_cast<double>(info.m_linearSlop);  // Bullet has measured nothing
        points.push_back(*found);
    }
}

}  // namespace ELASTO_BULLET_NAMESPACE
}  // namespace elasto
