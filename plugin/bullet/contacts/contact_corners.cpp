#include "contacts/contact_corners.h"

#include <BulletCollision/CollisionDispatch/btCollisionObject.h>
#include <BulletCollision/CollisionShapes/btCollisionShape.h>
#include <BulletCollision/NarrowPhaseCollision/btPersistentManifold.h>

#include <algorithm>
#include <cmath>
#include <span>

#include "contacts/contact_face.h"
#include "contacts/contact_pair_points.h"
#include "contacts/contact_shape.h"
#include "contacts/group_contacts.h"
#include "host/conversion.h"

namespace elasto {
inline namespace ELASTO_BULLET_NAMESPACE {

namespace {

const btCollisionObject& ownerOf(const ContactPoint& point) {
    return point.contact.isVertexOnA ? *point.bodyB : *point.bodyA;
}

TouchingShape touchingFace(const ContactPoint& point) {
    return touchingShape(ownerOf(point), point.contact.isVertexOnA ? point.childB : point.childA);
}

// Towards the body whose corners are there, in the owner's frame.
btVector3 outwardOf(const ContactPoint& point) {
    return toBullet(point.contact.isVertexOnA ? point.contact.normal : Eigen::Vector3d(-point.contact.normal));
}

bool isBox(const TouchingShape& touching) {
    return touching.shape != nullptr && touching.shape->getShapeType() == BOX_SHAPE_PROXYTYPE;
}

TouchingShape touchingCorner(const ContactPoint& point) {
    return touchingShape(point.contact.isVertexOnA ? *point.bodyA : *point.bodyB, point.vertexChild());
}

// Of boxes on each other Bullet finds all corners.
bool isOnGround(const ContactPoint& point) {
    const TouchingShape face = touchingFace(point);
    return ownerOf(point).isStaticObject() && point.contact.radius == 0 && std::isinf(point.contact.stiffness) &&
           !point.rest.isKnown && face.shape != nullptr && !(isBox(face) && isBox(touchingCorner(point))) &&
           (isSurface(face) || faceNormal(face, outwardOf(point)));
}

// Of the same shape on the same face.
bool isAlike(const ContactPoint& x, const ContactPoint& y) {
    return x.contact.isVertexOnA == y.contact.isVertexOnA && x.vertexChild() == y.vertexChild() &&
           x.contact.normal.dot(y.contact.normal) > kSameNormal;
}

// Of what is deep in a mesh Bullet finds triangles from above and from below: where it should be nobody knows.
bool isOnBothSides(std::span<const ContactPoint> pair) {
    return std::any_of(pair.begin(), pair.end(),
                       [&](const ContactPoint& point) { return outwardOf(point).dot(outwardOf(pair.front())) < 0; });
}

}  // namespace

// Of the shape that a point is of, as far as Bullet would report them.
void GroundCorners::findNear(const ContactPoint& like, bool hasBorne) {
    const btCollisionObject& body = like.contact.isVertexOnA ? *like.bodyA : *like.bodyB;
    const TouchingShape face = touchingFace(like);
    const btTransform& ownerPose = ownerOf(like).getWorldTransform();
    const Eigen::Vector3d& normal = like.contact.normal;
    const btVector3 outward = outwardOf(like);
    const btVector3 down = -(ownerPose.getBasis() * outward) * body.getWorldTransform().getBasis();
    const auto reach =
        static_cast<double>(body.getCollisionShape()->getContactBreakingThreshold(gContactBreakingThreshold));
    m_all.clear();
    m_near.clear();
    addCorners(touchingCorner(like), down, m_all);
    for (std::size_t i = 0; i < m_all.size(); ++i) {
        Corner corner{like, 0, i};
        FlowContact& contact = corner.point.contact;
        contact.vertex = toEigen(m_all[i]);
        corner.gap = gapOf(contact, poseOf(*like.bodyA), poseOf(*like.bodyB));
        if (corner.gap > reach) continue;
        const Eigen::Vector3d over = toEigen(ownerPose.invXform(body.getWorldTransform() * m_all[i]));
        corner.point.anchor = over - normal.dot(over - contact.planePoint) * normal;
        if (!isOverFace(face, outward, toBullet(corner.point.anchor))) continue;
        corner.point.impulse = 0;
        corner.point.point = nullptr;
        if (hasBorne) closeHairline(corner.point);
        m_near.push_back(corner);
    }
    std::sort(m_near.begin(), m_near.end(),
              [](const Corner& x, const Corner& y) { return x.gap < y.gap || (x.gap == y.gap && x.index < y.index); });
}

void GroundCorners::findMissing(std::span<const ContactPoint> pair) {
    const bool hasBorne =
        std::any_of(pair.begin(), pair.end(), [](const ContactPoint& point) { return point.hasBorne(); });
    const double nearest = samePlace(pair.front());
    m_present.assign(pair.begin(), pair.end());
    for (std::size_t i = 0; i < pair.size(); ++i) {
        const auto isLikeThis = [&](const ContactPoint& other) { return isAlike(other, pair[i]); };
        const bool isFirst = std::none_of(pair.begin(), pair.begin() + static_cast<std::ptrdiff_t>(i), isLikeThis);
        if (!isFirst || !isOnGround(pair[i])) continue;
        findNear(pair[i], hasBorne);
        for (const Corner& corner : m_near) {
            if (m_present.size() == kMostPointsOfPair) return;
            if (isThere(corner.point, m_present, nearest)) continue;
            m_present.push_back(corner.point);
            m_added.push_back(corner.point);
        }
    }
}

std::span<const ContactPoint> GroundCorners::addTo(std::vector<ContactPoint>& points) {
    m_added.clear();
    for (std::size_t begin = 0, end = 0; begin < points.size(); begin = end) {
        end = endOfPair(points, begin);
        const std::span<const ContactPoint> pair(&points[begin], end - begin);
        if (std::any_of(pair.begin(), pair.end(), isOnGround) && !isOnBothSides(pair)) findMissing(pair);
    }
    if (m_added.empty()) return m_added;
    points.insert(points.end(), m_added.begin(), m_added.end());
    std::sort(points.begin(), points.end(), inOrder);
    return m_added;
}

}  // namespace ELASTO_BULLET_NAMESPACE
}  // namespace elasto
