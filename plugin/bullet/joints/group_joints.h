#pragma once
// The joints of one call of the solver: which of them the flow can hold, and how Bullet's own rows are put out of
// action.

#include <elasto/flow.h>
#include <elasto/precision.h>

#include <vector>

#include "joints/joint_rows.h"

class btRigidBody;
class btTypedConstraint;

namespace elasto {
inline namespace ELASTO_BULLET_NAMESPACE {

struct SolverGroup;

/// A joint that the flow can hold.
struct HeldJoint {
    btTypedConstraint* joint = nullptr;
    JointRows rows;    ///< in its bodies' frames; their indices are open
    int firstRow = 0;  ///< of those that Bullet has set up, among the solver's rows of joints
    int rowCount = 0;
};

/// A joint that the flow cannot hold, and why.
struct RefusedJoint {
    int bodyA, bodyB;  ///< solver bodies
    const char* reason;
};

/// The joints of a group. Kept from group to group, for the storage.
struct GroupJoints {
    std::vector<const HeldJoint*> held;  ///< ordered by their bodies' places in the world, class and frames
    std::vector<RefusedJoint> refused;   ///< those that have rows, but not such that the flow knows
    std::vector<HeldJoint> storage;      ///< those that are held, in the group's order, and room for more

    void clear() {
        held.clear();
        refused.clear();
    }
};

/// @param h the tick [s] @param joints are written over
void findJoints(const SolverGroup& group, double h, GroupJoints& joints);

/// Makes the rows that Bullet has set up for the joint do nothing.
void disable(SolverGroup& group, const HeldJoint& joint);

}  // namespace ELASTO_BULLET_NAMESPACE
}  // namespace elasto
