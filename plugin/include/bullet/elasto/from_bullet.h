#pragma once
/// @file from_bullet.h
/// Elements in the place of the limits and springs of Bullet's 6-dof joints (btUniversalConstraint and
/// btHinge2Constraint are such), and of the limits of its cone-twist joint.
/// See docs/from_bullet.md; for hinges and sliders ElastoGap::fromHingeLimit and fromSliderLimit.

#include <elasto/elasto_gap.h>
#include <elasto/export.h>

#include <memory>
#include <vector>

class btConeTwistConstraint;
class btGeneric6DofConstraint;
class btGeneric6DofSpringConstraint;
class btGeneric6DofSpring2Constraint;

namespace elasto {
inline namespace ELASTO_BULLET_NAMESPACE {

/// Stops at the limits that a coordinate of the joint has now, which are released: 0, 1, 2 are the ways of B's origin
/// along A's x, y and z axes, 3, 4, 5 the angles about them. c is in N/m (N.m/rad), d in N.s/m (N.m.s/rad).
///
/// Angles are the joint's own (getAngle), with its sign, zero and order. Where the others are locked at 0 an angle is
/// one about an axis; else it is an Euler angle (Placement::eulerAngle): the stop pushes along the angle's gradient,
/// with the moment c (limit - angle), so its rate times the moment is its power. Where the second angle of the order (y
/// in Bullet's default, x y z) is not 0, Bullet's moments about the two others are smaller by its cosine. The angle
/// that counts is the one nearest to the middle of the limits.
/// @throws InvalidParameter (nothing is changed then) if the coordinate has no limits or is locked, if it is the second
///         of several free angles and a limit is not within -pi/2 ... pi/2, which that angle never leaves, or if c or d
///         is not allowed
ELASTO_API StopPair stopsFromLimits(btGeneric6DofConstraint& joint, int coordinate, double c, double d);
/// The same of the newer kind of 6-dof joint, whose order of turns may be any (getRotationOrder).
ELASTO_API StopPair stopsFromLimits(btGeneric6DofSpring2Constraint& joint, int coordinate, double c, double d);

/// The stop that takes the place of a cone-twist joint's swing limits, which are released (setLimit(4, BT_LARGE_FLOAT),
/// setLimit(5, BT_LARGE_FLOAT)). It is pressed in by the angle by which A's x axis has swung beyond the cone
/// about B's (Placement::swingClearance), whose spans are the joint's times its limit softness, as Bullet's own. Where
/// a span is below the joint's fix threshold Bullet holds that swing: the stop is that of the other one.
/// @throws InvalidParameter (nothing is changed then) if there are no swing limits below pi, if both swings are held,
/// or
///         if c or d is not allowed
ELASTO_API std::unique_ptr<ElastoGap> swingStopFromLimits(btConeTwistConstraint& joint, double c, double d);

/// The same for the joint's twist: the angle by which A is turned against B about the x axes, at both ends of the twist
/// span times the limit softness. Released: setLimit(3, -1).
/// @throws InvalidParameter (nothing is changed then) if the twist has no limits below pi or is locked, or if c or d is
///         not allowed
ELASTO_API StopPair twistStopsFromLimits(btConeTwistConstraint& joint, double c, double d);

/// Springs that act as the joint's, which are switched off: stiffness and equilibrium of each. Its own damping has no
/// unit: d is that of each spring [N.s/m, N.m.s/rad].
/// SpringDamperParallel for ways, RotationalSpringDamper for angles, which are measured as stopsFromLimits says.
/// @throws InvalidParameter (nothing is changed then) if a stiffness or damping is not allowed
ELASTO_API std::vector<std::unique_ptr<ForceElement>> replaceSprings(btGeneric6DofSpringConstraint& joint, double d);
/// The same of the newer kind of 6-dof joint, with the damping that each of its springs has.
ELASTO_API std::vector<std::unique_ptr<ForceElement>> replaceSprings(btGeneric6DofSpring2Constraint& joint);

}  // namespace ELASTO_BULLET_NAMESPACE
}  // namespace elasto
