#include "checks.h"

#include <elasto/law.h>

#include <algorithm>
#include <cmath>

namespace elasto {

namespace {

/// Of the largest force: a spring within rounding of it slips.
constexpr double kFull = 1 - 1e-12;

}  // namespace

std::span<const LawParameter> RopeLaw::list() {
    static constexpr LawParameter all[] = {
        {"c", Measured::Stiffness, 0, true, kRequired, "spring constant"},
        {"d", Measured::Damping, 0, true, kRequired, "damping constant"},
        {"s_unstretched", Measured::Place, kAnyValue, true, 0, "length up to which it is slack"},
        {"n", Measured::Number, 1, true, 1, "exponent of the spring force"},
        {"s_ref", Measured::Length, 0, false, 1, "stretch at which f_c = c s_ref"},
        {"f_max", Measured::Force, 0, false, kLargestParameter, "most force, at which it slips; 1e60: no limit"},
        {"s_slip_start", Measured::InnerStart, kAnyValue, true, 0, "what has slipped at the start"},
    };
    return all;
}

const std::vector<ElementTypeInfo>& RopeLaw::types() {
    static const std::vector<ElementTypeInfo> all = {
        {.type = ElementType::Rope,
         .name = "Rope",
         .placing = Placing::LineOrAxis,
         .fields =
             {{"c", 0}, {"d", 1}, {"s_unstretched", 2}, {"n", 3}, {"s_ref", 4}, {"f_max", 5}, {"s_slip_start", 6}},
         .innerState = "s_slip",
         .robotElement = "rope"},
    };
    return all;
}

RopeLaw::RopeLaw(const RopeParameters& parameters, const char* owner) : m_parameters(parameters) {
    checks::requireAll(owner, list(), values());
    checks::requireFinitePower(owner, parameters.c, parameters.d, parameters.n, parameters.s_ref);
}

LawValues RopeLaw::values() const {
    const auto& [c, d, s_unstretched, n, s_ref, f_max, s_slip_start] = m_parameters;
    return {c, d, s_unstretched, n, s_ref, f_max, s_slip_start};
}

RopeLaw RopeLaw::of(const LawValues& values, const char* owner) {
    return RopeLaw({.c = values[0],
                    .d = values[1],
                    .s_unstretched = values[2],
                    .n = values[3],
                    .s_ref = values[4],
                    .f_max = values[5],
                    .s_slip_start = values[6]},
                   owner);
}

/// Stretch at which the spring alone has f_max.
double RopeLaw::largestStretch() const {
    const auto& [c, d, s_unstretched, n, s_ref, f_max, s_slip_start] = m_parameters;
    return n == 1 ? f_max / c : s_ref * std::pow(f_max / (c * s_ref), 1 / n);
}

ReducedLaw RopeLaw::reduced() const {
    const auto& [c, d, s_unstretched, n, s_ref, f_max, s_slip_start] = m_parameters;
    ReducedLaw law{.kind = ReducedLaw::Kind::Contact, .c = c, .d = d, .n = n, .s_ref = s_ref};
    law.edgeLow = law.edgeHigh = s_unstretched;
    law.below = false;
    law.above = true;
    law.bounded = law.noPull = d > 0;
    if (!isLimited() || c == 0) return law;
    law.f_max = f_max;
    law.y_max = largestStretch();
    return law;
}

/// Of the spring: what is beyond the largest stretch slips.
double RopeLaw::stretch(double s_rel, double s_slip) const {
    if (!isLimited() || m_parameters.c == 0) return s_rel - m_parameters.s_unstretched;
    return std::min(s_rel - m_parameters.s_unstretched - s_slip, largestStretch());
}

ForceTerms RopeLaw::evaluate(double s_rel, double v_rel, double s_slip) const {
    const auto& [c, d, s_unstretched, n, s_ref, f_max, s_slip_start] = m_parameters;
    ForceTerms terms;
    const double x = stretch(s_rel, s_slip);
    terms.contact = x > 0;
    if (!terms.contact) return terms;
    terms.f_c = std::min(n == 1 ? c * x : c * s_ref * std::pow(x / s_ref, n), f_max);
    terms.f_d2 = d * v_rel;
    terms.f_d = std::min(std::max(terms.f_d2, -terms.f_c), std::min(terms.f_c, f_max - terms.f_c));
    terms.f = terms.f_c + terms.f_d;
    return terms;
}

double RopeLaw::storedEnergy(double s_rel, double s_slip) const {
    const auto& [c, d, s_unstretched, n, s_ref, f_max, s_slip_start] = m_parameters;
    const double x = stretch(s_rel, s_slip);
    if (!(x > 0)) return 0;
    return n == 1 ? 0.5 * c * x * x : c * s_ref * s_ref / (n + 1) * std::pow(x / s_ref, n + 1);
}

double RopeLaw::lossPower(double s_rel, double v_rel, double s_slip) const {
    const ForceTerms terms = evaluate(s_rel, v_rel, s_slip);
    const bool slips = terms.f_c >= kFull * m_parameters.f_max && v_rel > 0;
    return (slips ? terms.f : terms.f_d) * v_rel;
}

double RopeLaw::dissipatedPower(double s_rel, double v_rel, double s_slip) const {
    return lossPower(s_rel, v_rel, s_slip);
}

}  // namespace elasto
