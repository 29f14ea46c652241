#pragma once
// The laws as the flow sees them: a hybrid automaton per element. Modes and their transitions come from one place for
// every integrator; section 2 of docs/method.md has the table.

#include <elasto/law.h>
#include <elasto/reduced_law.h>

namespace elasto::flow {

/// Phase of an element. Contact phases hold for one side, see HybridLaw::side.
enum class Mode : unsigned char {
    Free,     ///< y <= 0: no force
    Clipped,  ///< d u > spring force: damper limited by the spring, F = 2 F_c
    Linear,   ///< F = F_c + damper; Slip: the slider sticks
    Slack,    ///< F_c + d u < 0: no force although still in contact
    Slips,    ///< Slip: the slider gives way in the direction of `side`; with f_max: the edge does, F = f_max
    Full,     ///< with f_max: F_c + damper > f_max and F_c < f_max, F = f_max
};

/// A law as ReducedLaw states it, and what it is made of. Penetration y > 0 in contact, u = y', pushing force F >= 0
/// (F < 0 pulls):
///   side -1 (gap, lower side of a backlash):  y = edgeLow - s, u = -v, f = -F
///   side +1 (rope, upper side of a backlash): y = s - edgeHigh, u = v,  f = +F
/// A spring-damper is Linear for ever, with y = s - edgeHigh of either sign (side +1). Where it has two dampings its
/// side is that of its speed.
struct HybridLaw : ReducedLaw {
    static HybridLaw from(const Law& law) { return {reduced(law)}; }
    bool operator==(const HybridLaw&) const = default;
    bool isPiecewiseLinear() const { return kind != Kind::Contact || (n == 1 && !lankarani); }
    /// Contact whose force has a limit, at which its edge gives way.
    bool isLimited() const { return f_max < std::numeric_limits<double>::infinity(); }
    /// Whether what has slipped is an inner state.
    bool slips() const { return kind == Kind::Slip || isLimited(); }
    /// Whether it can take energy: a spring that is cut off by its damper does.
    bool canLose() const { return kind == Kind::Series || slips() || d > 0 || (hasRebound && d_rebound > 0); }
    /// Damping on a side, and the larger one.
    double damping(int side) const { return hasRebound && side > 0 ? d_rebound : d; }
    double largestDamping() const { return hasRebound && d_rebound > d ? d_rebound : d; }
    /// True where no state gives a force: a bounded damper without a spring, a series element without one of its parts.
    bool neverActs() const;

