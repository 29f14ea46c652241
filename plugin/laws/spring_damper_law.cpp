#include "checks.h"

#include <elasto/law.h>

namespace elasto {

// No start values are proposed: Modelica's differ between its translational, rotational and 3D components.
std::span<const LawParameter> SpringDamperLaw::list() {
    static constexpr LawParameter all[] = {
        {"c", Measured::Stiffness, 0, true, kRequired, "spring constant"},
        {"d", Measured::Damping, 0, true, kRequired, "damping constant"},
        {"s_rel0", Measured::Place, kAnyValue, true, 0, "unstretched length or angle"},
        {"d_rebound", Measured::Damping, 0, true, kSameDamping, "damping while v_rel > 0; 1e60: the same as d"},
    };
    return all;
}

const std::vector<ElementTypeInfo>& SpringDamperLaw::types() {
    static const std::vector<ElementTypeInfo> all = {
        {ElementType::SpringDamper,
         "SpringDamper",
         Placing::Axis,
         {{"c", 0}, {"d", 1}, {"d_rebound", 3}, {"s_rel0", 2}}},
        {.type = ElementType::RotationalSpringDamper,
         .name = "RotationalSpringDamper",
         .placing = Placing::Rotation,
         .fields = {{"c", 0}, {"d", 1}, {"d_rebound", 3}, {"phi_rel0", 2}},
         .robotElement = "spring"},
        {.type = ElementType::SpringDamperParallel,
         .name = "SpringDamperParallel",
         .placing = Placing::LineOrAxis,
         .fields = {{"c", 0}, {"d", 1}, {"d_rebound", 3}, {"s_unstretched", 2}},
         .robotElement = "line"},
        {ElementType::Spring,
         "Spring",
         Placing::LineOrAxis,
         {{"c", 0}, {"s_unstretched", 2}},
         {{1, 0}, {3, kSameDamping}}},
        {ElementType::Damper, "Damper", Placing::LineOrAxis, {{"d", 1}, {"d_rebound", 3}}, {{0, 0}}},
    };
    return all;
}

SpringDamperLaw::SpringDamperLaw(const SpringDamperParameters& parameters, const char* owner)
    : m_parameters(parameters) {
    checks::requireAll(owner, list(), values());
}

LawValues SpringDamperLaw::values() const {
    return {m_parameters.c, m_parameters.d, m_parameters.s_rel0, m_parameters.d_rebound};
}

SpringDamperLaw SpringDamperLaw::of(const LawValues& values, const char* owner) {
    return SpringDamperLaw({.c = values[0], .d = values[1], .s_rel0 = values[2], .d_rebound = values[3]}, owner);
}

ReducedLaw SpringDamperLaw::reduced() const {
    ReducedLaw law{.c = m_parameters.c, .d = m_parameters.d, .edgeHigh = m_parameters.s_rel0};
    if (damping(+1) == damping(-1)) return law;
    law.hasRebound = true;
    law.d_rebound = m_parameters.d_rebound;
    law.edgeLow = m_parameters.s_rel0;
    return law;
}

double SpringDamperLaw::damping(double v_rel) const {
    return v_rel > 0 && m_parameters.d_rebound != kSameDamping ? m_parameters.d_rebound : m_parameters.d;
}

ForceTerms SpringDamperLaw::evaluate(double s_rel, double v_rel) const {
    ForceTerms terms;
    terms.f_c = m_parameters.c * (s_rel - m_parameters.s_rel0);
    terms.f_d2 = damping(v_rel) * v_rel;
    terms.f_d = terms.f_d2;
    terms.f = terms.f_c + terms.f_d;
    terms.contact = true;
    return terms;
}

double SpringDamperLaw::storedEnergy(double s_rel) const {
    const double x = s_rel - m_parameters.s_rel0;
    return 0.5 * m_parameters.c * x * x;
}

double SpringDamperLaw::lossPower(double /*s_rel*/, double v_rel) const {
    return damping(v_rel) * v_rel * v_rel;
}

double SpringDamperLaw::dissipatedPower(double s_rel, double v_rel) const {
    return lossPower(s_rel, v_rel);
}

}  // namespace elasto
