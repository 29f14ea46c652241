#include "checks.h"

#include <elasto/errors.h>
#include <elasto/law.h>

#include <algorithm>
#include <cmath>

namespace elasto {

std::span<const LawParameter> FrictionLaw::list() {
    static constexpr LawParameter all[] = {
        {"F_Coulomb", Measured::Force, 0, true, kRequired, "friction at high speed, without F_prop"},
        {"F_prop", Measured::Damping, 0, true, 0, "friction that grows with the speed"},
        {"F_Stribeck", Measured::Force, 0, true, 0, "what friction is more near rest"},
        {"fexp", Measured::PerSpeed, 0, true, 0, "how fast that decays with the speed"},
        {"peak", Measured::Number, 1, true, 1, "force at which it gives way, over that of slow sliding"},
        {"s_min", Measured::Limit, kAnyValue, true, -kLargestParameter, "hard stop below"},
        {"s_max", Measured::Limit, kAnyValue, true, kLargestParameter, "hard stop above"},
    };
    return all;
}

const std::vector<ElementTypeInfo>& FrictionLaw::types() {
    static const std::vector<ElementTypeInfo> all = {
        {.type = ElementType::SupportFriction,
         .name = "SupportFriction",
         .placing = Placing::Axis,
         .fields =
             {{"F_Coulomb", 0}, {"F_prop", 1}, {"F_Stribeck", 2}, {"fexp", 3}, {"peak", 4}, {"s_min", 5}, {"s_max", 6}},
         .robotElement = "friction"},
        {.type = ElementType::BearingFriction,
         .name = "BearingFriction",
         .placing = Placing::Rotation,
         .fields = {{"tau_Coulomb", 0},
                    {"tau_prop", 1},
                    {"tau_Stribeck", 2},
                    {"wexp", 3},
                    {"peak", 4},
                    {"phi_min", 5},
                    {"phi_max", 6}},
         .robotElement = "friction"},
    };
    return all;
}

FrictionLaw::FrictionLaw(const FrictionParameters& parameters, const char* owner) : m_parameters(parameters) {
    checks::requireAll(owner, list(), values());
    if (!(parameters.s_max > parameters.s_min)) {
        throw InvalidParameter(owner, "s_max", parameters.s_max, "> s_min = " + checks::numberText(parameters.s_min));
    }
}

LawValues FrictionLaw::values() const {
    const auto& [F_Coulomb, F_prop, F_Stribeck, fexp, peak, s_min, s_max] = m_parameters;
    return {F_Coulomb, F_prop, F_Stribeck, fexp, peak, s_min, s_max};
}

FrictionLaw FrictionLaw::of(const LawValues& values, const char* owner) {
    return FrictionLaw({.F_Coulomb = values[0],
                        .F_prop = values[1],
                        .F_Stribeck = values[2],
                        .fexp = values[3],
                        .peak = values[4],
                        .s_min = values[5],
                        .s_max = values[6]},
                       owner);
}

ReducedLaw FrictionLaw::reduced() const {
    return {.kind = ReducedLaw::Kind::Friction};
}

double FrictionLaw::sliding(double speed) const {
    const auto& [F_Coulomb, F_prop, F_Stribeck, fexp, peak, s_min, s_max] = m_parameters;
    return F_Coulomb + F_prop * speed + F_Stribeck * std::exp(-fexp * speed);
}

double FrictionLaw::sticking(double f) const {
    const double share = largest() > 0 ? std::abs(f) / largest() : 0;
    return std::copysign(share <= 1 ? share : std::min(kSlides - 1 / share, std::nextafter(kSlides, 0)), f);
}

ForceTerms FrictionLaw::evaluate(double /*s_rel*/, double v_rel, double stick) const {
    ForceTerms terms;
    const bool slides = std::abs(stick) >= kSlides;
    terms.contact = !slides && std::abs(v_rel) <= kRest;
    const double share = slides ? std::abs(stick) - kSlides : 1;  // before the first tick it is not known
    const double direction = std::abs(v_rel) <= kRest ? stick : v_rel;
    const double held = std::abs(stick) <= 1 ? stick : std::copysign(1 / (kSlides - std::abs(stick)), stick);
    terms.f = terms.contact ? held * largest() : std::copysign(share * sliding(std::abs(v_rel)), direction);
    terms.f_d = terms.f_d2 = terms.f;
    return terms;
}

double FrictionLaw::storedEnergy(double /*s_rel*/, double /*stick*/) const {
    return 0;
}

double FrictionLaw::lossPower(double s_rel, double v_rel, double stick) const {
    return evaluate(s_rel, v_rel, stick).f * v_rel;
}

double FrictionLaw::dissipatedPower(double s_rel, double v_rel, double stick) const {
    return lossPower(s_rel, v_rel, stick);
}

}  // namespace elasto
