#include "checks.h"

#include <elasto/spring_damper_law.h>

#include <utility>

namespace elasto {

SpringDamperLaw::SpringDamperLaw(const SpringDamperParameters& parameters, const char* owner)
    : m_parameters(parameters) {
    // No start values are proposed: Modelica's differ between its translational, rotational and 3D components.
    checks::requireGiven(owner, "c", parameters.c, "finite and >= 0", "");
    checks::requireNotNegative(owner, "c", parameters.c);
    checks::requireGiven(owner, "d", parameters.d, "finite and >= 0", "");
    checks::requireNotNegative(owner, "d", parameters.d);
    checks::requireFinite(owner, "s_rel0", parameters.s_rel0);
    for (const auto& [field, value] :
         {std::pair("c", parameters.c), std::pair("d", parameters.d), std::pair("s_rel0", parameters.s_rel0)}) {
        checks::requireInRange(owner, field, value);
    }
}

ForceTerms SpringDamperLaw::evaluate(double s_rel, double v_rel) const {
    ForceTerms terms;
    terms.f_c = m_parameters.c * (s_rel - m_parameters.s_rel0);
    terms.f_d2 = m_parameters.d * v_rel;
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
    return m_parameters.d * v_rel * v_rel;
}

double SpringDamperLaw::dissipatedPower(double s_rel, double v_rel) const {
    return lossPower(s_rel, v_rel);
}

}  // namespace elasto
