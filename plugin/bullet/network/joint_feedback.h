#pragma once
// What Bullet tells the user of a joint's impulses, for joints that the flow holds.

#include "joints/group_joints.h"
#include "network/solved_network.h"

namespace elasto {
inline namespace ELASTO_BULLET_NAMESPACE {

struct SolverGroup;

/// True if the user asks for the joint's impulses.
bool isWatched(const btTypedConstraint& joint);

/// Before Bullet's rows are disabled: notes their gradients for the joints that are watched.
void noteRows(const SolverGroup& group, const HeldJoint& held, SolvedNetwork& solved);

/// After the tick: mean force and torque on both bodies, as btJointFeedback has them; the applied impulse, which is
/// that of Bullet's last row; a joint with a row beyond its threshold breaks. Of rows that do the same (closed loops)
/// each has its share: of all impulses along the rows that give the bodies what the joint gave, the smallest.
/// @param bulletH Bullet's tick [s]
void reportImpulses(const SolvedNetwork& solved, btScalar bulletH);

}  // namespace ELASTO_BULLET_NAMESPACE
}  // namespace elasto
