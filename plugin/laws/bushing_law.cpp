#include "checks.h"

#include <elasto/law.h>

#include <algorithm>
#include <cmath>

namespace elasto {

namespace {

/// A slider whose force is within rounding of its limit gives way.
constexpr double kRounding = 1e-12;

}  // namespace

std::span<const LawParameter> BushingLaw::list() {
    static constexpr LawParameter all[] = {
        {"c", Measured::Stiffness, 0, true, kRequired, "stiffness after friction has given way"},
        {"d", Measured::Damping, 0, true, kRequired, "damping constant"},
        {"c_slip", Measured::Stiffness, 0, true, 0, "stiffness of the friction before it gives way"},
        {"f_slip", Measured::Force, 0, true, 0, "force at which friction gives way"},
        {"s_rel0", Measured::Place, kAnyValue, true, 0, "unstretched length or angle"},
        {"s_slip_start", Measured::InnerStart, kAnyValue, true, 0, "what friction has slipped at the start"},
    };
    return all;
}

const std::vector<ElementTypeInfo>& BushingLaw::types() {
    static const std::vector<ElementTypeInfo> all = {
        {.type = ElementType::Bushing,
         .name = "Bushing",
         .placing = Placing::AxisOrLine,
         .fields = {{"c", 0}, {"d", 1}, {"c_slip", 2}, {"f_slip", 3}, {"s_rel0", 4}, {"s_slip_start", 5}},
         .innerState = "s_slip"},
        {.type = ElementType::RotationalBushing,
         .name = "RotationalBushing",
         .placing = Placing::Rotation,
         .fields = {{"c", 0}, {"d", 1}, {"c_slip", 2}, {"tau_slip", 3}, {"phi_rel0", 4}, {"phi_slip_start", 5}},
         .innerState = "phi_slip",
         .robotElement = "bushing"},
    };
    return all;
}

BushingLaw::BushingLaw(const BushingParameters& parameters, const char* owner) : m_parameters(parameters) {
    checks::requireAll(owner, list(), values());
}

LawValues BushingLaw::values() const {
    const auto& [c, d, c_slip, f_slip, s_rel0, s_slip_start] = m_parameters;
    return {c, d, c_slip, f_slip, s_rel0, s_slip_start};
}

BushingLaw BushingLaw::of(const LawValues& values, const char* owner) {
    return BushingLaw({.c = values[0],
                       .d = values[1],
                       .c_slip = values[2],
                       .f_slip = values[3],
                       .s_rel0 = values[4],
                       .s_slip_start = values[5]},
                      owner);
}

ReducedLaw BushingLaw::reduced() const {
    const auto& [c, d, c_slip, f_slip, s_rel0, s_slip_start] = m_parameters;
    ReducedLaw law{.c = c, .d = d, .edgeHigh = s_rel0};
    if (c_slip == 0 || f_slip == 0) return law;
    law.kind = ReducedLaw::Kind::Slip;
    law.edgeLow = s_rel0;
    law.c = c + c_slip;
    law.c_slip = c_slip;
    law.f_slip = f_slip;
    return law;
}

double BushingLaw::friction(double s_rel, double s_slip) const {
    const auto& [c, d, c_slip, f_slip, s_rel0, s_slip_start] = m_parameters;
    return std::clamp(c_slip * (s_rel - s_rel0 - s_slip), -f_slip, f_slip);
}

ForceTerms BushingLaw::evaluate(double s_rel, double v_rel, double s_slip) const {
    ForceTerms terms;
    terms.f_c = m_parameters.c * (s_rel - m_parameters.s_rel0) + friction(s_rel, s_slip);
    terms.f_d2 = m_parameters.d * v_rel;
    terms.f_d = terms.f_d2;
    terms.f = terms.f_c + terms.f_d;
    terms.contact = true;
    return terms;
}

double BushingLaw::storedEnergy(double s_rel, double s_slip) const {
    const auto& [c, d, c_slip, f_slip, s_rel0, s_slip_start] = m_parameters;
    const double x = s_rel - s_rel0;
    const double h = friction(s_rel, s_slip);
    return 0.5 * c * x * x + (c_slip > 0 ? 0.5 * h * (h / c_slip) : 0);
}

double BushingLaw::lossPower(double s_rel, double v_rel, double s_slip) const {
    const double h = friction(s_rel, s_slip);
    const bool slips = std::abs(h) >= (1 - kRounding) * m_parameters.f_slip && h * v_rel > 0;
    return m_parameters.d * v_rel * v_rel + (slips ? h * v_rel : 0);
}

double BushingLaw::dissipatedPower(double s_rel, double v_rel, double s_slip) const {
    return lossPower(s_rel, v_rel, s_slip);
}

}  // namespace elasto
