#pragma once
/// @file law_branch.h
/// Which branch of a force law acts at a point (s_rel, v_rel). Nothing here draws.

#include <elasto/law.h>

#include <string_view>

namespace elasto::panels {

/// Branches of the laws.
enum class LawBranch {
    Free,           ///< out of contact: no force
    Linear,         ///< spring and damper as they are
    DamperAtLimit,  ///< the damper pushes as much as the spring and no more: f = 2 f_c
    Released,       ///< in contact, but the damper would pull: no force
    Slips,          ///< friction, or a rope at its largest force, gives way
};
inline constexpr int kLawBranches = 5;

/// The branch that acts. @param z inner state, of laws that have one
LawBranch branchOf(const Law& law, double s, double v, double z = 0);
/// Whether the law is on this branch in an area of (s_rel, v_rel).
bool hasBranch(const Law& law, LawBranch branch);
/// "free", "spring + damper", "damper at its limit", "released", "gives way".
std::string_view branchName(LawBranch branch);
/// The law's equation on a branch, e.g. "f = f_c + f_d" or "tau = 2 tau_c".
/// @param isTorque the element acts about an axis
std::string_view branchFormula(const Law& law, LawBranch branch, bool isTorque);

/// Part of the s_rel axis around which a law is interesting: its contact border with as much contact beside it as the
/// motion reaches.
/// @param low, high what the motion has covered
struct LawWindow {
    double sLow, sHigh;  ///< [m, rad]
    double vHigh;        ///< |v_rel| <= vHigh is shown [m/s, rad/s]
};
LawWindow lawWindow(const Law& law, double sLow, double sHigh, double vSize);

}  // namespace elasto::panels
