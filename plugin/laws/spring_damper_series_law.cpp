#include "checks.h"

#include <elasto/spring_damper_series_law.h>

#include <utility>

namespace elasto {

SpringDamperSeriesLaw::SpringDamperSeriesLaw(const SpringDamperSeriesParameters& parameters, const char* owner)
    : m_parameters(parameters) {
    checks::requireGiven(owner, "c", parameters.c, "finite and >= 0", "");
    checks::requireNotNegative(owner, "c", parameters.c);
    checks::requireGiven(owner, "d", parameters.d, "finite and >= 0", "");
    checks::requireNotNegative(owner, "d", parameters.d);
    checks::requireFinite(owner, "s_unstretched", parameters.s_unstretched);
    checks::requireFinite(owner, "s_damper_start", parameters.s_damper_start);
    for (const auto& [field, value] : {std::pair("c", parameters.c), std::pair("d", parameters.d),
                                       std::pair("s_unstretched", parameters.s_unstretched),
                                       std::pair("s_damper_start", parameters.s_damper_start)}) {
        checks::requireInRange(owner, field, value);
    }
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
