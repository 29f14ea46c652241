#include "contacts/contact_corners.h"

#include <BulletCollision/CollisionDispatch/btCollisionObject.h>
#include <BulletCollision/CollisionShapes/btCollisionShape.h>
#include <BulletCollision/NarrowPhaseCollision/btPersistentManifold.h>
#include <BulletDynamics/ConstraintSolver/btContactSolverInfo.h>

#include <algorithm>
#include <cmath>
#include <span>

#include "contacts/approach.h"
#include "contacts/contact_face.h"
#include "contacts/contact_overlap.h"
#include "contacts/contact_pair_points.h"
#include "contacts/contact_shape.h"
#include "contacts/contact_touch.h"
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

TouchingShape touchingCorner(const ContactPoint& point) {
    return touchingShape(point.contact.isVertexOnA ? *point.bodyA : *point.bodyB, point.vertexChild());
}

// The ends of a capsule are its corners; what else is round has none.
bool hasCorners(const ContactPoint& point) {
    return point.contact.radius == 0 || roundEnds(touchingCorner(point)).has_value();
}

// What rests as Bullet left it stands on the places that Bullet had.
bool touchesFace(const ContactPoint& point) {
    const TouchingShape face = touchingFace(point);
    return !point.rest.isKnown && hasCorners(point) && std::isinf(point.contact.stiffness) && face.shape != nullptr &&
           (isSurface(face) || faceNormal(face, outwardOf(point)));
}

bool areBoxes(const ContactPoint& point) {
    const btCollisionShape *corners = touchingCorner(point).shape, *face = touchingFace(point).shape;
    return corners != nullptr && face != nullptr && isBox(*corners) && isBox(*face);
}

constexpr std::size_t kPointsOfBullet = MANIFOLD_CACHE_SIZE;

bool haveAllBorne(std::span<const ContactPoint> pair) {
    return std::all_of(pair.begin(), pair.end(), [](const ContactPoint& point) { return point.hasBorne(); });
}

// Of the same shape on the same face.
bool isAlike(const ContactPoint& x, const ContactPoint& y) {
    return x.contact.isVertexOnA == y.contact.isVertexOnA && x.vertexChild() == y.vertexChild() &&
           x.contact.normal.dot(y.contact.normal) > kSameNormal;
}

// Of what is deep in a mesh Bullet finds triangles from above and from below: where it should be nobody knows.
bool isOnBothSides(std::span<const ContactPoint> pair) {
    const btVector3 first = normalOf(pair.front());
    return std::any_of(pair.begin(), pair.end(),
                       [&](const ContactPoint& point) { return normalOf(point).dot(first) < 0; });
}

}  // namespace

// Of two boxes: the corners of where their faces lie over each other.
void FaceCorners::findOfBoxes(const ContactPoint& like) {
    Touch touch;
    touch.childA = like.childA;
    touch.childB = like.childB;
    touch.a = touchingShape(*like.bodyA, like.childA);
    touch.b = touchingShape(*like.bodyB, like.childB);
    touch.poseA = like.bodyA->getWorldTransform();
    touch.poseB = like.bodyB->getWorldTransform();
    touch.isNormalOfB = like.contact.isVertexOnA;
    touch.normal = normalOf(like);
    touch.onFace = ownerOf(like).getWorldTransform() * toBullet(like.contact.planePoint);
    m_corners.clear();
    for (const TouchPlace& place : facesOf(touch)) {
        btPersistentManifold none(like.bodyA, like.bodyB, 0, 0, BT_LARGE_FLOAT);
        addPoint(none, touch, place, *m_info, m_corners);
    }
}

// Of others: all of the shape that a point is of, which are over the face.
void FaceCorners::findOverFace(const ContactPoint& like) {
    const btCollisionObject& body = like.contact.isVertexOnA ? *like.bodyA : *like.bodyB;
    const btTransform& ownerPose = ownerOf(like).getWorldTransform();
    const Eigen::Vector3d& normal = like.contact.normal;
    const btVector3 outward = outwardOf(like);
    const btVector3 down = -(ownerPose.getBasis() * outward);
    m_corners.clear();
    const auto add = [&](const btVector3& vertex, bool isOver) {
        ContactPoint corner = like;
        corner.contact.offset += like.hairline;  // which is that point's alone
        corner.hairline = 0;
        corner.contact.vertex = toEigen(vertex);
        const Eigen::Vector3d over = toEigen(ownerPose.invXform(body.getWorldTransform() * vertex));
        corner.anchor = over - normal.dot(over - like.contact.planePoint) * normal;
        if (isOver || isOverFace(touchingFace(like), outward, toBullet(corner.anchor))) m_corners.push_back(corner);
    };
    if (const auto ends = roundEnds(touchingCorner(like))) {
        for (const btVector3& end : *ends) add(end, false);
        return;
    }
    m_all.clear();
    addCorners(touchingCorner(like), down * body.getWorldTransform().getBasis(), m_all);
    for (const btVector3& vertex : m_all) add(vertex, false);
    if (!m_corners.empty()) return;
    // Of a box that lies across a narrow one, where the edges of the two cross.
    for (const btVector3& crossing :
         overlapCorners(touchingCorner(like), body.getWorldTransform(), touchingFace(like), ownerPose, down, true)) {
        add(body.getWorldTransform().invXform(crossing), true);
    }
}

