#include "contacts/approach.h"
#include "contacts/tuning.h"
#include "host/body_motion.h"

#include <BulletCollision/CollisionShapes/btConcaveShape.h>
#include <BulletCollision/CollisionShapes/btConvexShape.h>
#include <BulletCollision/CollisionShapes/btStaticPlaneShape.h>
#include <BulletCollision/CollisionShapes/btTriangleCallback.h>
#include <BulletCollision/CollisionShapes/btTriangleShape.h>
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

/// The triangles of a surface within a box, each swept against; the first that is touched is kept. Where the same part
/// comes to an edge and to the triangle beside it, as it does on a flat surface, it is the triangle.
class TriangleSweep : public btTriangleCallback {
public:
    TriangleSweep(const Approach& body, const TouchingShape& part, const Approach& surfaceBody,
                  const TouchingShape& surface, btScalar h)
        : m_body(body), m_part(part), m_surfaceBody(surfaceBody), m_surface(surface), m_h(h) {}

    void processTriangle(btVector3* corners, int /*part*/, int /*index*/) override {
        btTriangleShape triangle(corners[0], corners[1], corners[2]);
        triangle.setMargin(m_surface.shape->getMargin());
        const TouchingShape shape{&triangle, m_surface.frame};
        std::optional<Touch> touch = firstTouchOfConvex(m_body, m_part, m_surfaceBody, shape, m_h);
        if (!touch) return;
        touch->b = m_surface;
        const bool isFace = touch->isFlat && touch->isNormalOfB;
        std::optional<Touch>& first = isFace ? m_face : m_edge;
        if (!first || touch->time < first->time) first = touch;
    }

    std::optional<Touch> first() const {
        if (!m_edge || (m_face && m_face->time <= m_edge->time + static_cast<btScalar>(kSameTime) * m_h)) return m_face;
        return m_edge;
    }

private:
    const Approach& m_body;
    const TouchingShape& m_part;
    const Approach& m_surfaceBody;
    const TouchingShape& m_surface;
    btScalar m_h;
    std::optional<Touch> m_face, m_edge;
};

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
    TriangleSweep sweep(a, part, b, surface, h);
    static_cast<const btConcaveShape*>(surface.shape)->processAllTriangles(&sweep, least - room, most + room);
    return sweep.first();
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
