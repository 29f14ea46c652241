#pragma once
// Bullet's joints in the flow's terms.

#include <elasto/flow.h>
#include <elasto/precision.h>

#include <vector>

class btTypedConstraint;

namespace elasto {
inline namespace ELASTO_BULLET_NAMESPACE {

/// What a joint holds, drives, limits and pulls at, between its bodies A and B in their own frames (a and b are left
/// open).
struct JointRows {
    std::vector<HeldRow> held;
    std::vector<BoundedRow> bounded;
    std::vector<FlowElement> springs;
    bool startAtB = false;          ///< the joint's body B is a of all rows, its body A is b
    const char* refusal = nullptr;  ///< why the flow cannot take the joint's place, as "softness (CFM)"; null if it can
    int fewest = 0;                 ///< rows that Bullet may have set up for it; another number means
    int most = 0;                   ///< that something else is active

    bool isEmpty() const { return held.empty() && bounded.empty() && springs.empty(); }
    /// As new, but with its storage.
    void clear() {
        held.clear();
        bounded.clear();
        springs.clear();
        startAtB = false;
        refusal = nullptr;
        fewest = most = 0;
    }
};

/// What Bullet's joints take from the tick.
struct JointTick {
    double h = 1. / 60;  ///< [s] > 0: the strength of some motors is an impulse per tick
    double erp = 0.2;    ///< share of its error that a servo motor closes per tick, at most: btContactSolverInfo::m_erp
};

/// Hinges, sliders, ball joints, fixed joints, gears, cone-twist joints and 6-dof joints with their motors, limits and
/// springs. Softness (CFM), the motor of cone-twist joints and ball joints of bounded strength between bodies that move
/// are refused, and classes that derive from Bullet's.
/// @param rows are written over
void rowsOf(const btTypedConstraint& joint, const JointTick& tick, JointRows& rows);

}  // namespace ELASTO_BULLET_NAMESPACE
}  // namespace elasto
