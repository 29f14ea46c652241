#pragma once
// Bullet's own constraints on the joints of a btMultiBody in the flow's terms: limits and motors.

#include <elasto/flow.h>
#include <elasto/precision.h>

#include <vector>

#include "multibody/multibody_state.h"

class btMultiBodyConstraint;

namespace elasto {
inline namespace ELASTO_BULLET_NAMESPACE {

/// A limit or motor of the coordinate of a revolute or prismatic joint.
struct JointBound {
    btMultiBody* body = nullptr;
    int link = 0;
    BoundedRow row;                               ///< what it does; its geometry and bodies are open
    btMultiBodyConstraint* constraint = nullptr;  ///< null: Bullet has not prepared it to hold an impulse
    int rowOfBullet = 0;
};

/// Adds what the constraint does in a tick of h [s]; nothing for a constraint of ours.
/// @param state of its multibody at the tick's start
/// @return why the flow cannot have it, or null
const char* addBounds(btMultiBodyConstraint& constraint, const MultiBodyState& state, double h,
                      std::vector<JointBound>& bounds);

}  // namespace ELASTO_BULLET_NAMESPACE
}  // namespace elasto
