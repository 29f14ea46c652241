#pragma once
/// @file from_bullet.h
/// Elements in the place of the limits and springs of Bullet's 6-dof joints (btHinge2Constraint is one).
/// See docs/from_bullet.md; for hinges and sliders ElastoGap::fromHingeLimit and fromSliderLimit.

#include <elasto/elasto_gap.h>

#include <memory>
#include <vector>

class btGeneric6DofConstraint;
class btGeneric6DofSpringConstraint;
class btGeneric6DofSpring2Constraint;

namespace elasto {
inline namespace ELASTO_BULLET_NAMESPACE {

/// Stops at the limits that a coordinate of the joint has now, which are released: 0, 1, 2 are the ways of B's origin
/// along A's x, y and z axes, 3, 4, 5 the angles about them. c is in N/m (N.m/rad), d in N.s/m (N.m.s/rad).
/// @throws InvalidParameter if the coordinate has no limits or is locked, if it is an angle and another one is not
///         locked (its limits are Euler angles then, which elements do not measure), or if c or d is not allowed
StopPair stopsFromLimits(btGeneric6DofConstraint& joint, int coordinate, double c, double d);
StopPair stopsFromLimits(btGeneric6DofSpring2Constraint& joint, int coordinate, double c, double d);

/// Springs that act as the joint's, which are switched off: stiffness and equilibrium of each, and its damping. Of
/// btGeneric6DofSpringConstraint, whose own damping has no unit, d is that of each spring [N.s/m, N.m.s/rad].
/// SpringDamperParallel for ways, RotationalSpringDamper for an angle.
/// @throws InvalidParameter, and nothing is changed, if an angle has a spring and another angle is not locked
std::vector<std::unique_ptr<ForceElement>> replaceSprings(btGeneric6DofSpringConstraint& joint, double d);
std::vector<std::unique_ptr<ForceElement>> replaceSprings(btGeneric6DofSpring2Constraint& joint);

}  // namespace ELASTO_BULLET_NAMESPACE
}  // namespace elasto
