#include "multibody/multibody_constraints.h"

#include <elasto/multibody_element.h>

#include <BulletDynamics/Featherstone/btMultiBody.h>
#include <BulletDynamics/Featherstone/btMultiBodyJointLimitConstraint.h>
#include <BulletDynamics/Featherstone/btMultiBodyJointMotor.h>

#include <algorithm>
#include <limits>
#include <typeinfo>

namespace elasto {
inline namespace ELASTO_BULLET_NAMESPACE {

namespace {

// Settings of a motor that have no public access.
class MotorInternals : private btMultiBodyJointMotor {
public:
    static double velocity(const btMultiBodyJointMotor& motor) {
        return read(motor, &MotorInternals::m_desiredVelocity);
    }
    static double position(const btMultiBodyJointMotor& motor) {
        return read(motor, &MotorInternals::m_desiredPosition);
    }
    static double kd(const btMultiBodyJointMotor& motor) { return read(motor, &MotorInternals::m_kd); }
    static double kp(const btMultiBodyJointMotor& motor) { return read(motor, &MotorInternals::m_kp); }
    static double clamp(const btMultiBodyJointMotor& motor) { return read(motor, &MotorInternals::m_rhsClamp); }

private:
    static double read(const btMultiBodyJointMotor& motor, btScalar btMultiBodyJointMotor::*member) {
        return static_cast<double>(motor.*member);
    }
};

// The row asks for a rate at the tick's end, and for an impulse of at most so much.
BoundedRow motorRow(btMultiBodyJointMotor& motor, double q, double rate, double h) {
    const double servo =
        MotorInternals::kp(motor) * static_cast<double>(motor.getErp()) * (MotorInternals::position(motor) - q) / h;
    const double target = servo + rate + MotorInternals::kd(motor) * (MotorInternals::velocity(motor) - rate);
    const double clamp = MotorInternals::clamp(motor);
    const btScalar impulse = motor.getMaxAppliedImpulse();
    BoundedRow row;
    row.kind = BoundedRow::Kind::Motor;
    row.targetRate = std::clamp(target, -clamp, clamp);
    row.maxForce =
        impulse >= SIMD_INFINITY ? std::numeric_limits<double>::infinity() : static_cast<double>(impulse) / h;
    return row;
}

}  // namespace

const char* addBounds(btMultiBodyConstraint& constraint, const MultiBodyState& state, double h,
                      std::vector<JointBound>& bounds) {
    if (constraint.getConstraintType() == kMultiBodyElementType) return nullptr;
    const bool isLimit = typeid(constraint) == typeid(btMultiBodyJointLimitConstraint);
    const bool isMotor = typeid(constraint) == typeid(btMultiBodyJointMotor);
    if (!isLimit && !isMotor) return "a btMultiBodyConstraint that is neither a joint's limit nor its motor";
    btMultiBody& body = *constraint.getMultiBodyA();
    const int link = constraint.getLinkA();
    if (!hasCoordinate(body, link)) return "a limit or motor of a joint that is neither revolute nor prismatic";
    JointBound bound;
    bound.body = &body;
    bound.link = link;
    if (isMotor) {
        auto& motor = static_cast<btMultiBodyJointMotor&>(constraint);
        if (motor.getMaxAppliedImpulse() == 0) return nullptr;
        const btMultibodyLink& joint = body.getLink(link);
        bound.row = motorRow(motor, state.q[static_cast<std::size_t>(joint.m_cfgOffset)],
                             state.rates[static_cast<std::size_t>(joint.m_dofOffset)], h);
        bounds.push_back(bound);
        return nullptr;
    }
    const auto& limit = static_cast<const btMultiBodyJointLimitConstraint&>(constraint);
    bound.row.kind = BoundedRow::Kind::Limit;
    bound.row.bound = static_cast<double>(limit.getLowerBound());
    bound.row.side = 1;
    bounds.push_back(bound);
    bound.row.bound = static_cast<double>(limit.getUpperBound());
    bound.row.side = -1;
    bound.rowOfBullet = 1;
    bounds.push_back(bound);
    return nullptr;
}

}  // namespace ELASTO_BULLET_NAMESPACE
}  // namespace elasto
