#include "joint_rows.h"

#include <BulletDynamics/ConstraintSolver/btFixedConstraint.h>
#include <BulletDynamics/ConstraintSolver/btGeneric6DofSpring2Constraint.h>
#include <BulletDynamics/ConstraintSolver/btHingeConstraint.h>
#include <BulletDynamics/ConstraintSolver/btPoint2PointConstraint.h>
#include <BulletDynamics/ConstraintSolver/btSliderConstraint.h>
#include <BulletDynamics/Dynamics/btRigidBody.h>

#include <typeinfo>

#include "conversion.h"

namespace elasto {
inline namespace ELASTO_BULLET_NAMESPACE {

namespace {

HeldRow alongAxis(const btTransform& a, int axis, const btTransform& b) {
    HeldRow row;
    row.pointA = toEigen(a.getOrigin());
    row.pointB = toEigen(b.getOrigin());
    row.axisA = toEigen(a.getBasis().getColumn(axis)).normalized();
    return row;
}

HeldRow orthogonal(const btTransform& a, int axisA, const btTransform& b, int axisB) {
    HeldRow row;
    row.kind = HeldRow::Kind::Orthogonal;
    row.axisA = toEigen(a.getBasis().getColumn(axisA)).normalized();
    row.axisB = toEigen(b.getBasis().getColumn(axisB)).normalized();
    return row;
}

/// Axes at right angles also hold where a body is turned over: there Bullet turns it back, and we leave it to Bullet.
bool isAligned(const btTypedConstraint& joint, const btTransform& a, const btTransform& b, int axis) {
    const btVector3 axisA = joint.getRigidBodyA().getWorldTransform().getBasis() * a.getBasis().getColumn(axis);
    const btVector3 axisB = joint.getRigidBodyB().getWorldTransform().getBasis() * b.getBasis().getColumn(axis);
    return axisA.dot(axisB) > btScalar(0.5);
}

void addBall(const btTransform& a, const btTransform& b, std::vector<HeldRow>& rows) {
    for (int k = 0; k < 3; ++k) rows.push_back(alongAxis(a, k, b));
}

std::vector<HeldRow> hinge(const btHingeConstraint& joint) {
    std::vector<HeldRow> rows;
    // getAngularOnly() and the motor's getter are not const in Bullet.
    auto& hinge = const_cast<btHingeConstraint&>(joint);
    const bool isSoft = (joint.getFlags() & BT_HINGE_FLAGS_CFM_NORM) != 0;
    if (hinge.getAngularOnly() || hinge.getEnableAngularMotor() || isSoft) return rows;
    const btTransform& a = joint.getAFrame();
    const btTransform& b = joint.getBFrame();
    if (!isAligned(joint, a, b, 2)) return rows;
    addBall(a, b, rows);
    rows.push_back(orthogonal(a, 2, b, 0));
    rows.push_back(orthogonal(a, 2, b, 1));
    return rows;
}

std::vector<HeldRow> point(const btPoint2PointConstraint& joint) {
    std::vector<HeldRow> rows;
    if (joint.m_setting.m_impulseClamp > 0 || (joint.getFlags() & BT_P2P_FLAGS_CFM) != 0) return rows;
    const btTransform a(btMatrix3x3::getIdentity(), joint.getPivotInA());
    const btTransform b(btMatrix3x3::getIdentity(), joint.getPivotInB());
    addBall(a, b, rows);
    return rows;
}

std::vector<HeldRow> sixDof(const btGeneric6DofSpring2Constraint& constant) {
    std::vector<HeldRow> rows;
    auto& joint = const_cast<btGeneric6DofSpring2Constraint&>(constant);
    const btTransform& a = constant.getFrameOffsetA();
    const btTransform& b = constant.getFrameOffsetB();
    const btTranslationalLimitMotor2& linear = *joint.getTranslationalLimitMotor();
    int lockedAngles = 0;
    for (int k = 0; k < 3; ++k) {
        const btRotationalLimitMotor2& angular = *joint.getRotationalLimitMotor(k);
        const bool isLinearLocked = linear.m_lowerLimit[k] == 0 && linear.m_upperLimit[k] == 0;
        const bool isAngularLocked = angular.m_loLimit == 0 && angular.m_hiLimit == 0;
        const bool isLinearFree = linear.m_lowerLimit[k] > linear.m_upperLimit[k];
        const bool isAngularFree = angular.m_loLimit > angular.m_hiLimit;
        if (linear.m_enableMotor[k] || linear.m_enableSpring[k] || angular.m_enableMotor || angular.m_enableSpring ||
            !(isLinearLocked || isLinearFree) || !(isAngularLocked || isAngularFree)) {
            return {};
        }
        if (isLinearLocked) rows.push_back(alongAxis(a, k, b));
        lockedAngles += isAngularLocked ? 1 : 0;
    }
    if (lockedAngles == 3) {
        for (int k = 0; k < 3; ++k) {
            if (!isAligned(constant, a, b, k)) return {};
        }
        rows.push_back(orthogonal(a, 0, b, 1));
        rows.push_back(orthogonal(a, 1, b, 2));
        rows.push_back(orthogonal(a, 2, b, 0));
        return rows;
    }
    return lockedAngles == 0 ? rows : std::vector<HeldRow>{};
}

// Along x of both frames.
std::vector<HeldRow> slider(const btSliderConstraint& constant) {
    auto& joint = const_cast<btSliderConstraint&>(constant);  // its getters are not const
    const btTransform& a = constant.getFrameOffsetA();
    const btTransform& b = constant.getFrameOffsetB();
    const bool isLinearLimited = joint.getLowerLinLimit() <= joint.getUpperLinLimit();
    const bool isAngularFree = joint.getLowerAngLimit() > joint.getUpperAngLimit();
    const bool isAngularLocked = joint.getLowerAngLimit() == 0 && joint.getUpperAngLimit() == 0;
    if (joint.getPoweredLinMotor() || joint.getPoweredAngMotor() || constant.getFlags() != 0 ||
        (isLinearLimited && joint.getSolveLinLimit()) || !(isAngularFree || isAngularLocked) ||
        !isAligned(constant, a, b, 0) || (isAngularLocked && !isAligned(constant, a, b, 1))) {
        return {};
    }
    std::vector<HeldRow> rows = {alongAxis(a, 1, b), alongAxis(a, 2, b), orthogonal(a, 0, b, 1),
                                 orthogonal(a, 0, b, 2)};
    if (isAngularLocked) rows.push_back(orthogonal(a, 1, b, 2));
    return rows;
}

bool isTakenOver(const btTypedConstraint& joint) {
    const btRigidBody& a = joint.getRigidBodyA();
    const btRigidBody& b = joint.getRigidBodyB();
    return !joint.needsFeedback() && joint.getJointFeedback() == nullptr &&
           joint.getBreakingImpulseThreshold() >= SIMD_INFINITY && !a.isKinematicObject() && !b.isKinematicObject() &&
           &a != &b;
}

}  // namespace

std::vector<HeldRow> heldRowsOf(const btTypedConstraint& joint) {
    if (!isTakenOver(joint)) return {};
    // Exactly these classes: a class derived from one of them may do anything.
    const std::type_info& type = typeid(joint);
    if (type == typeid(btHingeConstraint) || type == typeid(btHingeAccumulatedAngleConstraint)) {
        return hinge(static_cast<const btHingeConstraint&>(joint));
    }
    if (type == typeid(btPoint2PointConstraint)) return point(static_cast<const btPoint2PointConstraint&>(joint));
    if (type == typeid(btSliderConstraint)) return slider(static_cast<const btSliderConstraint&>(joint));
    if (type == typeid(btFixedConstraint) || type == typeid(btGeneric6DofSpring2Constraint)) {
        return sixDof(static_cast<const btGeneric6DofSpring2Constraint&>(joint));
    }
    return {};
}

std::vector<HeldRow> heldRowsOf(const btTypedConstraint& joint, int rows) {
    std::vector<HeldRow> held = heldRowsOf(joint);
    // Rounding decides in each tick whether Bullet's slider has a row for an angle that is locked.
    const bool isSlider = joint.getConstraintType() == SLIDER_CONSTRAINT_TYPE;
    const int fewest = static_cast<int>(held.size()) - (isSlider && held.size() == 5 ? 1 : 0);
    if (rows < fewest || rows > static_cast<int>(held.size())) held.clear();
    return held;
}

}  // namespace ELASTO_BULLET_NAMESPACE
}  // namespace elasto
