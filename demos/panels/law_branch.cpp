#include "law_branch.h"

#include <algorithm>
#include <cmath>
#include <tuple>
#include <utility>

namespace elasto::panels {

namespace {

/// Of its limit: a slider within rounding of it slips.
constexpr double kAtLimit = 1 - 1e-9;

/// Of the side that touches; signed so that contact pushes with a negative force, as a gap does.
LawBranch contactBranch(const ReducedLaw& form, const ForceTerms& force) {
    if (!force.contact) return LawBranch::Free;
    const double sign = force.f_c > 0 ? -1 : 1;
    const double f_c = sign * force.f_c, f_d2 = sign * force.f_d2;
    if (std::abs(force.f) >= kAtLimit * form.f_max) return LawBranch::Slips;
    if (form.bounded && f_d2 < f_c) return LawBranch::DamperAtLimit;
    if (form.noPull && f_c + f_d2 >= 0) return LawBranch::Released;
    return LawBranch::Linear;
}

/// All of the contact below the edge that was reached, and as much free way beside it; a long flight needs no room.
std::pair<double, double> windowOfGap(double edge, double sLow, double sHigh) {
    const double depth = std::max(edge - sLow, 0.);
    if (depth > 0) return {sLow - 0.3 * depth, edge + 0.6 * depth};
    const double high = std::max(sHigh, edge);
    const double room = 0.4 * (high - std::min(sLow, edge));
    return {std::min(sLow, edge - room), high};
}

std::pair<double, double> mirrored(std::pair<double, double> window) {
    return {-window.second, -window.first};
}

}  // namespace

LawBranch branchOf(const Law& law, double s, double v, double z) {
    const ReducedLaw form = reduced(law);
    if (form.kind == ReducedLaw::Kind::Slip) {
        const double h = form.c_slip * (s - form.edgeHigh - z);
        return std::abs(h) >= kAtLimit * form.f_slip && h * v > 0 ? LawBranch::Slips : LawBranch::Linear;
    }
    if (form.kind == ReducedLaw::Kind::Friction) {
        return evaluate(law, s, v, z).contact ? LawBranch::Linear : LawBranch::Slips;
    }
    if (form.kind == ReducedLaw::Kind::Contact) return contactBranch(form, evaluate(law, s, v, z));
    return LawBranch::Linear;
}

bool hasBranch(const Law& law, LawBranch branch) {
    const ReducedLaw::Kind kind = reduced(law).kind;
    if (kind == ReducedLaw::Kind::Friction) return branch == LawBranch::Slips;  // it sticks at a speed, not in an area
    const bool isLimited = reduced(law).f_max < kLargestParameter;
    if (branch == LawBranch::Slips) return kind == ReducedLaw::Kind::Slip || isLimited;
    return branch == LawBranch::Linear || kind == ReducedLaw::Kind::Contact;
}

std::string_view branchName(LawBranch branch) {
    switch (branch) {
        case LawBranch::Free:
            return "free";
        case LawBranch::Linear:
            return "spring + damper";
        case LawBranch::DamperAtLimit:
            return "damper at its limit";
        case LawBranch::Slips:
            return "gives way";
        case LawBranch::Released:
            break;
    }
    return "released";
}

std::string_view branchFormula(const Law& law, LawBranch branch, bool isTorque) {
    if (std::holds_alternative<FrictionLaw>(law)) {
        return branch == LawBranch::Linear ? "sticks, with what it takes"
               : isTorque                  ? "tau = +- tau_Coulomb and what depends on the speed"
                                           : "f = +- F_Coulomb and what depends on the speed";
    }
    switch (branch) {
        case LawBranch::Free:
        case LawBranch::Released:
            return isTorque ? "tau = 0" : "f = 0";
        case LawBranch::DamperAtLimit:
            return isTorque ? "tau = 2 tau_c" : "f = 2 f_c";
        case LawBranch::Slips:
            if (std::holds_alternative<RopeLaw>(law)) return "f = f_max";
            return isTorque ? "tau = c phi + d w +- tau_slip" : "f = c x + d v +- f_slip";
        case LawBranch::Linear:
            break;
    }
    if (std::holds_alternative<SpringDamperSeriesLaw>(law)) return "f = c (s - s_unstretched - s_damper)";
    if (reduced(law).kind == ReducedLaw::Kind::Slip) {
        return isTorque ? "tau = c phi + d w + c_slip (phi - phi_slip)" : "f = c x + d v + c_slip (x - s_slip)";
    }
    return isTorque ? "tau = tau_c + tau_d" : "f = f_c + f_d";
}

LawWindow lawWindow(const Law& law, double sLow, double sHigh, double vSize) {
    double low = sLow, high = sHigh;
    const auto include = [&](double s) {
        low = std::min(low, s);
        high = std::max(high, s);
    };
    const ReducedLaw form = reduced(law);
    const bool isContact = form.kind == ReducedLaw::Kind::Contact;
    if (isContact && form.below && form.above) {
        const double play = form.edgeHigh - form.edgeLow;
        include(form.edgeLow - 0.3 * play);
        include(form.edgeHigh + 0.3 * play);
    } else if (isContact && form.above) {
        std::tie(low, high) = mirrored(windowOfGap(-form.edgeHigh, -sHigh, -sLow));
    } else if (isContact) {
        std::tie(low, high) = windowOfGap(form.edgeLow, sLow, sHigh);
    } else if (form.kind != ReducedLaw::Kind::Series) {
        include(form.edgeHigh);
    }
    const double c = form.kind == ReducedLaw::Kind::Series ? 0 : form.c, d = form.d;
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
