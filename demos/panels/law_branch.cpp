#include "law_branch.h"

#include <algorithm>
#include <cmath>

namespace elasto::panels {

namespace {

/// Signed so that contact pushes with a negative force, as a gap does.
LawBranch boundedBranch(double f_c, double f_d2, bool hasLimit, bool isReleasing) {
    if (hasLimit && f_d2 < f_c) return LawBranch::DamperAtLimit;
    if (isReleasing && f_c + f_d2 >= 0) return LawBranch::Released;
    return LawBranch::Linear;
}

LawBranch gapBranch(const ElastoGapLaw& law, double s, double v) {
    const ForceTerms force = law.evaluate(s, v);
    if (!force.contact) return LawBranch::Free;
    switch (law.parameters().characteristic) {
        case GapCharacteristic::BoundedDamper:
            return boundedBranch(force.f_c, force.f_d2, true, true);
        case GapCharacteristic::NoPull:
            return boundedBranch(force.f_c, force.f_d2, false, true);
        case GapCharacteristic::Linear:
        case GapCharacteristic::LankaraniNikravesh:
            break;
    }
    return LawBranch::Linear;
}

LawBranch backlashBranch(const ElastoBacklashLaw& law, double phi, double w) {
    if (law.isPlainSpringDamper()) return LawBranch::Linear;
    const ForceTerms force = law.evaluate(phi, w);
    if (!force.contact) return LawBranch::Free;
    const double sign = force.f_c > 0 ? -1 : 1;
    const double f_c = sign * force.f_c, f_d2 = sign * force.f_d2;
    switch (law.parameters().characteristic) {
        case BacklashCharacteristic::BoundedDamper:
            return boundedBranch(f_c, f_d2, true, true);
        case BacklashCharacteristic::NoPull:
            return boundedBranch(f_c, f_d2, false, true);
        case BacklashCharacteristic::Linear:
            break;
    }
    return LawBranch::Linear;
}

}  // namespace

LawBranch branchOf(const Law& law, double s, double v, double) {
    if (const auto* gap = std::get_if<ElastoGapLaw>(&law)) return gapBranch(*gap, s, v);
    if (const auto* backlash = std::get_if<ElastoBacklashLaw>(&law)) return backlashBranch(*backlash, s, v);
    return LawBranch::Linear;
}

std::string_view branchName(LawBranch branch) {
    switch (branch) {
        case LawBranch::Free:
            return "free";
        case LawBranch::Linear:
            return "spring + damper";
        case LawBranch::DamperAtLimit:
            return "damper at its limit";
        case LawBranch::Released:
            break;
    }
    return "released";
}

std::string_view branchFormula(const Law& law, LawBranch branch, bool isTorque) {
    switch (branch) {
        case LawBranch::Free:
        case LawBranch::Released:
            return isTorque ? "tau = 0" : "f = 0";
        case LawBranch::DamperAtLimit:
            return isTorque ? "tau = 2 tau_c" : "f = 2 f_c";
        case LawBranch::Linear:
            break;
    }
    if (std::holds_alternative<SpringDamperSeriesLaw>(law)) return "f = c (s - s_unstretched - s_damper)";
    return isTorque ? "tau = tau_c + tau_d" : "f = f_c + f_d";
}

LawWindow lawWindow(const Law& law, double sLow, double sHigh, double vSize) {
    double low = sLow, high = sHigh;
    const auto include = [&](double s) {
        low = std::min(low, s);
        high = std::max(high, s);
    };
    double c = 0, d = 0;
    if (const auto* gap = std::get_if<ElastoGapLaw>(&law)) {
        const ElastoGapParameters& p = gap->parameters();
        c = p.c, d = p.d;
        // All of the contact that was reached, and as much free way beside it; a long flight needs no room.
        const double depth = std::max(p.s_rel0 - sLow, 0.);
        if (depth > 0) {
            low = sLow - 0.3 * depth;
            high = p.s_rel0 + 0.6 * depth;
        } else {
            include(p.s_rel0);
            const double room = 0.4 * (high - low);
            low = std::min(low, p.s_rel0 - room);
        }
    } else if (const auto* backlash = std::get_if<ElastoBacklashLaw>(&law)) {
        const ElastoBacklashParameters& p = backlash->parameters();
        c = p.c, d = p.d;
        include(p.phi_rel0 - 0.8 * p.b);
        include(p.phi_rel0 + 0.8 * p.b);
    } else if (const auto* plain = std::get_if<SpringDamperLaw>(&law)) {
        c = plain->parameters().c, d = plain->parameters().d;
        include(plain->parameters().s_rel0);
    }
    if (!(high - low > 1e-12 * std::max(std::abs(low), std::abs(high))) || high - low < 1e-12) {
        const double room = std::max(0.1 * std::abs(low), 1e-3);
        low -= room, high += room;
    }
    double v = 1.2 * vSize;
    // The borders c x = d |v| of the limited damper ought to be seen, where they are near.
    if (c > 0 && d > 0) v = std::max(v, std::min(0.5 * (high - low) * c / d, 3 * std::max(v, 1e-3)));
    if (!(v > 1e-9) || !std::isfinite(v)) v = 1;
    return {low, high, v};
}

}  // namespace elasto::panels
