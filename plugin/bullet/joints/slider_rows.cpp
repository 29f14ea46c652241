// btSliderConstraint: along and about x of both frames. Its displacement is that of B against A, or the other way round
// where B's frame is the reference; its angle is that of B against A, but its motor turns A against B.

#include <BulletDynamics/ConstraintSolver/btSliderConstraint.h>

#include <cmath>

#include "joints/joint_translation.h"

namespace elasto {
inline namespace ELASTO_BULLET_NAMESPACE {

namespace {

constexpr int kSoftSlider = BT_SLIDER_FLAGS_CFM_DIRLIN | BT_SLIDER_FLAGS_CFM_DIRANG | BT_SLIDER_FLAGS_CFM_ORTLIN |
                            BT_SLIDER_FLAGS_CFM_ORTANG | BT_SLIDER_FLAGS_CFM_LIMLIN | BT_SLIDER_FLAGS_CFM_LIMANG;

/// Where Bullet's row lets a body bounce.
double restitutionOf(btScalar damping, btScalar softness) {
    return static_cast<double>(btFabs(btScalar(1) - damping) * softness);
}

}  // namespace

void translate(const btSliderConstraint& constant, JointRows& rows) {
    auto& joint = const_cast<btSliderConstraint&>(constant);  // its getters are not const
    if ((constant.getFlags() & kSoftSlider) != 0) return refuse("softness (CFM)", rows);
    const JointFrames frames{constant, constant.getFrameOffsetA(), constant.getFrameOffsetB()};
    if (!frames.isAligned(0)) return refuse("a slider that is turned over", rows);
    rows.held = {frames.alongAxis(1), frames.alongAxis(2), frames.orthogonal(0, 1), frames.orthogonal(0, 2)};
    rows.fewest = rows.most = 4;

    const double sign = joint.getUseLinearReferenceFrameA() ? 1 : -1;
    const double low = sign * static_cast<double>(sign > 0 ? joint.getLowerLinLimit() : joint.getUpperLinLimit());
    const double high = sign * static_cast<double>(sign > 0 ? joint.getUpperLinLimit() : joint.getLowerLinLimit());
    if (low == high) rows.held.push_back(frames.alongAxis(0, low));
    if (joint.getPoweredLinMotor() && low != high) {
        addMotor(frames.along(0), sign * static_cast<double>(joint.getTargetLinMotorVelocity()),
                 joint.getMaxLinMotorForce(), rows);
    }
    if (low < high) {
        addLimits(frames.along(0), low, high, restitutionOf(joint.getDampingLimLin(), joint.getSoftnessLimLin()), rows);
    }
    // Rounding decides in each tick whether Bullet has a row for a limit that is just reached, or for what is locked.
    if (low <= high || joint.getPoweredLinMotor()) rows.most += 1;

    const double least = static_cast<double>(joint.getLowerAngLimit());
    const double largest = static_cast<double>(joint.getUpperAngLimit());
    if (least == largest) {
        // A's y, turned to where it is to stand, and B's z.
        const btTransform turnedA = frames.a * btTransform(btQuaternion(btVector3(1, 0, 0), joint.getLowerAngLimit()));
        const JointFrames turned{constant, turnedA, frames.b};
        if (!turned.isAligned(1)) return refuse("a slider far from the angle at which it is locked", rows);
        rows.held.push_back(turned.orthogonal(1, 2));
    }
    if (joint.getPoweredAngMotor() && least != largest) {
        addMotor(frames.about(0), -static_cast<double>(joint.getTargetAngMotorVelocity()), joint.getMaxAngMotorForce(),
                 rows);
    }
    if (least < largest) {
        addLimits(frames.about(0), least, largest, restitutionOf(joint.getDampingLimAng(), joint.getSoftnessLimAng()),
                  rows);
    }
    if (least <= largest || joint.getPoweredAngMotor()) rows.most += 1;
}

}  // namespace ELASTO_BULLET_NAMESPACE
}  // namespace elasto
