#pragma once
// A force law cut into branches on each of which it is smooth, so that an integrator of high order keeps its order
// while a branch is held and stops exactly where the branch ends.

#include <elasto/law.h>

#include <algorithm>
#include <array>
#include <limits>

namespace elasto::reference {

/// Part of a law's characteristic that is in force.
enum class Part : unsigned char {
    Apart,         ///< within the free range: no force
    Limited,       ///< damper limited by the spring force on the way in: twice the spring force
    Proportional,  ///< spring and damper as they are (springs and dampers without a gap: always)
    Slack,         ///< past the free range, but the damper would pull: no force
    Slips,         ///< a slider, or a rope's end, gives way, on that side
    Full,          ///< the force is at its limit, but the spring's is not yet
};

/// Part, and for contacts the side of the free range: -1 below (gaps, backlash turned back), +1 above.
struct Branch {
    Part part = Part::Apart;
    int side = -1;
    bool operator==(const Branch&) const = default;
};

/// What a law gives on a branch. Signs as in Modelica (f > 0 pulls).
struct BranchForce {
    ForceTerms terms;
    double lossPower = 0;
    double dissipatedPower = 0;
};

/// A law as a set of branches.
class Characteristic {
public:
    explicit Characteristic(const Law& law);

    /// Most boundaries that a branch can have.
    static constexpr int kMaxBoundaries = 3;
    using Boundaries = std::array<double, kMaxBoundaries>;

    /// Whether the force depends on s_damper and s_damper is a state.
    bool hasDamperState() const { return slides() || (m_kind == Kind::Series && m_c > 0 && m_d > 0); }
    /// Whether the law has more than one branch.
    bool hasBranches() const { return m_hasRebound || (m_kind != Kind::SpringDamper && m_kind != Kind::Series); }
    /// Dry friction: its force where it sticks is the mechanics' to find (FrictionForces).
    bool isFriction() const { return m_kind == Kind::Friction; }
    /// s_damper as far as it is no state: follows s where d = 0 (no force can stretch the spring), else as it was.
    double passiveDamperLength(double s, double s_damper) const;

    /// Branch at s, v.
    Branch branchAt(double s, double v, double s_damper) const;
    /// Force on a branch; smooth also a little beyond the branch's boundaries.
    BranchForce force(Branch branch, double s, double v, double s_damper) const;
    /// s_damper of the state that is integrated, and the other way round: of what slides that is the stretch of its
    /// spring, so that it stays exactly at its limit while it gives way.
    double innerState(double s, double state) const { return slides() ? s - m_high - state : state; }
    /// The state that is integrated at the start: a slider is within its limits.
    double startState(double s, double s_damper) const {
        const double state = innerState(s, s_damper);
        if (m_kind == Kind::Slip) return std::clamp(state, -m_f_slip / m_c_slip, m_f_slip / m_c_slip);
        return std::min(state, m_y_max);
    }
    /// The state that is integrated where a branch begins: a slider that gives way is at its limit.
    double settled(Branch branch, double state) const {
        if (branch.part != Part::Slips || m_kind == Kind::Friction) return state;
        return isLimited() ? m_y_max : branch.side * m_f_slip / m_c_slip;
    }
    /// Rate of the state that is integrated.
    double damperRate(Branch branch, double f, double v) const;
    double storedEnergy(double s, double s_damper) const;

    /// Functions that are >= 0 within the branch; unused ones are 1.
    Boundaries boundaries(Branch branch, double s, double v, double s_damper) const;
    /// How many of the first boundary functions are distances of s from edges of the free range.
    int distanceCount(Branch branch) const {
        if (m_kind != Kind::Contact) return 0;
        if (!inContact(branch)) return m_below && m_above ? 2 : 1;
        const bool isOfForces = branch.part == Part::Full || (branch.part == Part::Proportional && damperActs());
        return isLimited() && (isOfForces || branch.part == Part::Slips) ? 0 : 1;
    }
    /// The branch beyond boundary `index`. @param v rate at the boundary, which tells how contact begins
    Branch beyond(Branch branch, int index, double v) const;
    /// How far a boundary function can be off for errors ds, dv of s and v.
    Boundaries boundaryNoise(Branch branch, double s, double v, double ds, double dv) const;

    static bool inContact(Branch branch) { return branch.part != Part::Apart; }
    /// Distance of the edges of the free range from zero: the scale that rounding of s has.
    double largestEdge() const;

private:
    using Kind = ReducedLaw::Kind;

    double penetration(double s, int side) const { return side < 0 ? m_low - s : s - m_high; }
    /// Side of the free range on which s is, or, within it, would leave it first.
    int sideAt(double s) const { return m_above && (!m_below || s > m_high) ? +1 : -1; }
    double springForce(double y) const;
    double springSlope(double y) const;
    double springEnergy(double y) const;
    double damperForce(int side, double y, double u) const;
    /// Contact whose force has a limit, at which its edge gives way.
    bool isLimited() const { return m_y_max < std::numeric_limits<double>::infinity(); }
    bool slides() const { return m_kind == Kind::Slip || isLimited(); }
    double damping(int side) const { return m_hasRebound && side > 0 ? m_d_rebound : m_d; }
    double stretch(Branch branch, double s, double s_damper) const {
        return penetration(isLimited() ? s - s_damper : s, branch.side);
    }
    bool damperActs() const { return m_d > 0 && !m_powerlessLimit; }

    Boundaries limitedBoundaries(Branch branch, double y, double u) const;
    Branch beyondLimited(Branch branch, int index) const;

    Kind m_kind = Kind::SpringDamper;
    double m_c = 0;
    double m_d = 0;
    ForceTable m_table;
    double m_n = 1;
    double m_s_ref = 1;
    double m_c_slip = 0;  // of the slider, in addition to m_c
    double m_f_slip = 0;
    double m_f_max = 0;  // of a limited contact
    double m_y_max = std::numeric_limits<double>::infinity();
    double m_d_rebound = 0;
    bool m_hasRebound = false;
    double m_low = 0;   // contact below (Contact)
    double m_high = 0;  // contact above (Contact); unstretched length otherwise
    bool m_below = false;
    bool m_above = false;
    bool m_limited = false;            // damper limited by the spring force on the way in
    bool m_slackens = false;           // pulling set to zero
    bool m_lankarani = false;          // damping grows with penetration
    bool m_powerlessLimit = false;     // limited by a spring without force: no force at all
    bool m_lossEndsWithForce = false;  // Modelica's lossPower of a backlash is 0 where the torque is clipped
};

}  // namespace elasto::reference
