#pragma once
// Coordinates of Bullet's 6-dof joints, and what becomes of their angles.

#include "joints/joint_translation.h"

class btGeneric6DofConstraint;
class btGeneric6DofSpring2Constraint;

namespace elasto {
inline namespace ELASTO_BULLET_NAMESPACE {

/// One of the six coordinates, in Bullet's terms.
struct SixDofCoordinate {
    btScalar lower, upper;
    bool hasMotor;
    btScalar rate, maxForce, restitution;
    bool hasSpring = false;
    SpringDamperParameters spring = {};

    bool isFree() const { return lower > upper; }
    bool isLocked() const { return lower == upper; }
    bool isLimited() const { return lower < upper; }
};

/// Motor, limits and spring of a coordinate that is not locked.
/// @param sign by which Bullet's coordinate is that of the row
/// @param rateSign by which Bullet's rate of a motor is
/// @return why not, or null
const char* addActions(const BoundedRow& coordinate, const SixDofCoordinate& given, double sign, double rateSign,
                       JointRows& rows);

/// How A's frame becomes B's, with the negatives of the joint's angles.
EulerTurns turnsOf(btGeneric6DofConstraint& joint);
EulerTurns turnsOf(btGeneric6DofSpring2Constraint& joint);

/// Angles by which B's frame, turned about one axis after the other, becomes A's.
/// @param turns how A's frame becomes B's, with the angles' negatives
/// @return why not, or null
const char* addAngles(const JointFrames& frames, const SixDofCoordinate (&angles)[3], EulerTurns turns,
                      JointRows& rows);

}  // namespace ELASTO_BULLET_NAMESPACE
}  // namespace elasto