// By which the bodies come nearer within the tick if they go on as they do.
double FaceCorners::displacementOf(const ContactPoint& like) const {
    const btScalar h = m_info->m_timeStep;
    return static_cast<double>(
        Approach::displacement(Approach::foreseen(*like.bodyA, h), Approach::foreseen(*like.bodyB, h), h));
}

// As near as Bullet would report them.
void FaceCorners::findNear(const ContactPoint& like, bool hasBorne) {
    const btCollisionObject& body = like.contact.isVertexOnA ? *like.bodyA : *like.bodyB;
    auto reach = static_cast<double>(body.getCollisionShape()->getContactBreakingThreshold(gContactBreakingThreshold));
    m_corners.clear();
    if (areBoxes(like)) findOfBoxes(like);
    if (m_corners.empty()) {
        findOverFace(like);
        // What stands on a corner, or an edge, falls on others: nothing else finds those within the tick. What is
        // pressed in deep does not fall.
        const bool isDeep = gapOf(like.contact, poseOf(*like.bodyA), poseOf(*like.bodyB)) < -kNearlyClosed;
        const double further = isDeep ? 0 : kFallsFurther * displacementOf(like);
        reach = areBoxes(like) ? further : std::max(reach, further);
    }
    m_near.clear();
    for (std::size_t i = 0; i < m_corners.size(); ++i) {
        Corner corner{m_corners[i], 0, i};
        corner.gap = gapOf(corner.point.contact, poseOf(*like.bodyA), poseOf(*like.bodyB));
        if (corner.gap > reach) continue;
        corner.point.impulse = 0;
        corner.point.point = nullptr;
        if (hasBorne) closeHairline(corner.point);
        m_near.push_back(corner);
    }
    std::sort(m_near.begin(), m_near.end(),
              [](const Corner& x, const Corner& y) { return x.gap < y.gap || (x.gap == y.gap && x.index < y.index); });
}

void FaceCorners::findMissing(std::span<const ContactPoint> pair) {
    const bool hasBorne =
        std::any_of(pair.begin(), pair.end(), [](const ContactPoint& point) { return point.hasBorne(); });
    const double nearest = samePlace(pair.front());
    m_present.assign(pair.begin(), pair.end());
    for (std::size_t i = 0; i < pair.size(); ++i) {
        const auto isLikeThis = [&](const ContactPoint& other) { return isAlike(other, pair[i]); };
        const bool isFirst = std::none_of(pair.begin(), pair.begin() + static_cast<std::ptrdiff_t>(i), isLikeThis);
        if (!isFirst || !touchesFace(pair[i])) continue;
        // Of two boxes Bullet keeps four: what stands on so many that all bear does not tip.
        if (areBoxes(pair[i]) && pair.size() >= kPointsOfBullet && haveAllBorne(pair)) continue;
        findNear(pair[i], hasBorne);
        for (const Corner& corner : m_near) {
            if (m_present.size() == kMostPointsOfPair) return;
            if (isThere(corner.point, m_present, nearest)) continue;
            m_present.push_back(corner.point);
            m_added.push_back(corner.point);
        }
    }
}

std::span<const ContactPoint> FaceCorners::addTo(std::vector<ContactPoint>& points, const btContactSolverInfo& info) {
    m_info = &info;
    m_added.clear();
    for (std::size_t begin = 0, end = 0; begin < points.size(); begin = end) {
        end = endOfPair(points, begin);
        const std::span<const ContactPoint> pair(&points[begin], end - begin);
        if (std::any_of(pair.begin(), pair.end(), touchesFace) && !isOnBothSides(pair)) findMissing(pair);
    }
    if (m_added.empty()) return m_added;
    points.insert(points.end(), m_added.begin(), m_added.end());
    std::sort(points.begin(), points.end(), inOrder);
    return m_added;
}

}  // namespace ELASTO_BULLET_NAMESPACE
}  // namespace elasto
