#include "checks.h"

#include <elasto/elasto_gap_law.h>
#include <elasto/errors.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace elasto {

namespace {

bool isKnown(GapCharacteristic characteristic) {
    switch (characteristic) {
        case GapCharacteristic::BoundedDamper:
        case GapCharacteristic::Linear:
        case GapCharacteristic::NoPull:
        case GapCharacteristic::LankaraniNikravesh:
            return true;
    }
    return false;
}

/// Both forces as powers of the penetration in metres: their factors must not overflow, nor that of the energy vanish.
void requireFiniteFactors(const ElastoGapParameters& parameters, const char* owner) {
    const double c = parameters.c;
    const double d = parameters.d;
    const double n = parameters.n;
    const double s_ref = parameters.s_ref;
    const auto refuse = [&](const std::string& rule) {
        throw InvalidParameter(owner, "s_ref", s_ref,
                               rule + " with c = " + checks::numberText(c) + ", d = " + checks::numberText(d) +
                                   ", n = " + checks::numberText(n));
    };
    if (n != 1 && c > 0 && !(std::isfinite(c * std::pow(s_ref, 1 - n)) && c * s_ref * s_ref > 0)) {
        refuse("so large that c s_ref^(1 - n) is finite and c s_ref^2 > 0");
    }
    if (parameters.characteristic == GapCharacteristic::LankaraniNikravesh && d > 0 &&
        !std::isfinite(d * std::pow(s_ref, -n))) {
        refuse("so large that d s_ref^(-n) is finite");
    }
}

}  // namespace

ElastoGapLaw::ElastoGapLaw(const ElastoGapParameters& parameters, const char* owner) : m_parameters(parameters) {
    checks::requireGiven(owner, "c", parameters.c, "finite and >= 0", "1");
    checks::requireNotNegative(owner, "c", parameters.c);
    checks::requireGiven(owner, "d", parameters.d, "finite and >= 0", "1");
    checks::requireNotNegative(owner, "d", parameters.d);
    checks::requireFinite(owner, "s_rel0", parameters.s_rel0);
    if (!std::isfinite(parameters.n) || parameters.n < 1) {
        throw InvalidParameter(owner, "n", parameters.n, "finite and >= 1");
    }
    checks::requirePositive(owner, "s_ref", parameters.s_ref);
    for (const auto& [field, value] :
         {std::pair("c", parameters.c), std::pair("d", parameters.d), std::pair("s_rel0", parameters.s_rel0),
          std::pair("n", parameters.n), std::pair("s_ref", parameters.s_ref)}) {
        checks::requireInRange(owner, field, value);
    }
    if (!isKnown(parameters.characteristic)) {
        throw InvalidParameter(owner, "characteristic", static_cast<double>(parameters.characteristic),
                               "one of the values of GapCharacteristic");
    }
    requireFiniteFactors(parameters, owner);
}

ForceTerms ElastoGapLaw::evaluate(double s_rel, double v_rel) const {
    const auto& [c, d, s_rel0, n, s_ref, characteristic] = m_parameters;
    ForceTerms terms;
    terms.contact = s_rel < s_rel0;
    if (!terms.contact) {
        return terms;
    }
    const double x = s_rel0 - s_rel;
    // With n = 1 s_ref cancels; leaving it out keeps the force independent of it to the last bit.
    const bool isPlain = n == 1 && characteristic != GapCharacteristic::LankaraniNikravesh;
    const double scaled = isPlain ? x : std::pow(x / s_ref, n);
    terms.f_c = n == 1 ? -c * x : -c * s_ref * scaled;
    terms.f_d2 = characteristic == GapCharacteristic::LankaraniNikravesh ? d * scaled * v_rel : d * v_rel;
    switch (characteristic) {
        case GapCharacteristic::BoundedDamper:
            terms.f_d = std::min(std::max(terms.f_d2, terms.f_c), -terms.f_c);
            break;
        case GapCharacteristic::NoPull:
            terms.f_d = std::min(terms.f_d2, -terms.f_c);
            break;
        case GapCharacteristic::Linear:
        case GapCharacteristic::LankaraniNikravesh:
            terms.f_d = terms.f_d2;
            break;
    }
    terms.f = terms.f_c + terms.f_d;
    return terms;
}

double ElastoGapLaw::storedEnergy(double s_rel) const {
    const auto& [c, d, s_rel0, n, s_ref, characteristic] = m_parameters;
    if (!(s_rel < s_rel0)) {
        return 0;
    }
    const double x = s_rel0 - s_rel;
    return n == 1 ? 0.5 * c * x * x : c * s_ref * s_ref / (n + 1) * std::pow(x / s_ref, n + 1);
}

double ElastoGapLaw::lossPower(double s_rel, double v_rel) const {
    return evaluate(s_rel, v_rel).f_d * v_rel;
}

double ElastoGapLaw::dissipatedPower(double s_rel, double v_rel) const {
    // f - f_c is f_d exactly; f_d itself is free of the rounding of that difference.
    return evaluate(s_rel, v_rel).f_d * v_rel;
}

}  // namespace elasto
