#pragma once
// Bullet's joints in the flow's terms.

#include <elasto/flow.h>
#include <elasto/precision.h>

#include <vector>

class btTypedConstraint;

namespace elasto {
inline namespace ELASTO_BULLET_NAMESPACE {

/// The rows that a joint holds, between its bodies A and B in their own frames (a and b are left open). Empty if the
/// flow cannot take its place: another class than btHingeConstraint, btHingeAccumulatedAngleConstraint,
/// btPoint2PointConstraint, btSliderConstraint, btFixedConstraint and btGeneric6DofSpring2Constraint with all or none
/// of its angles locked; a motor, spring, limit or softness; joint feedback or a breaking threshold; a kinematic body.
/// @param rows that Bullet has set up for it in this tick; a number that does not fit means something else is active
std::vector<HeldRow> heldRowsOf(const btTypedConstraint& joint, int rows);
/// The same with the number of rows that it has while no limit is reached.
std::vector<HeldRow> heldRowsOf(const btTypedConstraint& joint);

}  // namespace ELASTO_BULLET_NAMESPACE
}  // namespace elasto
