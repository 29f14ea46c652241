#include "parameters.h"

#include <elasto/elasto.h>
#include <elasto/errors.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

namespace elasto::play {

namespace {

constexpr double kAny = -std::numeric_limits<double>::infinity();

/// Words of the scene file, in the order of the enumerators.
const std::vector<std::string> kGapChoices = {"boundedDamper", "linear", "noPull", "lankaraniNikravesh"};
const std::vector<std::string> kBacklashChoices = {"boundedDamper", "noPull", "linear"};

template <typename Enum>
Enum choiceOf(double value, const std::vector<std::string>& choices, const std::string& owner) {
    const double last = static_cast<double>(choices.size()) - 1;
    if (!(value >= 0 && value <= last && value == std::floor(value))) {
        throw InvalidParameter(owner, "characteristic", value,
                               "a whole number from 0 to " + std::to_string(choices.size() - 1));
    }
    return static_cast<Enum>(static_cast<int>(value));
}

[[noreturn]] void unknown(std::string_view symbol, const char* known) {
    throw std::out_of_range("no parameter '" + std::string(symbol) + "'; there are " + known);
}

/// Reads and writes the parameters of each law by symbol. `write` null: read only.
struct Access {
    std::string_view symbol;
    const double* write;
    const std::string& owner;

    double number(double& field) const {
        if (write != nullptr) field = *write;
        return field;
    }
    template <typename Enum>
    double choice(Enum& field, const std::vector<std::string>& choices) const {
        if (write != nullptr) field = choiceOf<Enum>(*write, choices, owner);
        return static_cast<double>(field);
    }

    double operator()(SpringDamperParameters& p) const {
        if (symbol == "c") return number(p.c);
        if (symbol == "d") return number(p.d);
        if (symbol == "s_rel0" || symbol == "phi_rel0" || symbol == "s_unstretched") return number(p.s_rel0);
        unknown(symbol, "c, d and s_rel0 (phi_rel0, s_unstretched)");
    }
    double operator()(ElastoGapParameters& p) const {
        if (symbol == "c") return number(p.c);
        if (symbol == "d") return number(p.d);
        if (symbol == "s_rel0") return number(p.s_rel0);
        if (symbol == "n") return number(p.n);
        if (symbol == "s_ref") return number(p.s_ref);
        if (symbol == "characteristic") return choice(p.characteristic, kGapChoices);
        unknown(symbol, "c, d, s_rel0, n, s_ref and characteristic");
    }
    double operator()(ElastoBacklashParameters& p) const {
        if (symbol == "c") return number(p.c);
        if (symbol == "d") return number(p.d);
        if (symbol == "b") return number(p.b);
        if (symbol == "phi_rel0") return number(p.phi_rel0);
        if (symbol == "characteristic") return choice(p.characteristic, kBacklashChoices);
        unknown(symbol, "c, d, b, phi_rel0 and characteristic");
    }
    double operator()(SpringDamperSeriesParameters& p) const {
        if (symbol == "c") return number(p.c);
        if (symbol == "d") return number(p.d);
        if (symbol == "s_unstretched") return number(p.s_unstretched);
        unknown(symbol, "c, d and s_unstretched");
    }
};

}  // namespace

double parameterOf(const Law& law, std::string_view symbol) {
    const std::string nobody;
    return std::visit(
        [&](const auto& any) {
            auto parameters = any.parameters();
            return Access{symbol, nullptr, nobody}(parameters);
        },
        law);
}

Law withParameter(const Law& law, std::string_view symbol, double value, const std::string& owner) {
    return std::visit(
        [&](const auto& any) -> Law {
            auto parameters = any.parameters();
            Access{symbol, &value, owner}(parameters);
            return std::decay_t<decltype(any)>(parameters, owner.c_str());
        },
        law);
}

std::vector<Parameter> parametersOf(const SceneElement& element) {
    const bool isAngle = element.geometry == Geometry::AboutAxis;
    const std::string length = isAngle ? "rad" : "m";
    const std::string force = isAngle ? "N.m" : "N";
    const auto scaleOf = [&](const std::string& symbol, double otherwise) {
        const double value = std::abs(parameterOf(element.law, symbol));
        return value > 0 ? value : otherwise;
    };
    const auto positive = [&](const std::string& symbol, const std::string& unit, const std::string& text,
                              double lowest, bool isLowestAllowed, double otherwise) {
        return Parameter{symbol, unit, text, lowest, isLowestAllowed, scaleOf(symbol, otherwise), true, {}};
    };
    const auto place = [&](const std::string& symbol, const std::string& text) {
        return Parameter{symbol, length, text, kAny, true, scaleOf(symbol, isAngle ? 0.1 : 0.1), false, {}};
    };
    const auto choice = [](const std::vector<std::string>& choices) {
        return Parameter{"characteristic", "", "how spring and damper are combined", 0, true, 1, false, choices};
    };
    const std::string unitC = isAngle ? "N.m/rad" : "N/m";
    const std::string unitD = isAngle ? "N.m.s/rad" : "N.s/m";
    const bool isGap = std::holds_alternative<ElastoGapLaw>(element.law);
    const bool isBacklash = std::holds_alternative<ElastoBacklashLaw>(element.law);
    const Parameter c = positive("c", unitC, "spring constant", 0, !isBacklash, isAngle ? 10 : 1000);
    const Parameter d = positive("d", unitD, "damping constant", 0, true, isAngle ? 0.1 : 10);

    if (isGap) {
        return {c,
                d,
                place("s_rel0", "in contact while s_rel < s_rel0"),
                Parameter{"n", "", "exponent of the spring force; 1.5 for two spheres", 1, true, 1, false, {}},
                positive("s_ref", length, "compression at which |f_c| = c s_ref", 0, false, 1),
                choice(kGapChoices)};
    }
    if (isBacklash) {
        return {c, d, positive("b", length, "total play", 0, true, isAngle ? 0.05 : 0.01),
                place("phi_rel0", "middle of the play"), choice(kBacklashChoices)};
    }
    if (std::holds_alternative<SpringDamperSeriesLaw>(element.law)) {
        return {c, d, place("s_unstretched", "unstretched length of the spring")};
    }
    switch (element.type) {
        case ElementType::Spring:
            return {c, place("s_unstretched", "unstretched length")};
        case ElementType::Damper:
            return {d};
        case ElementType::RotationalSpringDamper:
            return {c, d, place("phi_rel0", "angle without force")};
        case ElementType::SpringDamper:
            return {c, d, place("s_rel0", "length without force")};
        default:
            return {c, d, place("s_unstretched", "unstretched length")};
    }
}

inline namespace ELASTO_BULLET_NAMESPACE {

namespace {

template <typename Element>
bool tryPut(ForceElement& element, std::string_view symbol, double value) {
    auto* known = dynamic_cast<Element*>(&element);
    if (known == nullptr) return false;
    auto parameters = known->parameters();
    const std::string owner = element.label();
    Access{symbol, &value, owner}(parameters);
    known->setParameters(parameters);
    return true;
}

}  // namespace

void setParameter(ForceElement& element, std::string_view symbol, double value) {
    if (tryPut<ElastoGap>(element, symbol, value) || tryPut<ElastoBacklash>(element, symbol, value) ||
        tryPut<SpringDamperParallel>(element, symbol, value) || tryPut<SpringDamperSeries>(element, symbol, value) ||
        tryPut<RotationalSpringDamper>(element, symbol, value)) {
        return;
    }
    throw InvalidParameter(element.label(), "is of a type without parameters that can be edited");
}

}  // namespace ELASTO_BULLET_NAMESPACE
}  // namespace elasto::play
