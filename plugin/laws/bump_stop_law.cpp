#include "checks.h"

#include <elasto/law.h>

#include <algorithm>

namespace elasto {

std::span<const LawParameter> BumpStopLaw::list() {
    static constexpr LawParameter all[] = {
        {"table", Measured::Table, 0, true, kRequired, "force over compression, from [0, 0] on"},
        {"d", Measured::Damping, 0, true, kRequired, "damping constant"},
        {"s_rel0", Measured::Place, kAnyValue, true, 0, "in contact while s_rel < s_rel0"},
    };
    return all;
}

const std::vector<ElementTypeInfo>& BumpStopLaw::types() {
    static const std::vector<ElementTypeInfo> all = {
        {.type = ElementType::BumpStop,
         .name = "BumpStop",
         .placing = Placing::AxisOrLine,
         .fields = {{"table", 0}, {"d", 1}, {"s_rel0", 2}},
         .robotElement = "bump_stop"},
    };
    return all;
}

BumpStopLaw::BumpStopLaw(const BumpStopParameters& parameters, const char* owner) : m_parameters(parameters) {
    checks::requireAll(owner, list(), values());
}

LawValues BumpStopLaw::values() const {
    LawValues values = {0, m_parameters.d, m_parameters.s_rel0};
    values.table = m_parameters.table;
    return values;
}

BumpStopLaw BumpStopLaw::of(const LawValues& values, const char* owner) {
    return BumpStopLaw({.table = values.table, .d = values[1], .s_rel0 = values[2]}, owner);
}

ReducedLaw BumpStopLaw::reduced() const {
    const auto& [table, d, s_rel0] = m_parameters;
    ReducedLaw law{.kind = ReducedLaw::Kind::Contact, .c = table.largestSlope(), .d = d};
    law.table = table;
    law.n = ReducedLaw::kOfTables;
    law.edgeLow = law.edgeHigh = s_rel0;
    law.bounded = law.noPull = d > 0;
    return law;
}

ForceTerms BumpStopLaw::evaluate(double s_rel, double v_rel) const {
    const auto& [table, d, s_rel0] = m_parameters;
    ForceTerms terms;
    terms.contact = s_rel < s_rel0;
    if (!terms.contact) return terms;
    terms.f_c = -table.force(s_rel0 - s_rel);
    terms.f_d2 = d * v_rel;
    terms.f_d = std::min(std::max(terms.f_d2, terms.f_c), -terms.f_c);
    terms.f = terms.f_c + terms.f_d;
    return terms;
}

double BumpStopLaw::storedEnergy(double s_rel) const {
    const double travel = m_parameters.s_rel0 - s_rel;
    return travel > 0 ? m_parameters.table.energy(travel) : 0;
}

double BumpStopLaw::lossPower(double s_rel, double v_rel) const {
    return evaluate(s_rel, v_rel).f_d * v_rel;
}

double BumpStopLaw::dissipatedPower(double s_rel, double v_rel) const {
    return lossPower(s_rel, v_rel);
}

}  // namespace elasto
