#include "checks.h"

#include <elasto/elasto_backlash_law.h>
#include <elasto/errors.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace elasto {

namespace {

bool isKnown(BacklashCharacteristic characteristic) {
    switch (characteristic) {
        case BacklashCharacteristic::BoundedDamper:
        case BacklashCharacteristic::NoPull:
        case BacklashCharacteristic::Linear:
            return true;
    }
    return false;
}

/// How far phi_diff lies outside the play: > 0 above it, < 0 below it, 0 within.
double excess(double phi_diff, double halfBacklash) {
    if (phi_diff > halfBacklash) {
        return phi_diff - halfBacklash;
    }
    if (phi_diff < -halfBacklash) {
        return phi_diff + halfBacklash;
    }
    return 0;
}

/// Whether the law sets the torque to zero although the spring is loaded: it would pull there.
bool isClipped(BacklashCharacteristic characteristic, const ForceTerms& terms) {
    if (characteristic == BacklashCharacteristic::Linear || terms.f_c == 0) {
        return false;
    }
    const double tau = terms.f_c + terms.f_d2;
    return terms.f_c > 0 ? tau <= 0 : tau >= 0;
}

}  // namespace

ElastoBacklashLaw::ElastoBacklashLaw(const ElastoBacklashParameters& parameters, const char* owner)
    : m_parameters(parameters) {
    checks::requireGiven(owner, "c", parameters.c, "finite and > 0", "1e5");
    checks::requirePositive(owner, "c", parameters.c);
    checks::requireGiven(owner, "d", parameters.d, "finite and >= 0", "0");
    checks::requireNotNegative(owner, "d", parameters.d);
    checks::requireNotNegative(owner, "b", parameters.b);
    checks::requireFinite(owner, "phi_rel0", parameters.phi_rel0);
    for (const auto& [field, value] : {std::pair("c", parameters.c), std::pair("d", parameters.d),
                                       std::pair("b", parameters.b), std::pair("phi_rel0", parameters.phi_rel0)}) {
        checks::requireInRange(owner, field, value);
    }
    if (!isKnown(parameters.characteristic)) {
        throw InvalidParameter(owner, "characteristic", static_cast<double>(parameters.characteristic),
                               "one of the values of BacklashCharacteristic");
    }
}

ForceTerms ElastoBacklashLaw::evaluate(double phi_rel, double w_rel) const {
    const auto& [c, d, b, phi_rel0, characteristic] = m_parameters;
    const double phi_diff = phi_rel - phi_rel0;
    ForceTerms terms;
    if (isPlainSpringDamper()) {
        terms.contact = true;
        terms.f_c = c * phi_diff;
        terms.f_d2 = d * w_rel;
        terms.f_d = terms.f_d2;
        terms.f = terms.f_c + terms.f_d;
        return terms;
    }
    const double x = excess(phi_diff, b / 2);
    terms.contact = x != 0;
    if (!terms.contact) {
        return terms;
    }
    terms.f_c = c * x;
    terms.f_d2 = d * w_rel;
    terms.f_d = terms.f_d2;
    if (isClipped(characteristic, terms)) {
        terms.f_d = -terms.f_c;
    } else if (characteristic == BacklashCharacteristic::BoundedDamper) {
        terms.f_d = x > 0 ? std::min(terms.f_c, terms.f_d2) : std::max(terms.f_c, terms.f_d2);
    }
    terms.f = terms.f_c + terms.f_d;
    return terms;
}

double ElastoBacklashLaw::storedEnergy(double phi_rel) const {
    const double phi_diff = phi_rel - m_parameters.phi_rel0;
    const double x = isPlainSpringDamper() ? phi_diff : excess(phi_diff, m_parameters.b / 2);
    return 0.5 * m_parameters.c * x * x;
}

double ElastoBacklashLaw::lossPower(double phi_rel, double w_rel) const {
    const ForceTerms terms = evaluate(phi_rel, w_rel);
    if (!isPlainSpringDamper() && isClipped(m_parameters.characteristic, terms)) {
        return 0;
    }
    return terms.f_d * w_rel;
}

double ElastoBacklashLaw::dissipatedPower(double phi_rel, double w_rel) const {
    return evaluate(phi_rel, w_rel).f_d * w_rel;
}

double ElastoBacklashLaw::initialTorque(double phi_rel) const {
    const auto& [c, d, b, phi_rel0, characteristic] = m_parameters;
    const double phi_diff = phi_rel - phi_rel0;
    return std::abs(phi_diff) > 0.75 * b ? c * excess(phi_diff, b / 2) : c / 3 * phi_diff;
}

double ElastoBacklashLaw::initialAngle(double tau) const {
    const auto& [c, d, b, phi_rel0, characteristic] = m_parameters;
    // The two branches meet at phi_diff = 3 b / 4, where the torque is c b / 4.
    const double phi_diff = std::abs(tau) > c * b / 4 ? tau / c + std::copysign(b / 2, tau) : 3 * tau / c;
    return phi_rel0 + phi_diff;
}

}  // namespace elasto
