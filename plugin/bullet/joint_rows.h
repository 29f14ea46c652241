#pragma once
// Bullet's joints in the flow's terms.

#include <elasto/flow.h>
#include <elasto/precision.h>

#include <vector>

class btTypedConstraint;

namespace elasto {
inline namespace ELASTO_BULLET_NAMESPACE {

/// What a joint holds, drives and limits, between its bodies A and B in their own frames (a and b are left open).
struct JointRows {
    std::vector<HeldRow> held;
    std::vector<BoundedRow> bounded;
    const char* refusal = nullptr;  ///< why the flow cannot take the joint's place, as "a servo motor"; null if it can
    int fewest = 0;                 ///< rows that Bullet may have set up for it; another number means
    int most = 0;                   ///< that something else is active

    bool isEmpty() const { return held.empty() && bounded.empty(); }
};

/// Hinges, sliders, ball joints, fixed joints, gears, cone-twist joints away from their limits, and 6-dof joints whose
/// angles are free, locked, or about one axis; motors and limits with them. Springs, servo motors and softness (CFM)
/// are refused, and classes that derive from Bullet's.
/// @param h the tick [s] > 0: Bullet gives the strength of some motors as an impulse per tick
JointRows rowsOf(const btTypedConstraint& joint, double h);

}  // namespace ELASTO_BULLET_NAMESPACE
}  // namespace elasto