    double penetration(double s, int side) const { return side < 0 ? edgeLow - s : s - edgeHigh; }
    double edge(int side) const { return side < 0 ? edgeLow : edgeHigh; }
    /// Contact: whether it acts on that side; the side on which s is further in, of those; and how far in (< 0: free).
    bool actsOn(int side) const { return side < 0 ? below : above; }
    int deeperSide(double s) const {
        if (!below) return +1;
        return above && penetration(s, +1) > penetration(s, -1) ? +1 : -1;
    }
    double depth(double s) const { return penetration(s, deeperSide(s)); }
    /// Spring force F_c(y) for y >= 0, its derivative and its integral. They continue to y < 0 as odd, even and even
    /// functions, so that an integrator that ends a step a little beyond the edge meets no kink.
    double springForce(double y) const;
    double springSlope(double y) const;
    double springEnergy(double y) const;
};

/// Mode and side of an element at one instant. Free has no side (its value stays at -1).
struct Phase {
    Mode mode = Mode::Free;
    int side = -1;
    double slipped = 0;  ///< Slip: what the slider had slipped when it came to stick; with f_max: likewise the edge
    bool operator==(const Phase& other) const = default;
    bool inContact() const { return mode != Mode::Free; }
};

/// Edge and penetration of a contact phase, with what the edge has slipped.
inline double edgeInPhase(const HybridLaw& law, Phase phase) {
    return law.isLimited() ? law.edge(phase.side) + phase.slipped : law.edge(phase.side);
}
inline double penetrationInPhase(const HybridLaw& law, Phase phase, double s) {
    return law.penetration(law.isLimited() ? s - phase.slipped : s, phase.side);
}

/// Phase from a state that is not known to lie on a boundary; a = s'' decides where y = 0 and u = 0, and where a slider
/// at its limit is at rest. @param z inner state
Phase classify(const HybridLaw& law, double s, double v, double a, double z);
/// The phase that follows an exit at s: that of Exit::next, with what the slider has slipped.
Phase entered(const HybridLaw& law, Phase before, Phase next, double s);
/// Force f (Modelica's sign) of an element held in a phase, at any (s, v): the phase's own smooth characteristic, which
/// continues beyond the boundaries of the phase. Series: c (s - s_unstretched - z).
double forceInPhase(const HybridLaw& law, Phase phase, double s, double v, double z);
/// Force of a piecewise linear law that is no series element where its slopes vanish: at v = 0 on the edge. Only what
/// slides has one.
double offsetInPhase(const HybridLaw& law, Phase phase);
/// Share of the springs in the force of an element that is no series element: what changes energyInPhase. None where an
/// edge gives way.
double springForceInPhase(const HybridLaw& law, Phase phase, double s);
/// Derivatives of forceInPhase. Series: byZ = -byS.
struct ForceSlopes {
    double byS = 0;  ///< df/ds [N/m]
    double byV = 0;  ///< df/dv [N.s/m]
};
ForceSlopes slopesInPhase(const HybridLaw& law, Phase phase, double s, double v);
/// Energy stored at s (and z) in that phase: the law's stored energy, 0 where free.
double energyInPhase(const HybridLaw& law, Phase phase, double s, double z);
/// Series: rate of the damper's length under the force f. Where d = 0 the damper takes up all of the length without a
/// force: its length is then settledDamper() at any time and the rate is of no use.
inline double damperRate(const HybridLaw& law, double f) {
    return law.d > 0 ? f / law.d : 0;
}
/// The inner state once the element has reached s in that phase. Series: where the damper does not resist it has taken
/// up all of the length; Slip: what the slider has slipped. z otherwise.
double innerState(const HybridLaw& law, Phase phase, double s, double z);
/// Slip: force of the slider's spring at s if it had slipped z before, and what it has slipped then.
struct Slider {
    double force = 0;
    double z = 0;
};
Slider sliderAt(const HybridLaw& law, double s, double z);

/// The functions whose fall through zero ends a phase, and where each leads.
struct Exit {
    enum class Kind : unsigned char {
        Low,          ///< s - edgeLow          (Free: contact of the lower side begins)
        High,         ///< edgeHigh - s         (Free: contact of the upper side begins)
        Lift,         ///< y                    (contact ends)
        Saturated,    ///< F_c(y) - d u         (Linear -> Clipped)
        Unsaturated,  ///< d u - F_c(y)         (Clipped -> Linear)
        Slackens,     ///< F_c(y) + d u         (Linear -> Slack)
        Tightens,     ///< -(F_c(y) + d u)      (Slack -> Linear)
        YieldsUp,     ///< the slider, or the spring of a limited contact, reaches its upper limit (-> Slips)
        YieldsDown,   ///< the slider reaches its lower limit (Linear -> Slips)
        Sticks,       ///< its speed            (Slips -> Linear)
        Fills,        ///< f_max - F            (Clipped, Linear -> Full)
        Relents,      ///< F_c + d u - f_max    (Full -> Linear)
        Turns,        ///< its speed            (the other damping)
    };
    Kind kind;
    Phase next;
};
inline constexpr int kMostExits = 3;
struct Exits {
    Exit exits[kMostExits];
    int count = 0;
};
Exits exitsOf(const HybridLaw& law, Phase phase);
/// Value of an exit's function; >= 0 while the phase lasts.
double exitValue(const HybridLaw& law, Phase phase, Exit::Kind kind, double s, double v);

/// An exit's function of a piecewise linear law: value = byS (s - edge) + byV v.
struct LinearExit {
    double byS = 0;
    double byV = 0;
    double edge = 0;
};
LinearExit linearExit(const HybridLaw& law, Phase phase, Exit::Kind kind);
/// How far from zero an exit's function may be taken for zero where steps are this uncertain in speed, within h.
double exitSlack(const HybridLaw& law, Exit::Kind kind, double speed, double h);
/// True for exits on the edge itself, where contact begins or ends: there the state is snapped to s = edge.
inline bool isOnEdge(Exit::Kind kind) {
    return kind == Exit::Kind::Low || kind == Exit::Kind::High || kind == Exit::Kind::Lift;
}

/// True for exits whose functions depend on s alone, and linearly.
inline bool isByPlace(Exit::Kind kind) {
    return isOnEdge(kind) || kind == Exit::Kind::YieldsUp || kind == Exit::Kind::YieldsDown;
}

/// True for exits at which an element stands still.
inline bool isAtRest(Exit::Kind kind) {
    return kind == Exit::Kind::Sticks || kind == Exit::Kind::Turns;
}

/// Oscillation that explicit steps can follow [rad per step]. What is stiffer is left to implicit ones: at rest it is
/// quiet.
inline constexpr double kExplicitReach = 0.5;

/// h d W of an element that acts (series: h c/d): how often its damper lowers a rate by e in the time h. W is the
/// element's own inverse mass.
double decayOf(const HybridLaw& law, Phase phase, double W, double h);
/// True where an explicit step would be limited by the damping of this element in its present phase rather than by
/// accuracy: decayOf beyond the limit.
bool isStronglyDamped(const HybridLaw& law, Phase phase, double W, double h, double limit);

}  // namespace elasto::flow
