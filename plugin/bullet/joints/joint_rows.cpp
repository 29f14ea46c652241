#include "joints/joint_rows.h"

#include <BulletDynamics/ConstraintSolver/btConeTwistConstraint.h>
#include <BulletDynamics/ConstraintSolver/btFixedConstraint.h>
#include <BulletDynamics/ConstraintSolver/btGearConstraint.h>
#include <BulletDynamics/ConstraintSolver/btGeneric6DofSpring2Constraint.h>
#include <BulletDynamics/ConstraintSolver/btGeneric6DofSpringConstraint.h>
#include <BulletDynamics/ConstraintSolver/btHinge2Constraint.h>
#include <BulletDynamics/ConstraintSolver/btHingeConstraint.h>
#include <BulletDynamics/ConstraintSolver/btPoint2PointConstraint.h>
#include <BulletDynamics/ConstraintSolver/btSliderConstraint.h>
#include <BulletDynamics/ConstraintSolver/btUniversalConstraint.h>
#include <BulletDynamics/Dynamics/btRigidBody.h>

#include <algorithm>
#include <limits>
#include <typeinfo>

#include "host/class_of.h"
#include "host/conversion.h"
#include "joints/joint_translation.h"

namespace elasto {
inline namespace ELASTO_BULLET_NAMESPACE {

namespace {

Eigen::Vector3d axisOf(const btTransform& frame, int axis) {
    return toEigen(frame.getBasis().getColumn(axis)).normalized();
}

/// A ball joint of bounded strength, as bodies are dragged with: Bullet closes a share of what it is apart per tick,
/// with an impulse of at most m_impulseClamp along each axis of the world.
void drag(const btPoint2PointConstraint& joint, const JointFrames& frames, const JointTick& tick, JointRows& rows) {
    const btRigidBody& bodyA = joint.getRigidBodyA();
    const btRigidBody& bodyB = joint.getRigidBodyB();
    // Rows go along axes of their body a, which are those of the world where it does not turn.
    rows.startAtB = !bodyA.isStaticOrKinematicObject();
    if (rows.startAtB && !bodyB.isStaticOrKinematicObject()) {
        return refuse("a ball joint of bounded strength between two bodies that move", rows);
    }
    const JointFrames from = rows.startAtB ? JointFrames{joint, frames.b, frames.a} : frames;
    const btTransform& anchor = (rows.startAtB ? bodyB : bodyA).getWorldTransform();
    const btTransform& body = (rows.startAtB ? bodyA : bodyB).getWorldTransform();
    const Eigen::Vector3d apart = toEigen(body * from.b.getOrigin()) - toEigen(anchor * from.a.getOrigin());
    const bool hasErp = (joint.getFlags() & BT_P2P_FLAGS_ERP) != 0;
    const double erp = hasErp ? static_cast<double>(joint.getParam(BT_CONSTRAINT_ERP, -1)) : tick.erp;
    const btScalar maxForce = btScalar(static_cast<double>(joint.m_setting.m_impulseClamp) / tick.h);
    for (int k = 0; k < 3; ++k) {
        BoundedRow coordinate = from.along(0);
        coordinate.axis = toEigen(anchor.getBasis().getRow(k)).normalized();
        addMotor(coordinate, -erp / tick.h * apart[k], maxForce, rows);
    }
}

void point(const btPoint2PointConstraint& joint, const JointTick& tick, JointRows& rows) {
    if ((joint.getFlags() & BT_P2P_FLAGS_CFM) != 0) return refuse("softness (CFM)", rows);
    const btTransform a(btMatrix3x3::getIdentity(), joint.getPivotInA());
    const btTransform b(btMatrix3x3::getIdentity(), joint.getPivotInB());
    const JointFrames frames{joint, a, b};
    rows.fewest = rows.most = 3;
    if (joint.m_setting.m_impulseClamp > 0) return drag(joint, frames, tick, rows);
    addBall(frames, rows);
}

void gear(const btGearConstraint& joint, JointRows& rows) {
    HeldRow row;
    row.kind = HeldRow::Kind::Gear;
    row.axisA = toEigen(joint.getAxisA()).normalized();
    row.axisB = toEigen(joint.getAxisB()).normalized();
    row.ratio = static_cast<double>(joint.getRatio());
    rows.held.push_back(row);
    rows.fewest = rows.most = 1;
}

void translate(const btTypedConstraint& joint, const JointTick& tick, JointRows& rows) {
    // Exactly these classes: a class derived from one of them may do anything.
    const std::type_info& type = classOf(joint);
    if (type == typeid(btHingeConstraint) || type == typeid(btHingeAccumulatedAngleConstraint)) {
        return translate(static_cast<const btHingeConstraint&>(joint), tick.h, rows);
    }
    if (type == typeid(btPoint2PointConstraint)) {
        return point(static_cast<const btPoint2PointConstraint&>(joint), tick, rows);
    }
    if (type == typeid(btSliderConstraint)) return translate(static_cast<const btSliderConstraint&>(joint), rows);
    if (type == typeid(btConeTwistConstraint)) return translate(static_cast<const btConeTwistConstraint&>(joint), rows);
    if (type == typeid(btGearConstraint)) return gear(static_cast<const btGearConstraint&>(joint), rows);
    if (type == typeid(btFixedConstraint) || type == typeid(btGeneric6DofSpring2Constraint) ||
        type == typeid(btHinge2Constraint)) {
        return translate(static_cast<const btGeneric6DofSpring2Constraint&>(joint), tick, rows);
    }
    if (type == typeid(btGeneric6DofConstraint) || type == typeid(btUniversalConstraint)) {
        return translate(static_cast<const btGeneric6DofConstraint&>(joint), rows);
    }
    if (type == typeid(btGeneric6DofSpringConstraint)) {
        return translate(static_cast<const btGeneric6DofSpringConstraint&>(joint), rows);
    }
    return refuse("a joint of a class that it does not know", rows);
}

}  // namespace

HeldRow JointFrames::alongAxis(int axis, double offset) const {
    HeldRow row;
    row.pointA = toEigen(a.getOrigin());
    row.pointB = toEigen(b.getOrigin());
    row.axisA = axisOf(a, axis);
    row.offset = offset;
    return row;
}

HeldRow JointFrames::orthogonal(int axisA, int axisB) const {
    HeldRow row;
    row.kind = HeldRow::Kind::Orthogonal;
    row.pointA = toEigen(a.getOrigin());
    row.pointB = toEigen(b.getOrigin());
    row.axisA = axisOf(a, axisA);
    row.axisB = axisOf(b, axisB);
    return row;
}

BoundedRow JointFrames::along(int axis) const {
    BoundedRow row;
    row.pointA = toEigen(a.getOrigin());
    row.pointB = toEigen(b.getOrigin());
    row.axis = axisOf(a, axis);
    return row;
}

BoundedRow JointFrames::about(int axis) const {
    BoundedRow row = along(axis);
    row.geometry = Geometry::AboutAxis;
    row.frameA = rotationOf(a.getBasis());
    row.frameB = rotationOf(b.getBasis());
    return row;
}

BoundedRow JointFrames::euler(const EulerTurns& turns, int axis) const {
    BoundedRow row = about(axis);
    row.geometry = Geometry::EulerAngle;
    row.turns = turns;
    row.turns.about = axis;
    return row;
}

HeldRow JointFrames::orthogonal(const Eigen::Vector3d& inA, const Eigen::Vector3d& inB, double offset) const {
    HeldRow row = orthogonal(0, 0);
    row.axisA = (rotationOf(a.getBasis()) * inA).normalized();
    row.axisB = (rotationOf(b.getBasis()) * inB).normalized();
    row.offset = offset;
    return row;
}

double JointFrames::product(const Eigen::Vector3d& inA, const Eigen::Vector3d& inB) const {
    const btVector3 axisA = joint.getRigidBodyA().getWorldTransform().getBasis() * (a.getBasis() * toBullet(inA));
    const btVector3 axisB = joint.getRigidBodyB().getWorldTransform().getBasis() * (b.getBasis() * toBullet(inB));
    return static_cast<double>(axisA.dot(axisB));
}

bool JointFrames::isAligned(int axis) const {
    const btVector3 axisA = joint.getRigidBodyA().getWorldTransform().getBasis() * a.getBasis().getColumn(axis);
    const btVector3 axisB = joint.getRigidBodyB().getWorldTransform().getBasis() * b.getBasis().getColumn(axis);
    return axisA.dot(axisB) > btScalar(0.5);
}

void addBall(const JointFrames& frames, JointRows& rows) {
    // Which axes they are does not matter; these are at right angles to the last bit.
    for (int k = 0; k < 3; ++k) {
        rows.held.push_back(frames.alongAxis(k));
        rows.held.back().axisA = Eigen::Vector3d::Unit(k);
    }
}

void addMotor(BoundedRow coordinate, double targetRate, btScalar maxForce, JointRows& rows) {
    if (!(maxForce > 0)) return;
    coordinate.kind = BoundedRow::Kind::Motor;
    coordinate.targetRate = targetRate;
    coordinate.maxForce =
        maxForce >= SIMD_INFINITY ? std::numeric_limits<double>::infinity() : static_cast<double>(maxForce);
    rows.bounded.push_back(coordinate);
}

void addLimits(BoundedRow coordinate, double lower, double upper, double restitution, JointRows& rows) {
    if (countsTurns(coordinate.geometry)) {
        if (upper - lower >= static_cast<double>(SIMD_2_PI)) return;
        coordinate.phi = (lower + upper) / 2;
    }
    coordinate.kind = BoundedRow::Kind::Limit;
    coordinate.restitution = std::clamp(restitution, 0.0, 1.0);
    coordinate.bound = lower;
    coordinate.side = 1;
    rows.bounded.push_back(coordinate);
    coordinate.bound = upper;
    coordinate.side = -1;
    rows.bounded.push_back(coordinate);
}

const char* addSpring(const BoundedRow& coordinate, const SpringDamperParameters& spring, JointRows& rows) {
    if (!(spring.c >= 0 && spring.d >= 0)) return "a spring of negative stiffness or damping";
    if (spring.c == 0 && spring.d == 0) return nullptr;
    FlowElement element{SpringDamperLaw(spring)};
    element.geometry = coordinate.geometry;
    element.pointA = coordinate.pointA;
    element.pointB = coordinate.pointB;
    element.axis = coordinate.axis;
    element.frameA = coordinate.frameA;
    element.frameB = coordinate.frameB;
    element.turns = coordinate.turns;
    element.phi = coordinate.phi;
    rows.springs.push_back(element);
    return nullptr;
}

void refuse(const char* reason, JointRows& rows) {
    rows.refusal = reason;
}

void rowsOf(const btTypedConstraint& joint, const JointTick& tick, JointRows& rows) {
    rows.clear();
    if (&joint.getRigidBodyA() == &joint.getRigidBodyB()) return refuse("a joint of a body with itself", rows);
    translate(joint, tick, rows);
}

}  // namespace ELASTO_BULLET_NAMESPACE
}  // namespace elasto
