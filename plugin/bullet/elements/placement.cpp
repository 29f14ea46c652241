#include <elasto/errors.h>
#include <elasto/flow.h>
#include <elasto/placement.h>

#include "host/conversion.h"

#include <BulletDynamics/ConstraintSolver/btTypedConstraint.h>
#include <BulletDynamics/Dynamics/btRigidBody.h>

#include <cmath>
#include <string>
#include <utility>

namespace elasto {
inline namespace ELASTO_BULLET_NAMESPACE {

namespace {

// A zero axis stays zero: validate() reports it.
Eigen::Vector3d direction(const Eigen::Vector3d& axis) {
    return axis.stableNorm() > 0 ? Eigen::Vector3d(axis.stableNormalized()) : axis;
}

bool isAxis(int axis) {
    return axis >= 0 && axis < 3;
}

void validate(const EulerTurns& turns, const char* owner) {
    const std::pair<const char*, int> axes[] = {
        {"turns.first", turns.first}, {"turns.last", turns.last}, {"turns.about", turns.about}};
    for (const auto& [field, axis] : axes) {
        if (!isAxis(axis)) throw InvalidParameter(owner, field, axis, "0, 1 or 2 (x, y, z)");
    }
    if (turns.first == turns.last) {
        throw InvalidParameter(owner, "turns.last", turns.last, "another axis than turns.first");
    }
}

// What is not finite is reported with the rest of the placement.
void requireRotationOf(const char* field, const btTransform& frame) {
    if (isRotation(frame.getBasis()) || !toEigen(frame.getBasis()).allFinite()) return;
    throw InvalidParameter("Placement",
                           std::string(field) +
                               " is no rotation: its axes must have unit length and be at right angles, "
                               "right-handed (of a scaled or mirrored btTransform take the rotation only)");
}

}  // namespace

Placement::Placement(Geometry geometry, btRigidBody& rbA, btRigidBody& rbB)
    : m_bodyA(&rbA), m_bodyB(&rbB), m_geometry(geometry) {}

Placement Placement::alongAxis(btRigidBody& rbA, btRigidBody& rbB, const btTransform& frameInA,
                               const btTransform& frameInB) {
    requireRotationOf("frameInA", frameInA);
    requireRotationOf("frameInB", frameInB);
    Placement placement(Geometry::AlongAxis, rbA, rbB);
    placement.m_pointA = toEigen(frameInA.getOrigin());
    placement.m_pointB = toEigen(frameInB.getOrigin());
    placement.m_frameA = rotationOf(frameInA.getBasis());
    placement.m_frameB = rotationOf(frameInB.getBasis());
    placement.m_axis = direction(toEigen(frameInA.getBasis().getColumn(0)));
    return placement;
}

Placement Placement::alongAxis(btRigidBody& rbB, const btTransform& frameInB, const btTransform& frameInWorld) {
    return alongAxis(world(), rbB, frameInWorld, frameInB);
}

Placement Placement::alongLine(btRigidBody& rbA, btRigidBody& rbB, const btVector3& pivotInA,
                               const btVector3& pivotInB) {
    return alongLine(rbA, rbB, toEigen(pivotInA), toEigen(pivotInB));
}

Placement Placement::alongLine(btRigidBody& rbB, const btVector3& pivotInB, const btVector3& pivotInWorld) {
    return alongLine(world(), rbB, pivotInWorld, pivotInB);
}

Placement Placement::aboutAxis(btRigidBody& rbA, btRigidBody& rbB, const btTransform& frameInA,
                               const btTransform& frameInB) {
    requireRotationOf("frameInA", frameInA);
    requireRotationOf("frameInB", frameInB);
    Placement placement(Geometry::AboutAxis, rbA, rbB);
    placement.m_pointA = toEigen(frameInA.getOrigin());
    placement.m_pointB = toEigen(frameInB.getOrigin());
    placement.m_frameA = rotationOf(frameInA.getBasis());
    placement.m_frameB = rotationOf(frameInB.getBasis());
    placement.m_axis = direction(toEigen(frameInA.getBasis().getColumn(2)));
    return placement;
}

Placement Placement::aboutAxis(btRigidBody& rbB, const btTransform& frameInB, const btTransform& frameInWorld) {
    return aboutAxis(world(), rbB, frameInWorld, frameInB);
}

Placement Placement::alongAxis(btRigidBody& rbA, btRigidBody& rbB, const Eigen::Vector3d& pointInA,
                               const Eigen::Vector3d& pointInB, const Eigen::Vector3d& axisInA) {
    Placement placement(Geometry::AlongAxis, rbA, rbB);
    placement.m_pointA = pointInA;
    placement.m_pointB = pointInB;
    placement.m_axis = direction(axisInA);
    return placement;
}

Placement Placement::alongLine(btRigidBody& rbA, btRigidBody& rbB, const Eigen::Vector3d& pointInA,
                               const Eigen::Vector3d& pointInB) {
    Placement placement(Geometry::AlongLine, rbA, rbB);
    placement.m_pointA = pointInA;
    placement.m_pointB = pointInB;
    return placement;
}

Placement Placement::aboutAxis(btRigidBody& rbA, btRigidBody& rbB, const Eigen::Quaterniond& frameInA,
                               const Eigen::Quaterniond& frameInB, const Eigen::Vector3d& axisInA) {
    Placement placement(Geometry::AboutAxis, rbA, rbB);
    placement.m_frameA = frameInA.normalized();
    placement.m_frameB = frameInB.normalized();
    placement.m_axis = direction(axisInA);
    return placement;
}

Placement Placement::turning(Geometry geometry, btRigidBody& rbA, btRigidBody& rbB, const btTransform& frameInA,
                             const btTransform& frameInB, int axis, const Turning& turning) {
    requireRotationOf("frameInA", frameInA);
    requireRotationOf("frameInB", frameInB);
    Placement placement(geometry, rbA, rbB);
    placement.m_pointA = toEigen(frameInA.getOrigin());
    placement.m_pointB = toEigen(frameInB.getOrigin());
    placement.m_frameA = rotationOf(frameInA.getBasis());
    placement.m_frameB = rotationOf(frameInB.getBasis());
    if (isAxis(axis)) placement.m_axis = direction(toEigen(frameInA.getBasis().getColumn(axis)));
    placement.m_turning = std::make_shared<const Turning>(turning);
    return placement;
}

Placement Placement::eulerAngle(btRigidBody& rbA, btRigidBody& rbB, const btTransform& frameInA,
                                const btTransform& frameInB, const EulerTurns& turns) {
    return turning(Geometry::EulerAngle, rbA, rbB, frameInA, frameInB, turns.about, {.turns = turns});
}

Placement Placement::swingClearance(btRigidBody& rbA, btRigidBody& rbB, const btTransform& frameInA,
                                    const btTransform& frameInB, double spanY, double spanZ) {
    return turning(Geometry::SwingClearance, rbA, rbB, frameInA, frameInB, 0, {.turns = {}, .spans = {spanY, spanZ}});
}

Placement Placement::gearPair(btRigidBody& rbWheel1, btRigidBody& rbWheel2, const btVector3& axis1InWorld,
                              const btVector3& axis2InWorld, double ratio, btRigidBody& rbCarrier) {
    const auto turnOf = [](const btRigidBody& body) { return rotationOf(body.getWorldTransform().getBasis()); };
    const Eigen::Quaterniond frame1 = frameAlong(toEigen(axis1InWorld));
    const Eigen::Quaterniond frame2 = frameAlong(toEigen(axis2InWorld));
    const Eigen::Quaterniond carrier = turnOf(rbCarrier).conjugate();
    GearFrames frames;
    frames.inWheel1 = turnOf(rbWheel1).conjugate() * frame1;
    frames.inWheel2 = turnOf(rbWheel2).conjugate() * frame2;
    frames.ofWheel1InCarrier = carrier * frame1;
    frames.ofWheel2InCarrier = carrier * frame2;
    Placement placement = gearPair(rbWheel1, rbWheel2, rbCarrier, frames, ratio);
    // A zero axis stays zero: validate() reports it.
    if (axis1InWorld.isZero() || axis2InWorld.isZero()) placement.m_axis.setZero();
    return placement;
}

Placement Placement::gearPair(btRigidBody& rbWheel1, btRigidBody& rbWheel2, btRigidBody& rbCarrier,
                              const GearFrames& frames, double ratio) {
    Placement placement(Geometry::AboutAxis, rbWheel2, rbWheel1);
    const GearFrames unit{frames.inWheel1.normalized(), frames.inWheel2.normalized(),
                          frames.ofWheel1InCarrier.normalized(), frames.ofWheel2InCarrier.normalized()};
    placement.m_gear = std::make_shared<const Gear>(Gear{&rbCarrier, ratio, unit});
    placement.m_frameA = unit.inWheel2;
    placement.m_frameB = unit.inWheel1;
    placement.m_axis = placement.m_frameA * Eigen::Vector3d::UnitZ();
    return placement;
}

btRigidBody& Placement::world() {
    static btRigidBody& fixed = btTypedConstraint::getFixedBody();  // which makes it anew in each call
    return fixed;
}

const GearFrames& Placement::gearFrames() const {
    static const GearFrames none;
    return m_gear ? m_gear->frames : none;
}

void Placement::validate(const char* owner) const {
    if (m_bodyA == m_bodyB) {
        throw InvalidParameter(owner,
                               "body A and body B are the same; an element acts between two different bodies, "
                               "or a body and the world");
    }
    for (const btRigidBody* body : {m_bodyA, m_bodyB, &carrier()}) {
        if ((body->getInternalType() & btCollisionObject::CO_RIGID_BODY) == 0) {
            throw InvalidParameter(owner, "a body is not a btRigidBody; links of a btMultiBody cannot carry elements");
        }
    }
    if (m_bodyA->isStaticOrKinematicObject() && m_bodyB->isStaticOrKinematicObject()) {
        throw InvalidParameter(owner,
                               "body A and body B are both immovable (static or kinematic); at least one must "
                               "have a mass > 0");
    }
    const GearFrames& gear = gearFrames();
    const bool isFinite = m_pointA.allFinite() && m_pointB.allFinite() && m_frameA.coeffs().allFinite() &&
                          m_frameB.coeffs().allFinite() && m_axis.allFinite() &&
                          gear.ofWheel1InCarrier.coeffs().allFinite() && gear.ofWheel2InCarrier.coeffs().allFinite();
    if (!isFinite) {
        throw InvalidParameter(owner, "a frame or pivot is not finite");
    }
    if (m_axis.isZero(0)) {
        throw InvalidParameter(owner, "the axis of frame A has zero length; it must be a direction");
    }
    if (geometry() == Geometry::EulerAngle) elasto::validate(turns(), owner);
    const std::pair<const char*, double> openings[] = {{"spanY", spans()[0]}, {"spanZ", spans()[1]}};
    for (const auto& [field, span] : openings) {
        if (!(span > 0 && std::isfinite(span))) throw InvalidParameter(owner, field, span, "finite and > 0");
    }
    if (!isGearPair()) return;
    if (&carrier() == m_bodyA || &carrier() == m_bodyB) {
        throw InvalidParameter(owner, "the carrier is one of the wheels; it must be another body, or the world");
    }
    if (ratio() == 0 || !std::isfinite(ratio())) {
        throw InvalidParameter(owner, "ratio", ratio(), "finite and not 0; < 0 for external gears");
    }
}

}  // namespace ELASTO_BULLET_NAMESPACE
}  // namespace elasto
