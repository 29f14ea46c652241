#include "checks.h"

#include <elasto/law.h>

#include <algorithm>
#include <cmath>

namespace elasto {

namespace {

/// Damping that is proportional to the spring's force.
bool growsWithPenetration(GapCharacteristic characteristic) {
    return characteristic == GapCharacteristic::LankaraniNikravesh || characteristic == GapCharacteristic::HuntCrossley;
}

/// Both forces as powers of the penetration in metres: their factors must not overflow, nor that of the energy vanish.
void requireFiniteFactors(const ElastoGapParameters& parameters, const char* owner) {
    const auto& [c, d, s_rel0, n, s_ref, characteristic] = parameters;
    checks::requireFinitePower(owner, c, d, n, s_ref);
    const bool isFinite = !growsWithPenetration(characteristic) || d == 0 || std::isfinite(d * std::pow(s_ref, -n));
    checks::requireReference(owner, isFinite, "so large that d s_ref^(-n) is finite", c, d, n, s_ref);
}

}  // namespace

std::span<const LawParameter> ElastoGapLaw::list() {
    static constexpr const char* characteristics[] = {"boundedDamper", "linear", "noPull", "lankaraniNikravesh",
                                                      "huntCrossley"};
    static constexpr LawParameter all[] = {
        {"c", Measured::Stiffness, 0, true, kRequired, "spring constant", "1"},
        {"d", Measured::Damping, 0, true, kRequired, "damping constant", "1"},
        {"s_rel0", Measured::Place, kAnyValue, true, 0, "in contact while s_rel < s_rel0"},
        {"n", Measured::Number, 1, true, 1, "exponent of the spring force; 1.5 for two spheres"},
        {"s_ref", Measured::Length, 0, false, 1, "compression at which |f_c| = c s_ref"},
        {"characteristic", Measured::Choice, 0, true, 0, "how spring and damper are combined", "", characteristics,
         "GapCharacteristic"},
    };
    return all;
}

const std::vector<ElementTypeInfo>& ElastoGapLaw::types() {
    static const std::vector<ElementTypeInfo> all = {
        {.type = ElementType::ElastoGap,
         .name = "ElastoGap",
         .placing = Placing::AxisOrLine,
         .fields = {{"c", 0}, {"d", 1}, {"s_rel0", 2}, {"n", 3}, {"s_ref", 4}, {"characteristic", 5}},
         .robotElement = "gap"},
        {.type = ElementType::RotationalElastoGap,
         .name = "RotationalElastoGap",
         .placing = Placing::Rotation,
         .fields = {{"c", 0}, {"d", 1}, {"phi_rel0", 2}, {"n", 3}, {"phi_ref", 4}, {"characteristic", 5}}},
    };
    return all;
}

ElastoGapLaw::ElastoGapLaw(const ElastoGapParameters& parameters, const char* owner) : m_parameters(parameters) {
    checks::requireAll(owner, list(), values());
    requireFiniteFactors(parameters, owner);
}

LawValues ElastoGapLaw::values() const {
    const auto& [c, d, s_rel0, n, s_ref, characteristic] = m_parameters;
    return {c, d, s_rel0, n, s_ref, static_cast<double>(characteristic)};
}

ElastoGapLaw ElastoGapLaw::of(const LawValues& values, const char* owner) {
    return ElastoGapLaw({.c = values[0],
                         .d = values[1],
                         .s_rel0 = values[2],
                         .n = values[3],
                         .s_ref = values[4],
                         .characteristic = checks::choiceOf<GapCharacteristic>(owner, list()[5], values[5])},
                        owner);
}

ReducedLaw ElastoGapLaw::reduced() const {
    const auto& [c, d, s_rel0, n, s_ref, characteristic] = m_parameters;
    ReducedLaw law{.kind = ReducedLaw::Kind::Contact, .c = c, .d = d, .n = n, .s_ref = s_ref};
    law.edgeLow = law.edgeHigh = s_rel0;
    if (d == 0) return law;
    law.bounded = characteristic == GapCharacteristic::BoundedDamper;
    law.lankarani = growsWithPenetration(characteristic);
    law.noPull =
        law.bounded || characteristic == GapCharacteristic::NoPull || characteristic == GapCharacteristic::HuntCrossley;
    return law;
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
    const bool isGrowing = growsWithPenetration(characteristic);
    const bool isPlain = n == 1 && !isGrowing;
    const double scaled = isPlain ? x : std::pow(x / s_ref, n);
    terms.f_c = n == 1 ? -c * x : -c * s_ref * scaled;
    terms.f_d2 = isGrowing ? d * scaled * v_rel : d * v_rel;
    switch (characteristic) {
        case GapCharacteristic::BoundedDamper:
            terms.f_d = std::min(std::max(terms.f_d2, terms.f_c), -terms.f_c);
            break;
        case GapCharacteristic::NoPull:
        case GapCharacteristic::HuntCrossley:
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
