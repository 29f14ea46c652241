#include "checks.h"

#include <elasto/law.h>

namespace elasto {

std::span<const LawParameter> SpringDamperSeriesLaw::list() {
    static constexpr LawParameter all[] = {
        {"c", Measured::Stiffness, 0, true, kRequired, "spring constant"},
        {"d", Measured::Damping, 0, true, kRequired, "damping constant"},
        {"s_unstretched", Measured::Place, kAnyValue, true, 0, "unstretched length of the spring"},
        {"s_damper_start", Measured::InnerStart, kAnyValue, true, 0, "length of the damper at the start"},
    };
    return all;
}

const std::vector<ElementTypeInfo>& SpringDamperSeriesLaw::types() {
    static const std::vector<ElementTypeInfo> all = {
        {.type = ElementType::SpringDamperSeries,
         .name = "SpringDamperSeries",
         .placing = Placing::LineOrAxis,
         .fields = {{"c", 0}, {"d", 1}, {"s_unstretched", 2}, {"s_damper_start", 3}},
         .innerState = "s_damper",
         .robotElement = "series"},
    };
    return all;
}

SpringDamperSeriesLaw::SpringDamperSeriesLaw(const SpringDamperSeriesParameters& parameters, const char* owner)
    : m_parameters(parameters) {
    checks::requireAll(owner, list(), values());
}

LawValues SpringDamperSeriesLaw::values() const {
    return {m_parameters.c, m_parameters.d, m_parameters.s_unstretched, m_parameters.s_damper_start};
}

SpringDamperSeriesLaw SpringDamperSeriesLaw::of(const LawValues& values, const char* owner) {
    return SpringDamperSeriesLaw(
        {.c = values[0], .d = values[1], .s_unstretched = values[2], .s_damper_start = values[3]}, owner);
}

ReducedLaw SpringDamperSeriesLaw::reduced() const {
    return {.kind = ReducedLaw::Kind::Series,
            .c = m_parameters.c,
            .d = m_parameters.d,
            .edgeHigh = m_parameters.s_unstretched};
}

ForceTerms SpringDamperSeriesLaw::evaluate(double s, double s_damper) const {
    ForceTerms terms;
    terms.contact = true;
    // d = 0: the damper follows without force, d der(s_damper) = f leaves only f = 0.
    if (m_parameters.d > 0) {
        terms.f = m_parameters.c * (s - m_parameters.s_unstretched - s_damper);
    }
    terms.f_c = terms.f;
    terms.f_d = terms.f;
    terms.f_d2 = terms.f;
    return terms;
}

double SpringDamperSeriesLaw::damperRate(double f) const {
    return m_parameters.d > 0 ? f / m_parameters.d : 0;
}

double SpringDamperSeriesLaw::storedEnergy(double s, double s_damper) const {
    if (m_parameters.d == 0) {
        return 0;
    }
    const double x = s - m_parameters.s_unstretched - s_damper;
    return 0.5 * m_parameters.c * x * x;
}

double SpringDamperSeriesLaw::lossPower(double s, double s_damper) const {
    const double f = evaluate(s, s_damper).f;
    return f * damperRate(f);
}

double SpringDamperSeriesLaw::dissipatedPower(double s, double s_damper) const {
    return lossPower(s, s_damper);
}

}  // namespace elasto
