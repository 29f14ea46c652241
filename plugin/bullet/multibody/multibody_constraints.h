#pragma once
// Bullet's own constraints on the joints of a btMultiBody in the flow's terms: limits, motors and gears.

#include <elasto/flow.h>
#include <elasto/precision.h>

#include <vector>

#include "multibody/multibody_state.h"

class btMultiBodyConstraint;

namespace elasto {
inline namespace ELASTO_BULLET_NAMESPACE {

/// A limit or motor of the coordinate of a revolute or prismatic joint, or a gear between two such joints of one
/// multibody: a motor to rest of q - ratio q_second.
struct JointBound {
    btMultiBody* body = nullptr;
    int link = 0;
    int second = -1;                              ///< link of a gear's second joint
    double ratio = 0;                             ///< 0: there is none
    double offset = 0;                            ///< gears that keep their place: q = ratio q_second + offset
    bool closes = false;                          ///< such a gear, which stands there already
    BoundedRow row;                               ///< what it does; its geometry and bodies are open
    btMultiBodyConstraint* constraint = nullptr;  ///< null: Bullet has not prepared it to hold an impulse
    int rowOfBullet = 0;
};

/// Adds what the constraint does in a tick of h [s]; nothing for a constraint of ours. A gear with an erp takes that
/// share of what it is off its place back within the tick.
/// @param state of its multibody at the tick's start
/// @return why the flow cannot have it, or null
const char* addBounds(btMultiBodyConstraint& constraint, const MultiBodyState& state, double h,
                      std::vector<JointBound>& bounds);

/// Takes from the first joints of gears that keep their place what a tick's rounding and its errors have left of
/// theirs.
/// @param state of their multibody at the tick's end
void closeGears(const std::vector<JointBound>& bounds, const btMultiBody& body, MultiBodyState& state);

}  // namespace ELASTO_BULLET_NAMESPACE
}  // namespace elasto
