#include "contacts/approach.h"
#include "contacts/surface_touch.h"
#include "contacts/tuning.h"
#include "host/body_motion.h"

#include <BulletCollision/CollisionShapes/btConvexShape.h>
#include <BulletCollision/CollisionShapes/btStaticPlaneShape.h>
#include <BulletCollision/NarrowPhaseCollision/btContinuousConvexCollision.h>
#include <BulletCollision/NarrowPhaseCollision/btGjkEpaPenetrationDepthSolver.h>
#include <BulletCollision/NarrowPhaseCollision/btVoronoiSimplexSolver.h>
#include <BulletDynamics/Dynamics/btRigidBody.h>
#include <LinearMath/btTransformUtil.h>

namespace elasto {
inline namespace ELASTO_BULLET_NAMESPACE {

namespace {

const btCollisionShape& shapeOf(const Approach& approach) {
    return *approach.object->getCollisionShape();
}

btScalar displacementOfSpin(const Approach& approach, btScalar h) {
    return h * approach.spin.length() * shapeOf(approach).getAngularMotionDisc();
}

}  // namespace

Approach Approach::foreseen(const btCollisionObject& object, btScalar h) {
    Approach approach;
    approach.object = &object;
    approach.start = object.getWorldTransform();
    if (isFixed(object)) return approach;
    const BodyMotion motion = motionOf(object);
    approach.velocity = motion.velocity;
    if (const btRigidBody* body = btRigidBody::upcast(&object)) {
        approach.velocity += body->getTotalForce() * (body->getInvMass() * h / 2);
    }
    if (!isBall(*object.getCollisionShape())) approach.spin = motion.spin;
    return approach;
}

btTransform Approach::at(btScalar t) const {
    btTransform pose;
    btTransformUtil::integrateTransform(start, velocity, spin, t, pose);
    return pose;
}

btScalar Approach::way(btScalar h) const {
    return velocity.length() * h + displacementOfSpin(*this, h);
}

btScalar Approach::displacement(const Approach& a, const Approach& b, btScalar h) {
    return (a.velocity - b.velocity).length() * h + displacementOfSpin(a, h) + displacementOfSpin(b, h);
}

btScalar boxDistance(const Approach& a, const Approach& b) {
    btVector3 least[2], most[2];
    shapeOf(a).getAabb(a.start, least[0], most[0]);
    shapeOf(b).getAabb(b.start, least[1], most[1]);
    btVector3 apart(0, 0, 0);
    for (int k = 0; k < 3; ++k)
        apart[k] = btMax(btScalar(0), btMax(least[0][k] - most[1][k], least[1][k] - most[0][k]));
    return apart.length();
}

bool maySweep(const TouchingShape& a, const TouchingShape& b) {
    if (mayBeSearched(a, b)) return true;
    if (a.shape == nullptr || b.shape == nullptr) return false;
    return (a.shape->isConvex() && isSurface(b)) || (b.shape->isConvex() && isSurface(a));
}

namespace {

bool isPlane(const TouchingShape& touching) {
    return touching.shape->getShapeType() == STATIC_PLANE_PROXYTYPE;
}

/// Of two convex shapes, or a convex shape and a plane.
std::optional<Touch> firstTouchOfConvex(const Approach& a, const TouchingShape& shapeA, const Approach& b,
                                        const TouchingShape& shapeB, btScalar h) {
    btVoronoiSimplexSolver simplex;
    btGjkEpaPenetrationDepthSolver depth;
    btConvexCast::CastResult result;
    result.m_fraction = 1;
    const auto cast = [&](const Approach& x, const btTransform& frameX, const Approach& y, const btTransform& frameY,
                          btContinuousConvexCollision collision) {
        return collision.calcTimeOfImpact(x.start * frameX, x.at(h) * frameX, y.start * frameY, y.at(h) * frameY,
                                          result);
    };
    const auto castOnPlane = [&](const Approach& x, const TouchingShape& shape, const Approach& y,
                                 const TouchingShape& plane) {
        return cast(x, shape.frame, y, plane.frame,
                    btContinuousConvexCollision(static_cast<const btConvexShape*>(shape.shape),
                                                static_cast<const btStaticPlaneShape*>(plane.shape)));
    };
    bool hits = false;
    if (!shapeB.shape->isConvex()) {
        hits = castOnPlane(a, shapeA, b, shapeB);
    } else if (!shapeA.shape->isConvex()) {
        hits = castOnPlane(b, shapeB, a, shapeA);
    } else {
        const bool areBoxes = isBox(*shapeA.shape) && isBox(*shapeB.shape);
        const SearchedShape ofA(*shapeA.shape, areBoxes), ofB(*shapeB.shape, areBoxes);
        hits = cast(a, shapeA.frame, b, shapeB.frame,
                    btContinuousConvexCollision(&ofA.shape(), &ofB.shape(), &simplex, &depth));
    }
    if (!hits || !(result.m_fraction > 0) || !(result.m_fraction < 1)) return std::nullopt;
    Touch touch;
    touch.a = shapeA;
    touch.b = shapeB;
    touch.poseA = a.at(result.m_fraction * h);
    touch.poseB = b.at(result.m_fraction * h);
    if (!findNearest(touch)) return std::nullopt;
    touch.time = result.m_fraction * h;
    return touch;
}

std::optional<Touch> firstTouchOnSurface(const Approach& a, const TouchingShape& part, const Approach& b,
                                         const TouchingShape& surface, btScalar h) {
    btVector3 least, most;
    const btTransform from = (b.start * surface.frame).inverse() * a.start * part.frame;
    const btTransform to = (b.at(h) * surface.frame).inverse() * a.at(h) * part.frame;
    part.shape->getAabb(from, least, most);
    btVector3 leastAtEnd, mostAtEnd;
    part.shape->getAabb(to, leastAtEnd, mostAtEnd);
    least.setMin(leastAtEnd);
    most.setMax(mostAtEnd);
    const btScalar turned = displacementOfSpin(a, h) + b.spin.length() * h * from.getOrigin().length();
    const btScalar margin = surface.shape->getMargin() + turned;
    const btVector3 room(margin, margin, margin);
    return leastOnSurface(
        surface, least - room, most + room,
        [&](const TouchingShape& triangle) { return firstTouchOfConvex(a, part, b, triangle, h); }, &Touch::time,
        static_cast<btScalar>(kSameTime) * h);
}

}  // namespace

std::optional<Touch> firstTouch(const Approach& a, const TouchingShape& shapeA, const Approach& b,
                                const TouchingShape& shapeB, btScalar h) {
    if (isSurface(shapeB) && !isPlane(shapeB)) return firstTouchOnSurface(a, shapeA, b, shapeB, h);
    if (isSurface(shapeA) && !isPlane(shapeA)) {
        std::optional<Touch> touch = firstTouchOnSurface(b, shapeB, a, shapeA, h);
        if (touch) touch->swap();
        return touch;
    }
    return firstTouchOfConvex(a, shapeA, b, shapeB, h);
}

std::vector<Touch> firstTouches(const Approach& a, const Approach& b, btScalar h) {
    std::vector<Touch> touches;
    forEachShape(*a.object, [&](const TouchingShape& shapeA, int childA) {
        forEachShape(*b.object, [&](const TouchingShape& shapeB, int childB) {
            if (!maySweep(shapeA, shapeB)) return;
            std::optional<Touch> touch = firstTouch(a, shapeA, b, shapeB, h);
            if (!touch || !hasAllPoints(*touch)) return;
            touch->childA = childA;
            touch->childB = childB;
            touches.push_back(*touch);
        });
    });
    return touches;
}

}  // namespace ELASTO_BULLET_NAMESPACE
}  // namespace elasto
