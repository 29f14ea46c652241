#include "law/hybrid_law.h"

#include "numerics/elementary.h"

#include <cmath>

namespace elasto::flow {

namespace {

/// Of its limit: a slider within rounding of it is there.
constexpr double kAtLimit = 1 - 1e-12;

/// x^n for x >= 0; the exponents of lines, spheres (Hertz) and cones without the cost of pow.
double power(double x, double n) {
    if (n == 1) return x;
    if (n == 1.5) return x * std::sqrt(x);
    if (n == 2) return x * x;
    return elementary::pow(x, n);
}

/// sign(x) |x|^n.
double oddPower(double x, double n) {
    if (n == 1) return x;
    return std::copysign(power(std::abs(x), n), x);
}

/// The side's own velocity u = y'.
double towards(double v, int side) {
    return side < 0 ? -v : v;
}

double damperShare(const HybridLaw& law, int side, double y, double u) {
    return law.lankarani ? law.d * oddPower(y / law.s_ref, law.n) * u : law.damping(side) * u;
}

/// Pushing force F of a contact phase.
double push(const HybridLaw& law, Phase phase, double y, double u) {
    switch (phase.mode) {
        case Mode::Clipped:
            return 2 * law.springForce(y);
        case Mode::Linear:
            return law.springForce(y) + damperShare(law, phase.side, y, u);
        case Mode::Full:
        case Mode::Slips:
            return law.f_max;
        default:
            return 0;
    }
}

/// The stretch of a limited contact and what its edge has slipped, at s if it had slipped z before.
struct Stretch {
    double y = 0;
    double slipped = 0;
};
Stretch stretchAt(const HybridLaw& law, int side, double s, double z) {
    if (!law.isLimited()) return {law.penetration(s, side), 0};
    const double y = law.penetration(s - z, side);
    if (!(y > law.y_max)) return {y, z};
    return {law.y_max, s - law.edgeHigh - law.y_max};
}

/// Force of a slider that gives way; 0 where it sticks.
double sliding(const HybridLaw& law, Phase phase) {
    return phase.mode == Mode::Slips ? phase.side * law.f_slip : 0;
}

/// The phase in which contact begins: the damper outweighs the spring of a fresh contact whatever the speed.
Phase contactBegins(const HybridLaw& law, int side) {
    return {law.bounded ? Mode::Clipped : Mode::Linear, side};
}

}  // namespace

bool HybridLaw::neverActs() const {
    if (kind == Kind::Series) return c == 0 || d == 0;
    if (kind == Kind::Friction) return false;
    return c == 0 && (largestDamping() == 0 || bounded);
}

double HybridLaw::springForce(double y) const {
    if (!table.isEmpty()) return table.force(y);
    return n == 1 ? c * y : c * s_ref * oddPower(y / s_ref, n);
}

double HybridLaw::springSlope(double y) const {
    if (!table.isEmpty()) return table.slope(y);
    return n == 1 ? c : c * n * power(std::abs(y / s_ref), n - 1);
}

double HybridLaw::springEnergy(double y) const {
    if (!table.isEmpty()) return table.energy(y);
    if (n == 1) return 0.5 * c * y * y;
    return springForce(y) * y / (n + 1);
}

Phase classify(const HybridLaw& law, double s, double v, double a, double z) {
    if (law.kind == HybridLaw::Kind::Slip) {
        const Slider slider = sliderAt(law, s, z);
        const int side = slider.force < 0 ? -1 : +1;
        const double u = towards(v, side);
        const bool gives =
            std::abs(slider.force) >= kAtLimit * law.f_slip && (u > 0 || (u == 0 && towards(a, side) > 0));
        return {gives ? Mode::Slips : Mode::Linear, gives ? side : +1, slider.z};
    }
    if (law.kind == HybridLaw::Kind::Friction) return {};  // a row of its own acts
    if (law.hasRebound) return {Mode::Linear, v > 0 || (v == 0 && a > 0) ? +1 : -1};
    if (law.kind != HybridLaw::Kind::Contact) return {Mode::Linear, +1};
    if (law.neverActs()) return {};
    const int side = law.deeperSide(s);
    const auto [y, slipped] = stretchAt(law, side, s, z);
    const Phase free{Mode::Free, -1, slipped};
    const double u = towards(v, side);
    if (y < 0) return free;
    const bool enters = u > 0 || (u == 0 && towards(a, side) > 0);
    if (y == 0) return enters ? Phase{contactBegins(law, side).mode, side, slipped} : free;
    const double springForce = law.springForce(y);
    const double damperForce = damperShare(law, side, y, u);
    if (law.isLimited() && y >= kAtLimit * law.y_max && enters) return {Mode::Slips, side, slipped};
    const bool isClipped = law.bounded && damperForce > springForce;
    if (law.isLimited() && springForce + (isClipped ? springForce : damperForce) > law.f_max) {
        return {Mode::Full, side, slipped};
    }
    if (isClipped) return {Mode::Clipped, side, slipped};
    if (law.noPull && springForce + damperForce < 0) return {Mode::Slack, side, slipped};
    return {Mode::Linear, side, slipped};
}

double forceInPhase(const HybridLaw& law, Phase phase, double s, double v, double z) {
    if (law.kind == HybridLaw::Kind::Series) return law.d > 0 ? law.c * (s - law.edgeHigh - z) : 0;
    if (phase.mode == Mode::Free || phase.mode == Mode::Slack) return 0;
    if (law.kind == HybridLaw::Kind::Slip) return springForceInPhase(law, phase, s) + sliding(law, phase) + law.d * v;
    const double F = push(law, phase, penetrationInPhase(law, phase, s), towards(v, phase.side));
    return phase.side < 0 ? -F : F;
}

double offsetInPhase(const HybridLaw& law, Phase phase) {
    if (law.isLimited()) return phase.mode == Mode::Slips || phase.mode == Mode::Full ? phase.side * law.f_max : 0;
    if (law.kind != HybridLaw::Kind::Slip) return 0;
    return phase.mode == Mode::Slips ? sliding(law, phase) : -law.c_slip * phase.slipped;
}

double springForceInPhase(const HybridLaw& law, Phase phase, double s) {
    if (law.kind == HybridLaw::Kind::Slip) {
        const double x = s - law.edgeHigh;
        const double spring = (law.c - law.c_slip) * x;
        return phase.mode == Mode::Slips ? spring : spring + law.c_slip * (x - phase.slipped);
    }
    if (law.kind == HybridLaw::Kind::SpringDamper) return law.c * (s - law.edgeHigh);
    const bool isStretched = phase.inContact() && phase.mode != Mode::Slips;
    return isStretched ? phase.side * law.springForce(penetrationInPhase(law, phase, s)) : 0;
}

ForceSlopes slopesInPhase(const HybridLaw& law, Phase phase, double s, double v) {
    if (law.kind == HybridLaw::Kind::Series) return {law.d > 0 ? law.c : 0, 0};
    if (law.kind == HybridLaw::Kind::Slip) return {phase.mode == Mode::Slips ? law.c - law.c_slip : law.c, law.d};
    // The signs of y, u and F turn together with the side, so that the slopes are the same on both sides.
    const double y = penetrationInPhase(law, phase, s);
    switch (phase.mode) {
        case Mode::Clipped:
            return {2 * law.springSlope(y), 0};
        case Mode::Linear:
            break;
        default:
            return {};
    }
    if (!law.lankarani) return {law.springSlope(y), law.damping(phase.side)};
    const double x = y / law.s_ref;
    const double share = law.n / law.s_ref * power(std::abs(x), law.n - 1);
    return {law.springSlope(y) + law.d * share * towards(v, phase.side), law.d * oddPower(x, law.n)};
}

double energyInPhase(const HybridLaw& law, Phase phase, double s, double z) {
    if (law.kind == HybridLaw::Kind::Series) return law.d > 0 ? law.springEnergy(s - law.edgeHigh - z) : 0;
    if (law.kind == HybridLaw::Kind::Slip) {
        const double x = s - law.edgeHigh;
        const double stretch = phase.mode == Mode::Slips ? law.f_slip / law.c_slip : x - phase.slipped;
        return 0.5 * ((law.c - law.c_slip) * x * x + law.c_slip * stretch * stretch);
    }
    if (law.isLimited() && phase.mode == Mode::Slips) return law.springEnergy(law.y_max);
    return phase.inContact() ? law.springEnergy(penetrationInPhase(law, phase, s)) : 0;
}

double innerState(const HybridLaw& law, Phase phase, double s, double z) {
    if (law.kind == HybridLaw::Kind::Slip) {
        if (phase.mode == Mode::Linear) return phase.slipped;
        return s - law.edgeHigh - phase.side * (law.f_slip / law.c_slip);
    }
    if (law.isLimited()) return phase.mode == Mode::Slips ? s - law.edgeHigh - law.y_max : phase.slipped;
    const bool yields = law.kind == HybridLaw::Kind::Series && law.d == 0 && law.c > 0;
    return yields ? s - law.edgeHigh : z;
}

Phase entered(const HybridLaw& law, Phase before, Phase next, double s) {
    if (law.slips()) next.slipped = innerState(law, before, s, 0);
    return next;
}

Slider sliderAt(const HybridLaw& law, double s, double z) {
    const double x = s - law.edgeHigh;
    const double force = law.c_slip * (x - z);
    if (std::abs(force) <= law.f_slip) return {force, z};
    const double limit = std::copysign(law.f_slip, force);
    return {limit, x - limit / law.c_slip};
}

Exits exitsOf(const HybridLaw& law, Phase phase) {
    using Kind = Exit::Kind;
    if (law.kind == HybridLaw::Kind::Slip) {
        if (phase.mode == Mode::Slips) return {{{Kind::Sticks, {Mode::Linear, +1}}, {}}, 1};
        return {{{Kind::YieldsUp, {Mode::Slips, +1}}, {Kind::YieldsDown, {Mode::Slips, -1}}}, 2};
    }
    if (law.hasRebound) return {{{Kind::Turns, {Mode::Linear, -phase.side}}}, 1};
    if (law.kind != HybridLaw::Kind::Contact || law.neverActs()) return {};
    const int side = phase.side;
    switch (phase.mode) {
        case Mode::Free: {
            const Exit low{Kind::Low, contactBegins(law, -1)};
            const Exit high{Kind::High, contactBegins(law, +1)};
            if (!law.below) return {{high, {}}, 1};
            return {{low, high}, law.above ? 2 : 1};
        }
        case Mode::Clipped:
            return {{{Kind::Unsaturated, {Mode::Linear, side}}, {Kind::Fills, {Mode::Full, side}}},
                    law.isLimited() ? 2 : 1};
        case Mode::Slack:
            return {{{Kind::Lift, {}}, {Kind::Tightens, {Mode::Linear, side}}}, 2};
        case Mode::Full:
            return {{{Kind::Relents, {Mode::Linear, side}}, {Kind::YieldsUp, {Mode::Slips, side}}}, 2};
        case Mode::Slips:
            return {{{Kind::Sticks, {Mode::Linear, side}}}, 1};
        case Mode::Linear:
            break;
    }
    if (law.isLimited()) {
        // With d > 0 the force reaches its limit before the spring's does, and vanishes before the contact ends.
        if (law.d == 0) return {{{Kind::Lift, {}}, {Kind::YieldsUp, {Mode::Slips, side}}}, 2};
        return {{{Kind::Slackens, {Mode::Slack, side}},
                 {Kind::Saturated, {Mode::Clipped, side}},
                 {Kind::Fills, {Mode::Full, side}}},
                3};
    }
    if (law.noPull && law.lankarani) return {{{Kind::Lift, {}}, {Kind::Slackens, {Mode::Slack, side}}}, 2};
    // With d > 0 a force that cannot pull vanishes before the contact ends, so that Slack comes between.
    if (!law.noPull) return {{{Kind::Lift, {}}, {}}, 1};
    return {{{Kind::Slackens, {Mode::Slack, side}}, {Kind::Saturated, {Mode::Clipped, side}}}, law.bounded ? 2 : 1};
}

double exitValue(const HybridLaw& law, Phase phase, Exit::Kind kind, double s, double v) {
    using Kind = Exit::Kind;
    if (kind == Kind::Low) return s - law.edgeLow;
    if (kind == Kind::High) return law.edgeHigh + phase.slipped - s;
    if (kind == Kind::YieldsUp || kind == Kind::YieldsDown) {
        const LinearExit exit = linearExit(law, phase, kind);
        return exit.byS * (s - exit.edge);
    }
    if (isAtRest(kind)) return phase.side * v;
    const double y = penetrationInPhase(law, phase, s);
    if (kind == Kind::Lift) return y;
    // A damper that grows with the spring's force vanishes with it: both are divided by (y / s_ref)^n.
    const double springForce = law.lankarani ? law.c * law.s_ref : law.springForce(y);
    const double damperForce = law.d * towards(v, phase.side);
    switch (kind) {
        case Kind::Saturated:
            return springForce - damperForce;
        case Kind::Unsaturated:
            return damperForce - springForce;
        case Kind::Slackens:
            return springForce + damperForce;
        case Kind::Fills:
            return law.f_max - springForce - (phase.mode == Mode::Clipped ? springForce : damperForce);
        case Kind::Relents:
            return springForce + damperForce - law.f_max;
        default:
            return -(springForce + damperForce);
    }
}

LinearExit linearExit(const HybridLaw& law, Phase phase, Exit::Kind kind) {
    using Kind = Exit::Kind;
    if (kind == Kind::Low) return {1, 0, law.edgeLow};
    if (kind == Kind::High) return {-1, 0, law.edgeHigh + phase.slipped};
    const double sign = phase.side;
    const double edge = edgeInPhase(law, phase);
    switch (kind) {
        case Kind::Lift:
            return {sign, 0, edge};
        case Kind::YieldsUp:
            if (law.isLimited()) return {-1, 0, edge + law.y_max};
            return {-1, 0, law.edgeHigh + phase.slipped + law.f_slip / law.c_slip};
        case Kind::YieldsDown:
            return {1, 0, law.edgeHigh + phase.slipped - law.f_slip / law.c_slip};
        case Kind::Sticks:
        case Kind::Turns:
            return {0, sign, edge};
        case Kind::Fills:
            if (phase.mode == Mode::Clipped) return {-2 * law.c, 0, edge + law.f_max / (2 * law.c)};
            return {-law.c, -law.d, edge + law.f_max / law.c};
        case Kind::Relents:
            return {law.c, law.d, edge + law.f_max / law.c};
        case Kind::Saturated:
            return {sign * law.c, -sign * law.d, edge};
        case Kind::Unsaturated:
            return {-sign * law.c, sign * law.d, edge};
        case Kind::Slackens:
            return {sign * law.c, sign * law.d, edge};
        default:
            return {-sign * law.c, -sign * law.d, edge};
    }
}

double exitSlack(const HybridLaw& law, Exit::Kind kind, double speed, double h) {
    if (isAtRest(kind)) return speed;
    return isByPlace(kind) ? speed * h : speed * law.d;
}

double decayOf(const HybridLaw& law, Phase phase, double W, double h) {
    if (law.kind == HybridLaw::Kind::Series) return law.d > 0 ? h * law.c / law.d : 0;
    return phase.inContact() ? h * law.damping(phase.side) * W : 0;
}

bool isStronglyDamped(const HybridLaw& law, Phase phase, double W, double h, double limit) {
    return decayOf(law, phase, W, h) > limit;
}

}  // namespace elasto::flow
