#include "checks.h"

#include <elasto/law.h>

#include <algorithm>
#include <cmath>

namespace elasto {

namespace {

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

std::span<const LawParameter> ElastoBacklashLaw::list() {
    static constexpr const char* characteristics[] = {"boundedDamper", "noPull", "linear"};
    static constexpr LawParameter all[] = {
        {"c", Measured::Stiffness, 0, false, kRequired, "spring constant", "1e5"},
        {"d", Measured::Damping, 0, true, kRequired, "damping constant", "0"},
        {"b", Measured::Length, 0, true, 0, "total backlash"},
        {"phi_rel0", Measured::Place, kAnyValue, true, 0, "middle of the backlash"},
        {"characteristic", Measured::Choice, 0, true, 0, "how spring and damper are combined", "", characteristics,
         "BacklashCharacteristic"},
    };
    return all;
}

const std::vector<ElementTypeInfo>& ElastoBacklashLaw::types() {
    static const std::vector<ElementTypeInfo> all = {
        {.type = ElementType::ElastoBacklash,
         .name = "ElastoBacklash",
         .placing = Placing::Rotation,
         .fields = {{"c", 0}, {"d", 1}, {"b", 2}, {"phi_rel0", 3}, {"characteristic", 4}},
         .robotElement = "backlash"},
        {.type = ElementType::ElastoBacklash2,
         .name = "ElastoBacklash2",
         .placing = Placing::Rotation,
         .fields = {{"c", 0}, {"d", 1}, {"b", 2}, {"phi_rel0", 3}},
         .fixed = {{4, static_cast<double>(BacklashCharacteristic::NoPull)}}},
    };
    return all;
}

ElastoBacklashLaw::ElastoBacklashLaw(const ElastoBacklashParameters& parameters, const char* owner)
    : m_parameters(parameters) {
    checks::requireAll(owner, list(), values());
}

LawValues ElastoBacklashLaw::values() const {
    const auto& [c, d, b, phi_rel0, characteristic] = m_parameters;
    return {c, d, b, phi_rel0, static_cast<double>(characteristic)};
}

ElastoBacklashLaw ElastoBacklashLaw::of(const LawValues& values, const char* owner) {
    return ElastoBacklashLaw({.c = values[0],
                              .d = values[1],
                              .b = values[2],
                              .phi_rel0 = values[3],
                              .characteristic = checks::choiceOf<BacklashCharacteristic>(owner, list()[4], values[4])},
                             owner);
}

ReducedLaw ElastoBacklashLaw::reduced() const {
    const auto& [c, d, b, phi_rel0, characteristic] = m_parameters;
    if (isPlainSpringDamper()) return {.c = c, .d = d, .edgeHigh = phi_rel0};
    ReducedLaw law{.kind = ReducedLaw::Kind::Contact, .c = c, .d = d};
    law.above = true;
    law.edgeLow = phi_rel0 - b / 2;
    law.edgeHigh = phi_rel0 + b / 2;
    law.bounded = d > 0 && characteristic == BacklashCharacteristic::BoundedDamper;
    law.noPull = d > 0 && characteristic != BacklashCharacteristic::Linear;
    return law;
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
    terms.f_d2 = d * w_rel;
    terms.contact = x != 0;
    if (!terms.contact) {
        return terms;
    }
    terms.f_c = c * x;
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
