#include "contacts/contact_touch.h"

#include <BulletCollision/CollisionDispatch/btBoxBoxDetector.h>
#include <BulletCollision/CollisionDispatch/btManifoldResult.h>
#include <BulletCollision/CollisionShapes/btConvexShape.h>
#include <BulletCollision/CollisionShapes/btStaticPlaneShape.h>
#include <BulletCollision/NarrowPhaseCollision/btGjkEpaPenetrationDepthSolver.h>
#include <BulletCollision/NarrowPhaseCollision/btGjkPairDetector.h>
#include <BulletCollision/NarrowPhaseCollision/btPointCollector.h>
#include <BulletCollision/NarrowPhaseCollision/btVoronoiSimplexSolver.h>
#include <BulletDynamics/ConstraintSolver/btContactSolverInfo.h>

#include "contacts/contact_face.h"
#include "contacts/contact_overlap.h"
#include "contacts/contact_pair.h"

namespace elasto {
inline namespace ELASTO_BULLET_NAMESPACE {

namespace {

const btConvexShape& convex(const TouchingShape& touching) {
    return static_cast<const btConvexShape&>(*touching.shape);
}

const btBoxShape& box(const TouchingShape& touching) {
    return static_cast<const btBoxShape&>(*touching.shape);
}

bool isPlane(const btCollisionShape& shape) {
    return shape.getShapeType() == STATIC_PLANE_PROXYTYPE;
}

/// The outward normal of a box's face that is nearest to a direction.
btVector3 boxNormal(const btTransform& pose, const btVector3& outward) {
    const int axis = (outward * pose.getBasis()).absolute().maxAxis();
    const btVector3 normal = pose.getBasis().getColumn(axis);
    return normal.dot(outward) < 0 ? -normal : normal;
}

/// A point of that face.
btVector3 onBox(const TouchingShape& touching, const btTransform& pose, const btVector3& normal) {
    const int axis = (normal * pose.getBasis()).absolute().maxAxis();
    return pose.getOrigin() + box(touching).getHalfExtentsWithMargin()[axis] * normal;
}

/// The normal of nearest points has the rounding of their search, and is that of a face: a thousandth of a radian would
/// let the corners of flat faces touch one after the other.
void straightenBoxes(Touch& touch) {
    const btTransform poseA = touch.shapePoseA(), poseB = touch.shapePoseB();
    const btVector3 ofB = boxNormal(poseB, touch.normal);
    const btVector3 ofA = -boxNormal(poseA, -touch.normal);
    touch.isNormalOfB = ofB.dot(touch.normal) >= ofA.dot(touch.normal);
    const btVector3& normal = touch.isNormalOfB ? ofB : ofA;
    touch.isFlat = normal.dot(touch.normal) >= static_cast<btScalar>(kAlongDirection);
    if (!touch.isFlat) return;
    touch.normal = normal;
    touch.onFace = touch.isNormalOfB ? onBox(touch.b, poseB, normal) : onBox(touch.a, poseA, -normal);
}

/// The face of a shape that looks along a direction, in the world: its normal.
std::optional<btVector3> faceAlong(const TouchingShape& touching, const btTransform& body, const btVector3& outward) {
    if (isBox(*touching.shape)) {
        const btVector3 normal = boxNormal(body * touching.frame, outward);
        if (normal.dot(outward) >= static_cast<btScalar>(kAlongDirection)) return normal;
    }
    const std::optional<btVector3> normal = faceNormal(touching, outward * body.getBasis());
    if (!normal) return std::nullopt;
    return body.getBasis() * *normal;
}

/// True if all that may touch a plane first is known of the shape: its corners, or the ends of its axis.
bool hasEnds(const btCollisionShape& shape) {
    switch (shape.getShapeType()) {
        case BOX_SHAPE_PROXYTYPE:
        case CONVEX_HULL_SHAPE_PROXYTYPE:
        case CAPSULE_SHAPE_PROXYTYPE:
        case CYLINDER_SHAPE_PROXYTYPE:
        case CONE_SHAPE_PROXYTYPE:
            return true;
        default:
            return false;
    }
}

btVector3 farthestAlong(const TouchingShape& touching, const btTransform& pose, const btVector3& outward) {
    return pose(convex(touching).localGetSupportingVertex(outward * pose.getBasis()));
}

/// The same of others, where one of them has a face.
void straighten(Touch& touch) {
    if (isBox(*touch.a.shape) && isBox(*touch.b.shape)) return straightenBoxes(touch);
    if (const auto ofB = faceAlong(touch.b, touch.poseB, touch.normal)) {
        touch.isFlat = touch.isNormalOfB = true;
        touch.normal = *ofB;
        touch.onFace = farthestAlong(touch.b, touch.shapePoseB(), *ofB);
    } else if (const auto ofA = faceAlong(touch.a, touch.poseA, -touch.normal)) {
        touch.isFlat = true;
        touch.isNormalOfB = false;
        touch.normal = -*ofA;
        touch.onFace = farthestAlong(touch.a, touch.shapePoseA(), *ofA);
    }
}

/// The nearest points of a convex shape and a plane.
void findNearestOnPlane(const btConvexShape& a, const btTransform& poseA, const btStaticPlaneShape& b,
                        const btTransform& poseB, Touch& touch) {
    touch.normal = poseB.getBasis() * b.getPlaneNormal();
    const btVector3 lowest = poseA(a.localGetSupportingVertex(-touch.normal * poseA.getBasis()));
    touch.distance = b.getPlaneNormal().dot(poseB.invXform(lowest)) - b.getPlaneConstant();
    touch.pointB = touch.onFace = lowest - touch.distance * touch.normal;
    touch.isFlat = touch.isNormalOfB = true;
}

/// What of a shape may touch the face of the other: the ends of the line on which it lies, or its corners that are over
/// the face, and not too high above it.
std::vector<TouchPlace> placesOnFace(const Touch& touch, btScalar reach) {
    const bool isOnB = touch.isNormalOfB;
    const TouchingShape &shape = isOnB ? touch.a : touch.b, &face = isOnB ? touch.b : touch.a;
    const btTransform &pose = isOnB ? touch.poseA : touch.poseB, &facePose = isOnB ? touch.poseB : touch.poseA;
    const btVector3 up = isOnB ? touch.normal : -touch.normal;
    const btVector3 down = -up * pose.getBasis();
    std::vector<btVector3> corners;
    const auto ends = roundEnds(shape);
    if (const auto line = ends ? ends : lineAt(shape, down)) {
        for (const btVector3& end : *line) {
            const std::optional<Rounding> rounding = roundingAt(shape, end, down);
            if (rounding) corners.push_back(end + rounding->radius * down);
        }
    } else {
        addCorners(shape, down, corners);
    }
    std::vector<TouchPlace> places;
    for (const btVector3& corner : corners) {
        const btVector3 there = pose(corner);
        const btScalar height = (there - touch.onFace).dot(up);
        const btVector3 foot = there - height * up;
        if (height > reach || !isOverFace(face, up * facePose.getBasis(), facePose.invXform(foot))) continue;
        places.push_back(isOnB ? TouchPlace{there, foot} : TouchPlace{foot, there});
    }
    return places;
}

/// How far a is from b along a normal from b to a, no more than their distance.
btScalar separationAlong(const Touch& touch, const btVector3& normal) {
    const btVector3 onA = farthestAlong(touch.a, touch.shapePoseA(), -normal);
    return (onA - farthestAlong(touch.b, touch.shapePoseB(), normal)).dot(normal);
}

/// In single precision the search for the nearest points of a small box and a large one may end with a normal along
/// which they are not apart. Then the face is taken along whose normal they are farthest apart.
void correctBoxes(Touch& touch) {
    if (separationAlong(touch, touch.normal) >= touch.distance - static_cast<btScalar>(kHairline)) return;
    const btTransform poseA = touch.shapePoseA(), poseB = touch.shapePoseB();
    btScalar most = -BT_LARGE_FLOAT;
    for (const btTransform* pose : {&poseA, &poseB}) {
        for (int axis = 0; axis < 3; ++axis) {
            for (const btScalar side : {btScalar(1), btScalar(-1)}) {
                const btVector3 normal = side * pose->getBasis().getColumn(axis);
                const btScalar apart = separationAlong(touch, normal);
                if (apart <= most) continue;
                most = apart;
                touch.normal = normal;
                touch.pointB = pose == &poseB ? farthestAlong(touch.a, poseA, -normal) - apart * normal
                                              : farthestAlong(touch.b, poseB, normal);
            }
        }
    }
    touch.distance = most;
}

/// Where the nearest points are. What the search for them leaves to a face is taken out.
TouchPlace nearestPlace(const Touch& touch) {
    TouchPlace place{touch.pointB + touch.distance * touch.normal, touch.pointB};
    btVector3& onFace = touch.isNormalOfB ? place.onB : place.onA;
    if (touch.isFlat) onFace -= (onFace - touch.onFace).dot(touch.normal) * touch.normal;
    return place;
}

/// What Bullet's detector finds of two boxes.
class FoundPoints : public btDiscreteCollisionDetectorInterface::Result {
public:
    void setShapeIdentifiersA(int /*part*/, int /*index*/) override {}
    void setShapeIdentifiersB(int /*part*/, int /*index*/) override {}
    void addContactPoint(const btVector3& normal, const btVector3& onB, btScalar distance) override {
        m_normal = normal;
        m_places.push_back({onB + distance * normal, onB});
    }
    const btVector3& normal() const { return m_normal; }
    std::vector<TouchPlace>& places() { return m_places; }

private:
    btVector3 m_normal = btVector3(0, 0, 0);
    std::vector<TouchPlace> m_places;
};

/// Corners and edges of two boxes that touch: it sees only what overlaps, so it is shown one of them a hairline inside
/// the other.
std::vector<TouchPlace> edgesOf(Touch& touch) {
    const btVector3 shift = (touch.distance + static_cast<btScalar>(kHairline)) * touch.normal;
    btDiscreteCollisionDetectorInterface::ClosestPointInput input;
    input.m_maximumDistanceSquared = BT_LARGE_FLOAT;
    input.m_transformA = touch.shapePoseA();
    input.m_transformA.getOrigin() -= shift;
    input.m_transformB = touch.shapePoseB();
    btBoxBoxDetector detector(&box(touch.a), &box(touch.b));
    FoundPoints found;
    detector.getClosestPoints(input, found, nullptr);
    if (!(found.normal().dot(touch.normal) > 0)) return {};
    touch.normal = found.normal();
    for (TouchPlace& place : found.places()) place.onA += shift;
    return std::move(found.places());
}

}  // namespace

SearchedShape::SearchedShape(const btCollisionShape& shape, bool isSharp)
    : m_shape(static_cast<const btConvexShape*>(&shape)) {
    if (!isSharp || !isBox(shape)) return;
    m_box.emplace(static_cast<const btBoxShape&>(shape).getHalfExtentsWithMargin());
    const btVector3 half = m_box->getHalfExtentsWithMargin();
    m_box->setMargin(btMin(static_cast<btScalar>(kSharpMargin), half[half.minAxis()] / 2));
}

bool isBall(const btCollisionShape& shape) {
    return shape.getShapeType() == SPHERE_SHAPE_PROXYTYPE;
}

bool isBox(const btCollisionShape& shape) {
    return shape.getShapeType() == BOX_SHAPE_PROXYTYPE;
}

bool mayBeSearched(const TouchingShape& a, const TouchingShape& b) {
    const auto may = [](const TouchingShape& touching) {
        return touching.shape != nullptr && (touching.shape->isConvex() || isPlane(*touching.shape));
    };
    return may(a) && may(b) && !(isPlane(*a.shape) && isPlane(*b.shape));
}

bool areBoxesWithin(const Touch& touch, btScalar reach) {
    btVector3 least[2], most[2];
    touch.a.shape->getAabb(touch.shapePoseA(), least[0], most[0]);
    touch.b.shape->getAabb(touch.shapePoseB(), least[1], most[1]);
    for (int k = 0; k < 3; ++k) {
        if (least[0][k] - most[1][k] > reach || least[1][k] - most[0][k] > reach) return false;
    }
    return true;
}

bool hasAllPoints(const Touch& touch) {
    const btCollisionShape &a = *touch.a.shape, &b = *touch.b.shape;
    if (isBall(a) || isBall(b) || (isBox(a) && isBox(b))) return true;
    return touch.isFlat && hasEnds(*(touch.isNormalOfB ? touch.a : touch.b).shape);
}

bool findNearest(Touch& touch) {
    const btTransform poseA = touch.shapePoseA(), poseB = touch.shapePoseB();
    if (isPlane(*touch.b.shape)) {
        const auto& plane = static_cast<const btStaticPlaneShape&>(*touch.b.shape);
        findNearestOnPlane(convex(touch.a), poseA, plane, poseB, touch);
        return true;
    }
    if (isPlane(*touch.a.shape)) {
        const auto& plane = static_cast<const btStaticPlaneShape&>(*touch.a.shape);
        findNearestOnPlane(convex(touch.b), poseB, plane, poseA, touch);
        touch.pointB += touch.distance * touch.normal;
        touch.normal = -touch.normal;
        touch.isNormalOfB = false;
        return true;
    }
    btVoronoiSimplexSolver simplex;
    btGjkEpaPenetrationDepthSolver depth;
    const bool areBoxes = isBox(*touch.a.shape) && isBox(*touch.b.shape);
    const SearchedShape a(*touch.a.shape, areBoxes), b(*touch.b.shape, areBoxes);
    btGjkPairDetector detector(&a.shape(), &b.shape(), &simplex, &depth);
    btGjkPairDetector::ClosestPointInput input;
    input.m_transformA = poseA;
    input.m_transformB = poseB;
    btPointCollector nearest;
    detector.getClosestPoints(input, nearest, nullptr);
    touch.pointB = nearest.m_pointInWorld;
    touch.normal = nearest.m_normalOnBInWorld;
    touch.distance = nearest.m_distance;
    if (nearest.m_hasResult && areBoxes) correctBoxes(touch);
    if (nearest.m_hasResult) straighten(touch);
    return nearest.m_hasResult;
}

std::vector<TouchPlace> facesOf(const Touch& touch) {
    const btVector3& normal = touch.normal;
    const std::vector<btVector3> corners = touch.isNormalOfB
                                               ? overlapCorners(touch.a, touch.poseA, touch.b, touch.poseB, -normal)
                                               : overlapCorners(touch.b, touch.poseB, touch.a, touch.poseA, normal);
    std::vector<TouchPlace> places;
    for (const btVector3& corner : corners) {
        const btVector3 foot = corner - (corner - touch.onFace).dot(normal) * normal;
        places.push_back(touch.isNormalOfB ? TouchPlace{corner, foot} : TouchPlace{foot, corner});
    }
    return places;
}

std::vector<TouchPlace> placesOf(Touch& touch, btScalar reach) {
    const btCollisionShape& a = *touch.a.shape;
    const btCollisionShape& b = *touch.b.shape;
    std::vector<TouchPlace> places;
    if (isBox(a) && isBox(b)) {
        if (touch.isFlat) places = facesOf(touch);
        if (places.empty() && touch.isFlat) places = placesOnFace(touch, reach);
        if (places.empty()) places = edgesOf(touch);
    } else if (touch.isFlat && !isBall(a) && !isBall(b)) {
        places = placesOnFace(touch, reach);
    }
    if (places.empty()) places.push_back(nearestPlace(touch));
    return places;
}

btManifoldPoint manifoldPoint(const btCollisionObject& a, const btCollisionObject& b, const Touch& touch,
                              const TouchPlace& place) {
    // The normal goes along with the face that has it; the flow looks at the bodies as they start.
    const bool isOfA = touch.isFlat && !touch.isNormalOfB;
    const btMatrix3x3& now = (isOfA ? a : b).getWorldTransform().getBasis();
    const btVector3 normal = now * (touch.normal * (isOfA ? touch.poseA : touch.poseB).getBasis());
    const btVector3 inA = touch.poseA.invXform(place.onA);
    const btVector3 inB = touch.poseB.invXform(place.onB);
    const btScalar gap = normal.dot(a.getWorldTransform()(inA) - b.getWorldTransform()(inB));
    btManifoldPoint point(inA, inB, normal, gap);
    point.m_index0 = touch.childA;
    point.m_index1 = touch.childB;
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

ContactPoint* addPoint(btPersistentManifold& manifold, const Touch& touch, const TouchPlace& place,
                       const btContactSolverInfo& info, std::vector<ContactPoint>& points) {
    // Bullet, which has made its rows by now, takes it for a point that is still open: the impulse is told there, and
    // its next look at the pair follows it or drops it.
    btManifoldPoint own = manifoldPoint(*manifold.getBody0(), *manifold.getBody1(), touch, place);
    const bool hasRoom = manifold.getNumContacts() < MANIFOLD_CACHE_SIZE;
    btManifoldPoint& point = hasRoom ? manifold.getContactPoint(manifold.addManifoldPoint(own, true)) : own;
    std::optional<ContactPoint> found = contactPoint(manifold, point, info, poseOf(manifold));
    if (!found) return nullptr;
    if (!hasRoom) found->point = nullptr;
    found->contact.offset = static_cast<double>(info.m_linearSlop);  // Bullet has measured nothing
    points.push_back(*found);
    return &points.back();
}

}  // namespace ELASTO_BULLET_NAMESPACE
}  // namespace elasto
