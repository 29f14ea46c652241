// btHingeConstraint: about z of both frames. Its angle grows as A turns against B, or the other way round where A's
// frame is the reference.

#include <BulletDynamics/ConstraintSolver/btHingeConstraint.h>
#include <BulletDynamics/Dynamics/btRigidBody.h>

#include <algorithm>

#include "joints/joint_translation.h"

namespace elasto {
inline namespace ELASTO_BULLET_NAMESPACE {

namespace {

constexpr int kAxis = 2;

struct HingeLimits {
    bool isLimited;
    double lower, upper;
};

/// Bullet tells limits brought to (-pi, pi], which does not show whether they are more than a turn apart, or none. Its
/// own test does, at the angle farthest from their middle; a second one leaves the state of the present angle.
HingeLimits limitsOf(btHingeConstraint& hinge, double sign) {
    const double lower = static_cast<double>(hinge.getLowerLimit());
    double upper = static_cast<double>(hinge.getUpperLimit());
    if (upper < lower) upper += static_cast<double>(SIMD_2_PI);
    const double farthest = (lower + upper) / 2 + static_cast<double>(SIMD_PI);
    const btTransform turn(btQuaternion(btVector3(0, 0, 1), btScalar(sign * farthest)));
    hinge.testLimit(hinge.getAFrame().inverse(), turn * hinge.getBFrame().inverse());
    const bool isLimited = hinge.getSolveLimit() != 0;
    hinge.testLimit(hinge.getRigidBodyA().getCenterOfMassTransform(), hinge.getRigidBodyB().getCenterOfMassTransform());
    return {isLimited, lower, upper};
}

}  // namespace

void translate(const btHingeConstraint& constant, double h, JointRows& rows) {
    auto& joint = const_cast<btHingeConstraint&>(constant);  // many of its getters are not const
    if ((constant.getFlags() & (BT_HINGE_FLAGS_CFM_NORM | BT_HINGE_FLAGS_CFM_STOP)) != 0) {
        return refuse("softness (CFM)", rows);
    }
    // Bullet then leaves the lever arms in rows that push nothing.
    if (joint.getAngularOnly()) return refuse("a hinge of angles only", rows);
    const JointFrames frames{constant, constant.getAFrame(), constant.getBFrame()};
    if (!frames.isAligned(kAxis)) return refuse("a hinge that is turned over", rows);
    addBall(frames, rows);
    rows.held.push_back(frames.orthogonal(kAxis, 0));
    rows.held.push_back(frames.orthogonal(kAxis, 1));
    rows.fewest = rows.most = 5;

    // The angle by which B is turned against A, per hinge angle.
    const double sign = constant.getUseReferenceFrameA() ? 1 : -1;
    const HingeLimits limits = limitsOf(joint, sign);
    const bool isLocked = limits.isLimited && limits.lower == limits.upper;
    if (isLocked) {
        // A's x, turned to where it is to stand, and B's y.
        const btTransform turn(btQuaternion(btVector3(0, 0, 1), btScalar(sign * limits.lower)));
        const btTransform turnedA = frames.a * turn;
        const JointFrames turned{constant, turnedA, frames.b};
        if (!turned.isAligned(0)) return refuse("a hinge far from the angle at which it is locked", rows);
        rows.held.push_back(turned.orthogonal(0, 1));
    }
    if (joint.getEnableAngularMotor() && !isLocked) {
        const btScalar torque = joint.getMaxMotorImpulse() >= SIMD_INFINITY
                                    ? SIMD_INFINITY
                                    : btScalar(static_cast<double>(joint.getMaxMotorImpulse()) / h);
        addMotor(frames.about(kAxis), sign * static_cast<double>(joint.getMotorTargetVelocity()), torque, rows);
    }
    if (limits.isLimited && !isLocked) {
        const double restitution =
            static_cast<double>(constant.getLimitRelaxationFactor() * constant.getLimitBiasFactor());
        const double first = sign * limits.lower;
        const double second = sign * limits.upper;
        addLimits(frames.about(kAxis), std::min(first, second), std::max(first, second), restitution, rows);
    }
    if (joint.getEnableAngularMotor() || limits.isLimited) rows.most = 6;
}

}  // namespace ELASTO_BULLET_NAMESPACE
}  // namespace elasto
