// btGeneric6DofConstraint and btGeneric6DofSpring2Constraint: ways of B's origin along A's axes, and Euler angles of A
// against B, which are simple angles where at most one of them is not locked. A motor with a positive rate makes a way
// shorter, and an angle larger.

#include <BulletDynamics/ConstraintSolver/btGeneric6DofConstraint.h>
#include <BulletDynamics/ConstraintSolver/btGeneric6DofSpring2Constraint.h>

#include "joint_translation.h"

namespace elasto {
inline namespace ELASTO_BULLET_NAMESPACE {

namespace {

/// One of the six coordinates, in Bullet's terms.
struct Coordinate {
    btScalar lower, upper;
    bool hasMotor;
    btScalar rate, maxForce, restitution;

    bool isFree() const { return lower > upper; }
    bool isLocked() const { return lower == upper; }
    bool isLimited() const { return lower < upper; }
};

// Its ways do not bounce, whatever m_restitution says.
Coordinate coordinate(const btTranslationalLimitMotor& all, int k) {
    return {all.m_lowerLimit[k],     all.m_upperLimit[k],    all.m_enableMotor[k],
            all.m_targetVelocity[k], all.m_maxMotorForce[k], 0};
}

Coordinate coordinate(const btRotationalLimitMotor& one) {
    return {one.m_loLimit, one.m_hiLimit, one.m_enableMotor, one.m_targetVelocity, one.m_maxMotorForce, one.m_bounce};
}

Coordinate coordinate(const btTranslationalLimitMotor2& all, int k) {
    return {all.m_lowerLimit[k],     all.m_upperLimit[k],    all.m_enableMotor[k],
            all.m_targetVelocity[k], all.m_maxMotorForce[k], all.m_bounce[k]};
}

Coordinate coordinate(const btRotationalLimitMotor2& one) {
    return {one.m_loLimit, one.m_hiLimit, one.m_enableMotor, one.m_targetVelocity, one.m_maxMotorForce, one.m_bounce};
}

void addWays(const JointFrames& frames, const Coordinate (&ways)[3], JointRows& rows) {
    for (int k = 0; k < 3; ++k) {
        const Coordinate& way = ways[k];
        if (way.isLocked()) rows.held.push_back(frames.alongAxis(k, static_cast<double>(way.lower)));
        if (way.hasMotor && !way.isLocked()) {
            addMotor(frames.along(k), -static_cast<double>(way.rate), way.maxForce, rows);
        }
        if (way.isLimited()) {
            addLimits(frames.along(k), static_cast<double>(way.lower), static_cast<double>(way.upper),
                      static_cast<double>(way.restitution), rows);
        }
    }
}

/// @return why not, or null
const char* addAngles(const JointFrames& frames, const Coordinate (&angles)[3], bool isOrderXyz, JointRows& rows) {
    int locked = 0;
    int open = 0;  // one that is not locked
    bool isPlain = true;
    for (int k = 0; k < 3; ++k) {
        if (angles[k].isLocked()) {
            if (angles[k].lower != 0) return "an angle that is locked elsewhere than at 0";
            locked += 1;
        } else {
            open = k;
            const bool isWide = angles[k].upper - angles[k].lower >= SIMD_2_PI;
            isPlain &= !angles[k].hasMotor && (angles[k].isFree() || isWide);
        }
    }
    if (locked < 2 && !isPlain) return "motors or limits of more than one angle";
    if (locked == 0) return nullptr;
    for (int k = 0; k < 3; ++k) {
        const bool mustAlign = locked == 3 || (locked == 2 && k == open);
        if (mustAlign && !frames.isAligned(k)) return "a joint that is turned over";
    }
    if (locked == 1) {
        if (!isOrderXyz) return "one locked angle in another order than XYZ";
        if (angles[0].isLocked() && !frames.isAligned(2)) return "a joint that is turned over";
        if (angles[2].isLocked() && !frames.isAligned(0)) return "a joint that is turned over";
    }
    // For the order XYZ these are the angles' own conditions, one by one; two or three of them hold the same whatever
    // the order.
    if (angles[0].isLocked()) rows.held.push_back(frames.orthogonal(2, 1));
    if (angles[1].isLocked()) rows.held.push_back(frames.orthogonal(2, 0));
    if (angles[2].isLocked()) rows.held.push_back(frames.orthogonal(1, 0));
    if (locked == 2) {
        const Coordinate& angle = angles[open];
        if (angle.hasMotor) {
            addMotor(frames.about(open), -static_cast<double>(angle.rate), angle.maxForce, rows);
        }
        if (angle.isLimited()) {
            addLimits(frames.about(open), -static_cast<double>(angle.upper), -static_cast<double>(angle.lower),
                      static_cast<double>(angle.restitution), rows);
        }
    }
    return nullptr;
}

JointRows assembled(const JointFrames& frames, const Coordinate (&ways)[3], const Coordinate (&angles)[3],
                    bool isOrderXyz) {
    JointRows rows;
    addWays(frames, ways, rows);
    rows.refusal = addAngles(frames, angles, isOrderXyz, rows);
    return rows;
}

}  // namespace

JointRows translate(const btGeneric6DofConstraint& constant) {
    auto& joint = const_cast<btGeneric6DofConstraint&>(constant);
    const btTranslationalLimitMotor& linear = *joint.getTranslationalLimitMotor();
    Coordinate ways[3], angles[3];
    int most = 0;
    for (int k = 0; k < 3; ++k) {
        const btRotationalLimitMotor& angular = *joint.getRotationalLimitMotor(k);
        ways[k] = coordinate(linear, k);
        angles[k] = coordinate(angular);
        const bool isSoft = linear.m_stopCFM[k] != 0 || linear.m_normalCFM[k] != 0 || angular.m_stopCFM != 0 ||
                            angular.m_normalCFM != 0;
        if (isSoft) return refused("softness (CFM)");
        // Rounding decides in each tick whether Bullet has a row for what is locked.
        most += ways[k].isFree() && !ways[k].hasMotor ? 0 : 1;
        most += angles[k].isFree() && !angles[k].hasMotor ? 0 : 1;
    }
    JointRows rows = assembled({constant, constant.getFrameOffsetA(), constant.getFrameOffsetB()}, ways, angles, true);
    rows.most = most;
    return rows;
}

JointRows translate(const btGeneric6DofSpring2Constraint& constant) {
    auto& joint = const_cast<btGeneric6DofSpring2Constraint&>(constant);
    const btTranslationalLimitMotor2& linear = *joint.getTranslationalLimitMotor();
    Coordinate ways[3], angles[3];
    int count = 0;
    for (int k = 0; k < 3; ++k) {
        const btRotationalLimitMotor2& angular = *joint.getRotationalLimitMotor(k);
        ways[k] = coordinate(linear, k);
        angles[k] = coordinate(angular);
        if (linear.m_enableSpring[k] || angular.m_enableSpring) return refused("a 6-dof joint's spring");
        const bool hasServo =
            (ways[k].hasMotor && linear.m_servoMotor[k]) || (angles[k].hasMotor && angular.m_servoMotor);
        if (hasServo) return refused("a servo motor");
        const bool isSoft =
            linear.m_stopCFM[k] != 0 || linear.m_motorCFM[k] != 0 || angular.m_stopCFM != 0 || angular.m_motorCFM != 0;
        if (isSoft) return refused("softness (CFM)");
        for (const Coordinate& one : {ways[k], angles[k]}) {
            count += (one.isLocked() ? 1 : one.isLimited() ? 2 : 0) + (one.hasMotor ? 1 : 0);
        }
    }
    JointRows rows = assembled({constant, constant.getFrameOffsetA(), constant.getFrameOffsetB()}, ways, angles,
                               joint.getRotationOrder() == RO_XYZ);
    rows.fewest = rows.most = count;
    return rows;
}

}  // namespace ELASTO_BULLET_NAMESPACE
}  // namespace elasto
