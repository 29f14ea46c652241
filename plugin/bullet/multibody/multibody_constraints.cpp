#include "multibody/multibody_constraints.h"

#include <elasto/multibody_element.h>

#include <BulletDynamics/Featherstone/btMultiBody.h>
#include <BulletDynamics/Featherstone/btMultiBodyGearConstraint.h>
#include <BulletDynamics/Featherstone/btMultiBodyJointLimitConstraint.h>
#include <BulletDynamics/Featherstone/btMultiBodyJointMotor.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <typeinfo>

#include "host/class_of.h"

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

// The same of a gear.
class GearInternals : private btMultiBodyGearConstraint {
public:
    static double ratio(const btMultiBodyGearConstraint& gear) {
        return static_cast<double>(gear.*(&GearInternals::m_gearRatio));
    }
    static double target(const btMultiBodyGearConstraint& gear) {
        return static_cast<double>(gear.*(&GearInternals::m_relativePositionTarget));
    }
    static double erp(const btMultiBodyGearConstraint& gear) {
        return static_cast<double>(gear.*(&GearInternals::m_erp));
    }
    static int auxiliaryLink(const btMultiBodyGearConstraint& gear) { return gear.*(&GearInternals::m_gearAuxLink); }
};

// Of a relation between two coordinates: what is less comes from rounding, Bullet's included.
constexpr double kInPlace = 1e-6;

double forceOf(btMultiBodyConstraint& constraint, double h) {
    const btScalar impulse = constraint.getMaxAppliedImpulse();
    return impulse >= SIMD_INFINITY ? std::numeric_limits<double>::infinity() : static_cast<double>(impulse) / h;
}

// The row asks for a rate at the tick's end, and for an impulse of at most so much.
BoundedRow motorRow(btMultiBodyJointMotor& motor, double q, double rate, double h) {
    const double servo =
        MotorInternals::kp(motor) * static_cast<double>(motor.getErp()) * (MotorInternals::position(motor) - q) / h;
    const double target = servo + rate + MotorInternals::kd(motor) * (MotorInternals::velocity(motor) - rate);
    const double clamp = MotorInternals::clamp(motor);
    BoundedRow row;
    row.kind = BoundedRow::Kind::Motor;
    row.targetRate = std::clamp(target, -clamp, clamp);
    row.maxForce = forceOf(motor, h);
    return row;
}

double coordinateOf(const btMultiBody& body, int link, const MultiBodyState& state) {
    return state.q[static_cast<std::size_t>(body.getLink(link).m_cfgOffset)];
}

// Bullet holds q_a + ratio q_b at the target.
const char* addGear(btMultiBodyGearConstraint& gear, const MultiBodyState& state, double h,
                    std::vector<JointBound>& bounds) {
    btMultiBody& body = *gear.getMultiBodyA();
    if (gear.getMultiBodyB() != &body) return "a btMultiBodyGearConstraint with another body";
    if (GearInternals::auxiliaryLink(gear) >= 0) return "a btMultiBodyGearConstraint with an auxiliary link";
    for (const int link : {gear.getLinkA(), gear.getLinkB()}) {
        if (!hasCoordinate(body, link)) return "a gear of a joint that is neither revolute nor prismatic";
    }
    if (gear.getLinkA() == gear.getLinkB()) return "a btMultiBodyGearConstraint between a joint and itself";
    if (gear.getMaxAppliedImpulse() == 0) return nullptr;
    JointBound bound;
    bound.body = &body;
    bound.link = gear.getLinkA();
    bound.second = gear.getLinkB();
    bound.ratio = -GearInternals::ratio(gear);
    bound.offset = GearInternals::target(gear);
    bound.row.maxForce = forceOf(gear, h);
    const double own = coordinateOf(body, bound.link, state);
    const double led = bound.ratio * coordinateOf(body, bound.second, state) + bound.offset;
    const double apart = led - own;
    const double erp = GearInternals::erp(gear);
    bound.closes = erp > 0 && std::abs(apart) <= kInPlace * (1 + std::max(std::abs(own), std::abs(led)));
    if (!bound.closes) bound.row.targetRate = erp * apart / h;
    bounds.push_back(bound);
    return nullptr;
}

}  // namespace

const char* addBounds(btMultiBodyConstraint& constraint, const MultiBodyState& state, double h,
                      std::vector<JointBound>& bounds) {
    if (constraint.getConstraintType() == kMultiBodyElementType) return nullptr;
    const bool isLimit = classOf(constraint) == typeid(btMultiBodyJointLimitConstraint);
    const bool isMotor = classOf(constraint) == typeid(btMultiBodyJointMotor);
    if (classOf(constraint) == typeid(btMultiBodyGearConstraint)) {
        return addGear(static_cast<btMultiBodyGearConstraint&>(constraint), state, h, bounds);
    }
    if (!isLimit && !isMotor) return "a btMultiBodyConstraint that is neither a joint's limit nor its motor nor a gear";
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

void closeGears(const std::vector<JointBound>& bounds, const btMultiBody& body, MultiBodyState& state) {
    // One gear may turn the leader of another one: in the order of how far they are from the first leader.
    for (std::size_t round = 0; round < bounds.size(); ++round) {
        bool hasChanged = false;
        for (const JointBound& bound : bounds) {
            if (bound.body != &body || !bound.closes) continue;
            double& own = state.q[static_cast<std::size_t>(body.getLink(bound.link).m_cfgOffset)];
            const double led = bound.ratio * coordinateOf(body, bound.second, state) + bound.offset;
            const double most = 2 * kInPlace * (1 + std::max(std::abs(own), std::abs(led)));
            if (own == led || !(std::abs(own - led) <= most)) continue;
            own = led;
            hasChanged = true;
        }
        if (!hasChanged) return;
    }
}

}  // namespace ELASTO_BULLET_NAMESPACE
}  // namespace elasto
