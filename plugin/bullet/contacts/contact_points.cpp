#include "contacts/contact_points.h"

#include <BulletCollision/CollisionDispatch/btCollisionObject.h>
#include <BulletCollision/CollisionShapes/btBoxShape.h>
#include <BulletCollision/CollisionShapes/btCollisionShape.h>
#include <BulletCollision/NarrowPhaseCollision/btPersistentManifold.h>
#include <BulletDynamics/ConstraintSolver/btContactSolverInfo.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "contacts/contact_edge.h"
#include "contacts/contact_pair.h"
#include "contacts/contact_shape.h"
#include "contacts/contact_touch.h"
#include "contacts/tuning.h"
#include "host/body_motion.h"
#include "host/conversion.h"

namespace elasto {
inline namespace ELASTO_BULLET_NAMESPACE {

namespace {

btVector3 inBody(const btCollisionObject& body, const btVector3& direction) {
    return direction * body.getWorldTransform().getBasis();
}

// Null for other shapes.
const btBoxShape* boxIn(const TouchingShape& touching) {
    const bool isOne = touching.shape != nullptr && isBox(*touching.shape);
    return isOne ? static_cast<const btBoxShape*>(touching.shape) : nullptr;
}

// Bullet keeps a point's normal as it was in the world when the point was found, while the bodies turn: within a box's
// face it is that of the face.
std::optional<btVector3> faceAround(const TouchingShape& touching, const btVector3& point, const btVector3& outward) {
    const btBoxShape* box = boxIn(touching);
    if (box == nullptr) return std::nullopt;
    const btVector3 half = box->getHalfExtentsWithMargin();
    const btVector3 local = touching.frame.invXform(point);
    const btVector3 direction = outward * touching.frame.getBasis();
    const int axis = direction.absolute().maxAxis();
    for (int k = 0; k < 3; ++k) {
        const btScalar beyond = btFabs(local[k]) - half[k];
        const bool isWithin = beyond < -kFlat * half[k];
        if (k == axis ? btFabs(beyond) > kOnTriangle : !isWithin) return std::nullopt;
    }
    btVector3 normal(0, 0, 0);
    normal[axis] = local[axis] < 0 ? btScalar(-1) : btScalar(1);
    return touching.frame.getBasis() * normal;
}

// @param isRounded by Bullet's margin, as what is not a box sees it
ContactBox boxOf(const TouchingShape& touching, bool isRounded) {
    ContactBox box;
    const btBoxShape* shape = boxIn(touching);
    if (shape == nullptr) return box;
    const btVector3 half = isRounded ? shape->getHalfExtentsWithoutMargin() : shape->getHalfExtentsWithMargin();
    if (!(half[half.minAxis()] > 0)) return box;
    box.centre = toEigen(touching.frame.getOrigin());
    for (int k = 0; k < 3; ++k) box.half.col(k) = toEigen(half[k] * touching.frame.getBasis().getColumn(k));
    box.rounding = isRounded ? static_cast<double>(shape->getMargin()) : 0;
    return box;
}

// What is round about an axis does not end where its points are: along its axis a box goes on.
// @return false if no edge of the box is parallel to it
bool lengthenAlong(const Eigen::Vector3d& axis, ContactBox& box) {
    for (Eigen::Index k = 0; k < 3; ++k) {
        const double length = box.half.col(k).norm();
        if (std::abs(axis.dot(box.half.col(k))) < kAlongDirection * length) continue;
        box.half.col(k) *= kEndless / length;
        return true;
    }
    return false;
}

// One of the two bodies where they touch, in its own frame.
struct Side {
    const btCollisionObject& body;
    TouchingShape touching;
    btVector3 point;
    btVector3 outward;
    std::optional<Rounding> rounding;
    std::optional<btVector3> face;
    bool isInside = false;  // of a box's face, not on its edge

    Side(const btCollisionObject& its, int index, const btVector3& where, const btVector3& outwardInWorld)
        : body(its),
          touching(touchingShape(its, index)),
          point(where),
          outward(inBody(its, outwardInWorld)),
          rounding(roundingAt(touching, where, outward)),
          face(faceNormal(touching, outward)) {}
};

// Direction of the edge of a box that a point is on, in the body's frame: not of one that is on a face, or a corner.
std::optional<btVector3> edgeAt(const Side& side) {
    const btBoxShape* box = boxIn(side.touching);
    if (box == nullptr) return std::nullopt;
    const btVector3 half = box->getHalfExtentsWithMargin();
    const btVector3 local = side.touching.frame.invXform(side.point);
    int along = -1, ends = 0;
    for (int k = 0; k < 3; ++k) {
        const btScalar beyond = btFabs(local[k]) - half[k];
        if (beyond > kOnTriangle) return std::nullopt;
        if (beyond < -kOnTriangle) along = k;
        ends += beyond < -kOnTriangle ? 0 : 1;
    }
    if (ends != 2) return std::nullopt;
    return side.touching.frame.getBasis().getColumn(along);
}

// Where two edges cross the normal is at right angles to both, wherever they have turned since Bullet found it.
void turnToEdges(Side& a, Side& b) {
    const std::optional<btVector3> ofA = edgeAt(a), ofB = edgeAt(b);
    if (!ofA || !ofB) return;
    const btMatrix3x3 &basisA = a.body.getWorldTransform().getBasis(), &basisB = b.body.getWorldTransform().getBasis();
    btVector3 normal = (basisA * *ofA).cross(basisB * *ofB);
    if (!(normal.length() > static_cast<btScalar>(kCrossing))) return;
    normal.normalize();
    const btScalar toA = normal.dot(basisB * b.outward);
    if (!(btFabs(toA) > static_cast<btScalar>(kStillNormal))) return;  // another pair of faces
    if (toA < 0) normal = -normal;
    a.outward = -normal * basisA;
    b.outward = normal * basisB;
    for (Side* side : {&a, &b}) side->face = faceNormal(side->touching, side->outward);
}

// Without the margin all round the body.
btVector3 onSurface(const Side& side) {
    return isSurface(side.touching) ? side.point - side.touching.shape->getMargin() * side.outward : side.point;
}

bool hasVertexA(const Side& a, const Side& b) {
    if (a.rounding.has_value() != b.rounding.has_value()) return a.rounding.has_value();
    if (a.rounding) return !a.body.isStaticOrKinematicObject();
    if (isSurface(a.touching) != isSurface(b.touching)) return isSurface(b.touching);
    if (boxIn(a.touching) && boxIn(b.touching) && a.isInside != b.isInside) return b.isInside;
    if (a.face.has_value() != b.face.has_value()) return b.face.has_value();
    const bool isCornerA = isCorner(a.touching, a.point, a.outward);
    const bool isCornerB = isCorner(b.touching, b.point, b.outward);
    if (a.face && isCornerA != isCornerB) return isCornerA;
    return !a.body.isStaticOrKinematicObject();
}

// The spring and damper that stand for a contact's softness; without both for one that is rigid.
struct Softness {
    double stiffness = std::numeric_limits<double>::infinity();
    double damping = 0;
};

// With an impulse p Bullet's row asks for v + CFM p/h = -ERP x/h at the end velocity v, for a depth -x: that is the
// spring k = ERP/(h CFM) with the damper d = (1 - ERP)/CFM, taken implicitly.
// Empty if there is no spring that stands for the row.
std::optional<Softness> softnessOf(const btManifoldPoint& point, const btContactSolverInfo& info) {
    constexpr int kOwnRow = BT_CONTACT_FLAG_HAS_CONTACT_CFM | BT_CONTACT_FLAG_HAS_CONTACT_ERP;
    const int flags = point.m_contactPointFlags;
    if ((flags & kOwnRow) == 0 && (flags & BT_CONTACT_FLAG_CONTACT_STIFFNESS_DAMPING) != 0) {
        const Softness soft{static_cast<double>(point.m_combinedContactStiffness1),
                            static_cast<double>(point.m_combinedContactDamping1)};
        if (!(soft.stiffness > 0 && soft.damping >= 0)) return std::nullopt;
        return soft;
    }
    const double cfm =
        static_cast<double>((flags & BT_CONTACT_FLAG_HAS_CONTACT_CFM) != 0 ? point.m_contactCFM : info.m_globalCfm);
    const double erp =
        static_cast<double>((flags & BT_CONTACT_FLAG_HAS_CONTACT_ERP) != 0 ? point.m_contactERP : info.m_erp2);
    if (!(cfm > 0)) return Softness{};
    if (!(erp > 0 && erp <= 1)) return std::nullopt;
    return Softness{erp / (static_cast<double>(info.m_timeStep) * cfm), (1 - erp) / cfm};
}

void setFriction(const btManifoldPoint& point, const btContactSolverInfo& info, FlowContact& contact) {
    contact.friction = std::max(0.0, static_cast<double>(point.m_combinedFriction));
    if (point.m_combinedRollingFriction > 0) {
        contact.rollingFriction = static_cast<double>(point.m_combinedRollingFriction);
        contact.spinningFriction = std::max(0.0, static_cast<double>(point.m_combinedSpinningFriction));
    }
    if (hasUsersDirections(point, info)) {
        contact.surfaceVelocity = static_cast<double>(point.m_contactMotion1) * toEigen(point.m_lateralFrictionDir1);
        if ((info.m_solverMode & SOLVER_USE_2_FRICTION_DIRECTIONS) != 0) {
            contact.surfaceVelocity +=
                static_cast<double>(point.m_contactMotion2) * toEigen(point.m_lateralFrictionDir2);
        }
    }
}

btVector3 velocityAt(const Side& side) {
    return motionOf(side.body).at(side.body.getWorldTransform().getBasis() * side.point);
}

// How far the bodies came closer in the last tick, by their velocities now.
double lastApproach(const btManifoldPoint& point, const Side& a, const Side& b, double h) {
    return -h * static_cast<double>(point.m_normalWorldOnB.dot(velocityAt(a) - velocityAt(b)));
}

double slipBetween(const Side& a, const Side& b) {
    return static_cast<double>((velocityAt(a) - velocityAt(b)).length());
}

double spinOf(const Side& side) {
    return static_cast<double>(motionOf(side.body).spin.length());
}

bool areOpposite(const Side& a, const Side& b) {
    const btVector3 ofA = a.body.getWorldTransform().getBasis() * *a.face;
    const btVector3 ofB = b.body.getWorldTransform().getBasis() * *b.face;
    return -ofA.dot(ofB) >= static_cast<btScalar>(kAlongDirection);
}

// Boxes beside whose edges the contact may get within the tick.
void addBoxes(const Side& vertex, const Side& owner, const PairPose& pose, double h, FlowContact& contact) {
    if (contact.radius > 0) {
        contact.ownerBox = boxOf(owner.touching, true);
        if (!contact.ownerBox.isKnown()) return;
        const Eigen::Vector3d axis = toEigen(owner.body.getWorldTransform().getBasis().transpose() *
                                             (vertex.body.getWorldTransform().getBasis() * vertex.rounding->axis));
        if (!axis.isZero(0) && !lengthenAlong(axis, contact.ownerBox)) contact.ownerBox = ContactBox();
        faceVertex(contact, pose.a, pose.b);
    } else if (vertex.face && owner.face && areOpposite(vertex, owner)) {
        contact.ownerBox = boxOf(owner.touching, false);
        contact.vertexBox = boxOf(vertex.touching, false);
        const double far = kNearEdge + kNearEdgeSlides * h * slipBetween(vertex, owner);
        if (!contact.areFaces() || faceOverlap(contact, pose.a, pose.b) > far) {
            contact.ownerBox = contact.vertexBox = ContactBox();
        }
    }
}

void closeHairline(ContactPoint& point, double gap) {
    const bool isRigid = std::isinf(point.contact.stiffness);
    if (!isRigid || !(gap > 0 && gap < kHairline)) return;
    point.contact.offset -= gap;
    point.hairline += gap;
}

}  // namespace

bool hasUsersDirections(const btManifoldPoint& point, const btContactSolverInfo& info) {
    return (info.m_solverMode & SOLVER_ENABLE_FRICTION_DIRECTION_CACHING) != 0 &&
           (point.m_contactPointFlags & BT_CONTACT_FLAG_LATERAL_FRICTION_INITIALIZED) != 0;
}

bool isSolvable(const btPersistentManifold& manifold, const btManifoldPoint& point, const btContactSolverInfo& info) {
    constexpr int kAnyFriction =
        btCollisionObject::CF_ANISOTROPIC_FRICTION | btCollisionObject::CF_ANISOTROPIC_ROLLING_FRICTION;
    return (point.m_contactPointFlags & BT_CONTACT_FLAG_FRICTION_ANCHOR) == 0 &&
           !manifold.getBody0()->hasAnisotropicFriction(kAnyFriction) &&
           !manifold.getBody1()->hasAnisotropicFriction(kAnyFriction) &&
           !(hasUsersDirections(point, info) && point.m_frictionCFM != 0) && softnessOf(point, info).has_value();
}

std::optional<ContactPoint> contactPoint(const btPersistentManifold& manifold, btManifoldPoint& point,
                                         const btContactSolverInfo& info) {
    return contactPoint(manifold, point, info, poseOf(manifold));
}

std::optional<ContactPoint> contactPoint(const btPersistentManifold& manifold, btManifoldPoint& point,
                                         const btContactSolverInfo& info, const PairPose& pose) {
    if (!isSolvable(manifold, point, info)) return std::nullopt;
    Side a(*manifold.getBody0(), point.m_index0, point.m_localPointA, -point.m_normalWorldOnB);
    Side b(*manifold.getBody1(), point.m_index1, point.m_localPointB, point.m_normalWorldOnB);
    const bool isMoving = slipBetween(a, b) > kStill || spinOf(a) > kStillSpin || spinOf(b) > kStillSpin;
    for (Side* side : {&a, &b}) {
        const auto around = faceAround(side->touching, side->point, side->outward);
        side->isInside = around.has_value();
        if (around && isMoving) side->face = around;
    }
    if (!a.isInside && !b.isInside) turnToEdges(a, b);
    ContactPoint result;
    result.bodyA = const_cast<btCollisionObject*>(manifold.getBody0());
    result.bodyB = const_cast<btCollisionObject*>(manifold.getBody1());
    result.childA = point.m_index0;
    result.childB = point.m_index1;
    result.point = &point;
    FlowContact& contact = result.contact;
    contact.isVertexOnA = hasVertexA(a, b);
    const Side& vertex = contact.isVertexOnA ? a : b;
    const Side& owner = contact.isVertexOnA ? b : a;
    contact.vertex = toEigen(vertex.rounding ? vertex.rounding->centre : vertex.point);
    contact.radius = vertex.rounding ? static_cast<double>(vertex.rounding->radius) : 0;
    contact.planePoint = toEigen(owner.point);
    const double side = contact.isVertexOnA ? 1 : -1;
    contact.normal = side * toEigen(owner.face.value_or(owner.outward)).normalized();
    if (!(contact.normal.squaredNorm() > 0.5)) return std::nullopt;  // degenerate triangles have none
    if (owner.rounding && !owner.face) {
        contact.planePoint = toEigen(owner.rounding->lowest);
        contact.normal = side * (contact.planePoint - toEigen(owner.rounding->centre)).normalized();
        contact.ownerRadius = static_cast<double>(owner.rounding->radius);
        contact.ownerAxis = toEigen(owner.rounding->axis);
    }
    addBoxes(vertex, owner, pose, static_cast<double>(info.m_timeStep), contact);
    result.anchor = contact.planePoint;
    contact.restitution = std::clamp(static_cast<double>(point.m_combinedRestitution), 0.0, 1.0);
    contact.restitutionVelocity = static_cast<double>(info.m_restitutionVelocityThreshold);
    setFriction(point, info, contact);
    const Softness softness = softnessOf(point, info).value();
    contact.stiffness = softness.stiffness;
    contact.damping = softness.damping;
    const auto slop = static_cast<double>(info.m_linearSlop);
    bool isKnown = false;
    if (const auto normal = normalOfRise(owner.touching, owner.outward, onSurface(owner))) {
        contact.normal = side * toEigen(*normal).normalized();
        contact.planePoint = toEigen(onSurface(owner) + owner.touching.shape->getMargin() * *normal);
        contact.offset = slop;
        result.isReplaced = true;
    } else {
        // Bullet measures along a normal that it has searched for, or of the time when the point was found. Where a
        // ball is over a face, or another ball, their shapes tell, and nothing has risen by rolling.
        isKnown = vertex.rounding && vertex.rounding->axis.isZero() &&
                  (owner.face || contact.ownerRadius > 0 || contact.isRoundOnBox());
        const double measured = static_cast<double>(point.getDistance()) + slop;
        contact.offset = isKnown ? slop : measured - gapOf(contact, pose.a, pose.b);
    }
    result.impulse = static_cast<double>(point.m_appliedImpulse);
    if (vertex.rounding && owner.face && !isKnown) {
        result.risen = static_cast<double>((vertex.rounding->lowest - vertex.point).dot(vertex.outward));
    }
    const double gap = gapOf(contact, pose.a, pose.b);
    if (std::isfinite(contact.stiffness) && !result.hasBorne()) {
        const double depth = std::max(0., -gap);
        contact.entered = std::clamp(lastApproach(point, a, b, static_cast<double>(info.m_timeStep)), 0., depth);
    }
    if (result.hasBorne()) closeHairline(result, gap);
    return result;
}

btVector3 normalOf(const ContactPoint& point) {
    const btCollisionObject& owner = point.contact.isVertexOnA ? *point.bodyB : *point.bodyA;
    return owner.getWorldTransform().getBasis() * toBullet(point.contact.normal);
}

void closeHairline(ContactPoint& point) {
    closeHairline(point, gapOf(point.contact, poseOf(*point.bodyA), poseOf(*point.bodyB)));
}

double gapOf(const FlowContact& contact, const BodyState& a, const BodyState& b) {
    return contactGap(contact, a, b);
}

BodyState poseOf(const btCollisionObject& body) {
    BodyState pose;
    pose.position = toEigen(body.getWorldTransform().getOrigin());
    pose.orientation = rotationOf(body.getWorldTransform().getBasis());
    return pose;
}

PairPose poseOf(const btPersistentManifold& manifold) {
    return {poseOf(*manifold.getBody0()), poseOf(*manifold.getBody1())};
}

}  // namespace ELASTO_BULLET_NAMESPACE
}  // namespace elasto
