// btGeneric6DofConstraint, btGeneric6DofSpringConstraint and btGeneric6DofSpring2Constraint: displacements of B's
// origin along A's axes, and Euler angles of A against B. A motor with a positive rate makes a displacement shorter,
// and an angle larger.

#include <BulletDynamics/ConstraintSolver/btGeneric6DofConstraint.h>
#include <BulletDynamics/ConstraintSolver/btGeneric6DofSpring2Constraint.h>
#include <BulletDynamics/ConstraintSolver/btGeneric6DofSpringConstraint.h>

#include <algorithm>
#include <cmath>

#include "joints/six_dof_angles.h"

namespace elasto {
inline namespace ELASTO_BULLET_NAMESPACE {

namespace {

using Coordinate = SixDofCoordinate;

// Its displacements do not bounce, whatever m_restitution says.
Coordinate coordinate(const btTranslationalLimitMotor& all, int k) {
    return {all.m_lowerLimit[k],     all.m_upperLimit[k],    all.m_enableMotor[k],
            all.m_targetVelocity[k], all.m_maxMotorForce[k], 0};
}

Coordinate coordinate(const btRotationalLimitMotor& one) {
    return {one.m_loLimit, one.m_hiLimit, one.m_enableMotor, one.m_targetVelocity, one.m_maxMotorForce, one.m_bounce};
}

SpringDamperParameters spring(btScalar c, btScalar d, btScalar equilibrium) {
    return {static_cast<double>(c), static_cast<double>(d), static_cast<double>(equilibrium)};
}

Coordinate coordinate(const btTranslationalLimitMotor2& all, int k) {
    return {
        all.m_lowerLimit[k],    all.m_upperLimit[k],
        all.m_enableMotor[k],   all.m_targetVelocity[k],
        all.m_maxMotorForce[k], all.m_bounce[k],
        all.m_enableSpring[k],  spring(all.m_springStiffness[k], all.m_springDamping[k], all.m_equilibriumPoint[k])};
}

Coordinate coordinate(const btRotationalLimitMotor2& one) {
    return {one.m_loLimit,       one.m_hiLimit,
            one.m_enableMotor,   one.m_targetVelocity,
            one.m_maxMotorForce, one.m_bounce,
            one.m_enableSpring,  spring(one.m_springStiffness, one.m_springDamping, one.m_equilibriumPoint)};
}

/// @return why not, or null
const char* addTranslations(const JointFrames& frames, const Coordinate (&translations)[3], JointRows& rows) {
    for (int k = 0; k < 3; ++k) {
        const Coordinate& translation = translations[k];
        if (translation.isLocked()) {
            rows.held.push_back(frames.alongAxis(k, static_cast<double>(translation.lower)));
        } else if (const char* refusal = addActions(frames.along(k), translation, 1, -1, rows)) {
            return refusal;
        }
    }
    return nullptr;
}

void assemble(const JointFrames& frames, const Coordinate (&translations)[3], const Coordinate (&angles)[3],
              EulerTurns turns, JointRows& rows) {
    rows.refusal = addTranslations(frames, translations, rows);
    if (rows.refusal == nullptr) rows.refusal = addAngles(frames, angles, turns, rows);
}

void translate(btGeneric6DofConstraint& joint, const btGeneric6DofSpringConstraint* springs, JointRows& rows) {
    const btTranslationalLimitMotor& linear = *joint.getTranslationalLimitMotor();
    Coordinate translations[3], angles[3];
    int most = 0;
    for (int k = 0; k < 3; ++k) {
        const btRotationalLimitMotor& angular = *joint.getRotationalLimitMotor(k);
        translations[k] = coordinate(linear, k);
        angles[k] = coordinate(angular);
        const bool isSoft = linear.m_stopCFM[k] != 0 || linear.m_normalCFM[k] != 0 || angular.m_stopCFM != 0 ||
                            angular.m_normalCFM != 0;
        if (isSoft) return refuse("softness (CFM)", rows);
        for (const int index : {k, 3 + k}) {
            Coordinate& one = index < 3 ? translations[k] : angles[k];
            // Rounding decides in each tick whether Bullet has a row for what is locked.
            most += one.isFree() && !one.hasMotor ? 0 : 1;
            if (springs == nullptr || !springs->isSpringEnabled(index)) continue;
            // Bullet makes a spring of a motor, whose damping depends on the number of iterations.
            one.hasMotor = false;
            one.hasSpring = true;
            one.spring = spring(springs->getStiffness(index), 0, springs->getEquilibriumPoint(index));
        }
    }
    assemble({joint, joint.getFrameOffsetA(), joint.getFrameOffsetB()}, translations, angles, turnsOf(joint), rows);
    rows.most = most;
}

/// What is protected in Bullet's class.
struct Spring2Flags : btGeneric6DofSpring2Constraint {
    static int of(const btGeneric6DofSpring2Constraint& joint) { return joint.*(&Spring2Flags::m_flags); }
};

/// A servo motor is a controller that acts once per tick: at most at its rate to where it is to be, slower where it
/// would otherwise arrive within the tick.
struct Servo {
    double position, target, rate, erp, h;

    /// In the coordinate's own sense.
    double towards(const Coordinate& limits) const {
        double goal = target;
        if (limits.isLimited()) {
            goal = std::clamp(goal, static_cast<double>(limits.lower), static_cast<double>(limits.upper));
        }
        return std::clamp((goal - position) * erp / h, -rate, rate);
    }
};

}  // namespace

void translate(const btGeneric6DofConstraint& joint, JointRows& rows) {
    translate(const_cast<btGeneric6DofConstraint&>(joint), nullptr, rows);
}

void translate(const btGeneric6DofSpringConstraint& joint, JointRows& rows) {
    translate(const_cast<btGeneric6DofSpringConstraint&>(joint), &joint, rows);
}

void translate(const btGeneric6DofSpring2Constraint& constant, const JointTick& tick, JointRows& rows) {
    auto& joint = const_cast<btGeneric6DofSpring2Constraint&>(constant);
    const btTranslationalLimitMotor2& linear = *joint.getTranslationalLimitMotor();
    const int flags = Spring2Flags::of(constant);
    Coordinate translations[3], angles[3];
    int count = 0;
    for (int k = 0; k < 3; ++k) {
        const btRotationalLimitMotor2& angular = *joint.getRotationalLimitMotor(k);
        translations[k] = coordinate(linear, k);
        angles[k] = coordinate(angular);
        const bool isSoft =
            linear.m_stopCFM[k] != 0 || linear.m_motorCFM[k] != 0 || angular.m_stopCFM != 0 || angular.m_motorCFM != 0;
        if (isSoft) return refuse("softness (CFM)", rows);
        const auto erpOf = [&](int index, btScalar own) {
            const bool isOwn = ((flags >> (index * BT_6DOF_FLAGS_AXIS_SHIFT2)) & BT_6DOF_FLAGS_ERP_MOTO2) != 0;
            return isOwn ? static_cast<double>(own) : tick.erp;
        };
        if (translations[k].hasMotor && linear.m_servoMotor[k]) {
            const Servo servo{static_cast<double>(linear.m_currentLinearDiff[k]),
                              static_cast<double>(linear.m_servoTarget[k]), static_cast<double>(translations[k].rate),
                              erpOf(k, linear.m_motorERP[k]), tick.h};
            if (servo.rate < 0) return refuse("a servo motor that runs away from its target", rows);
            translations[k].rate = -btScalar(servo.towards(translations[k]));
        }
        if (angles[k].hasMotor && angular.m_servoMotor) {
            const auto position = static_cast<double>(angular.m_currentPosition);
            const double turn =
                std::remainder(static_cast<double>(angular.m_servoTarget) - position, static_cast<double>(SIMD_2_PI));
            const Servo servo{position, position + turn, static_cast<double>(angles[k].rate),
                              erpOf(3 + k, angular.m_motorERP), tick.h};
            if (servo.rate < 0) return refuse("a servo motor that runs away from its target", rows);
            angles[k].rate = btScalar(servo.towards(angles[k]));
        }
        for (const Coordinate& one : {translations[k], angles[k]}) {
            count += one.isLocked() ? 1 : one.isLimited() ? 2 : 0;
            count += (one.hasMotor ? 1 : 0) + (one.hasSpring ? 1 : 0);
        }
    }
    assemble({constant, constant.getFrameOffsetA(), constant.getFrameOffsetB()}, translations, angles, turnsOf(joint),
             rows);
    rows.fewest = rows.most = count;
}

}  // namespace ELASTO_BULLET_NAMESPACE
}  // namespace elasto
