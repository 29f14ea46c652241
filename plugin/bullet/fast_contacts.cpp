#include "fast_contacts.h"

#include <BulletCollision/CollisionDispatch/btManifoldResult.h>
#include <BulletCollision/CollisionShapes/btCapsuleShape.h>
#include <BulletCollision/CollisionShapes/btConeShape.h>
#include <BulletCollision/CollisionShapes/btConvexShape.h>
#include <BulletCollision/CollisionShapes/btCylinderShape.h>
#include <BulletCollision/CollisionShapes/btStaticPlaneShape.h>
#include <BulletCollision/NarrowPhaseCollision/btContinuousConvexCollision.h>
#include <BulletCollision/NarrowPhaseCollision/btGjkEpaPenetrationDepthSolver.h>
#include <BulletCollision/NarrowPhaseCollision/btGjkPairDetector.h>
#include <BulletCollision/NarrowPhaseCollision/btPointCollector.h>
#include <BulletCollision/NarrowPhaseCollision/btVoronoiSimplexSolver.h>
#include <BulletDynamics/ConstraintSolver/btContactSolverInfo.h>
#include <BulletDynamics/Dynamics/btRigidBody.h>
#include <LinearMath/btTransformUtil.h>

#include "contact_overlap.h"
#include "contact_pair.h"
#include "contact_shape.h"
#include "conversion.h"

namespace elasto {
inline namespace ELASTO_BULLET_NAMESPACE {

namespace {

/// The axis about which a shape is round, in its body's frame; zero if there is none.
btVector3 roundAxis(const btCollisionShape& shape) {
    btVector3 axis(0, 0, 0);
    switch (shape.getShapeType()) {
        case CYLINDER_SHAPE_PROXYTYPE:
            axis[static_cast<const btCylinderShape&>(shape).getUpAxis()] = 1;
            break;
        case CAPSULE_SHAPE_PROXYTYPE:
            axis[static_cast<const btCapsuleShape&>(shape).getUpAxis()] = 1;
            break;
        case CONE_SHAPE_PROXYTYPE:
            axis[static_cast<const btConeShape&>(shape).getConeUpIndex()] = 1;
            break;
        default:
            break;
    }
    return axis;
}

/// What of a spin moves the shape's surface: nothing of a ball's, or of a wheel's about its axle.
btVector3 turningOf(const btCollisionObject& object, const btVector3& spin) {
    const btCollisionShape& shape = *object.getCollisionShape();
    if (shape.getShapeType() == SPHERE_SHAPE_PROXYTYPE) return btVector3(0, 0, 0);
    const btVector3 axis = object.getWorldTransform().getBasis() * roundAxis(shape);
    return spin - spin.dot(axis) * axis;
}

/// A body over the tick, as far as is known before it is solved: its velocity, and what Bullet's forces make of it.
struct Course {
    const btCollisionObject& object;
    btVector3 velocity = btVector3(0, 0, 0);  // mean over the tick
    btVector3 spin = btVector3(0, 0, 0);

    Course(const btCollisionObject& its, btScalar h) : object(its) {
        const btRigidBody* body = btRigidBody::upcast(&its);
        if (body == nullptr || body->isStaticObject()) return;
        velocity = body->getLinearVelocity() + body->getTotalForce() * (body->getInvMass() * h / 2);
        spin = turningOf(its, body->getAngularVelocity());
    }

    const btTransform& start() const { return object.getWorldTransform(); }
    btTransform at(btScalar t) const {
        btTransform pose;
        btTransformUtil::integrateTransform(start(), velocity, spin, t, pose);
        return pose;
    }
    btScalar way(btScalar h) const { return h * spin.length() * object.getCollisionShape()->getAngularMotionDisc(); }
};

bool responds(const btCollisionObject& a, const btCollisionObject& b) {
    return a.hasContactResponse() && b.hasContactResponse() &&
           !(a.isStaticOrKinematicObject() && b.isStaticOrKinematicObject());
}

bool isPlane(const btCollisionObject& object) {
    return object.getCollisionShape()->getShapeType() == STATIC_PLANE_PROXYTYPE;
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
btScalar boxDistance(const Course& a, const Course& b) {
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
};

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
std::optional<Touch> firstTouch(const Course& a, const Course& b, btScalar h) {
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
    if (!pair) return std::nullopt;
    const btScalar h = info.m_timeStep;
    const Course a(pair->a, h);
    const Course b(pair->b, h);
    const btScalar way = (a.velocity - b.velocity).length() * h + a.way(h) + b.way(h);
    if (way <= manifold.getContactBreakingThreshold()) return std::nullopt;  // Bullet sees it in time
    if (boxDistance(a, b) > way) return std::nullopt;
    if (boxDistance(a, b) > manifold.getContactProcessingThreshold()) return std::nullopt;  // as the user has it
    std::optional<Touch> touch = firstTouch(a, b, h);
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

/// Where they touch: the nearest points, or of two boxes the corners of where their faces lie over each other. The face
/// that has the normal carries it, the other one has the corners.
std::vector<Place> placesOf(const btPersistentManifold& manifold, const Touch& touch) {
    const TouchingShape shapeA = touchingShape(*manifold.getBody0(), -1);
    const TouchingShape shapeB = touchingShape(*manifold.getBody1(), -1);
    const btVector3& normal = touch.normal;
    const btVector3 pointA = touch.pointB + touch.distance * normal;
    const auto tilt = [&](const TouchingShape& shape, const btTransform& pose, const btVector3& outward) {
        const std::optional<btVector3> face = faceNormal(shape, outward * pose.getBasis());
        return face ? 1 - (pose.getBasis() * *face).dot(outward) : btScalar(1);
    };
    const bool isOnB = tilt(shapeB, touch.poseB, normal) <= tilt(shapeA, touch.poseA, -normal);
    const std::vector<btVector3> corners = isOnB ? overlapCorners(shapeA, touch.poseA, shapeB, touch.poseB, -normal)
                                                 : overlapCorners(shapeB, touch.poseB, shapeA, touch.poseA, normal);
    std::vector<Place> places;
    for (const btVector3& corner : corners) {
        const btVector3 foot = corner - (corner - (isOnB ? touch.pointB : pointA)).dot(normal) * normal;
        places.push_back(isOnB ? Place{corner, foot} : Place{foot, corner});
    }
    if (places.empty()) places.push_back({pointA, touch.pointB});
    return places;
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
    return touchOf(manifold, info).has_value();
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
