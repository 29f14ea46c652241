#include "checks.h"

#include <array>
#include <charconv>
#include <cmath>

namespace elasto::checks {

std::string numberText(double value) {
    // 24 characters are enough for any double in its shortest form; "-nan" and "-inf" are shorter.
    std::array<char, 32> text{};
    const std::to_chars_result result = std::to_chars(text.data(), text.data() + text.size(), value);
    return {text.data(), result.ptr};
}

void requireFinite(const std::string& owner, const std::string& field, double value) {
    if (!std::isfinite(value)) {
        throw InvalidParameter(owner, field, value, "finite");
    }
}

void requireNotNegative(const std::string& owner, const std::string& field, double value) {
    if (!std::isfinite(value) || value < 0) {
        throw InvalidParameter(owner, field, value, "finite and >= 0");
    }
}

void requirePositive(const std::string& owner, const std::string& field, double value) {
    if (!std::isfinite(value) || value <= 0) {
        throw InvalidParameter(owner, field, value, "finite and > 0");
    }
}

namespace {

std::string ruleOf(const LawParameter& parameter) {
    if (parameter.lowest == kAnyValue) return "finite";
    return std::string("finite and ") + (parameter.isLowestAllowed ? ">= " : "> ") + numberText(parameter.lowest);
}

// An omitted field holds NaN, so a NaN that was computed by mistake looks the same: the message names both.
void requireGiven(const char* owner, const LawParameter& parameter, double value) {
    if (!std::isnan(value)) return;
    const std::string name = parameter.name, start = parameter.modelicaStart;
    std::string problem = name + " was not given (or is not a number); it must be " + ruleOf(parameter);
    if (!start.empty()) problem += "; Modelica's start value is " + name + " = " + start;
    throw InvalidParameter(owner, problem);
}

void requireRange(const char* owner, const LawParameter& parameter, double value) {
    const bool isAbove = parameter.isLowestAllowed ? value >= parameter.lowest : value > parameter.lowest;
    if (!std::isfinite(value) || !isAbove) throw InvalidParameter(owner, parameter.name, value, ruleOf(parameter));
}

}  // namespace

void requireAll(const char* owner, std::span<const LawParameter> list, const LawValues& values) {
    for (std::size_t i = 0; i < list.size(); ++i) {
        const LawParameter& parameter = list[i];
        if (parameter.measured == Measured::Table) {
            if (!values.table.isEmpty()) continue;
            throw InvalidParameter(owner, std::string(parameter.name) + " was not given; it must be " + parameter.text);
        }
        if (parameter.measured == Measured::Choice) {
            if (values[i] >= 0 && values[i] < static_cast<double>(parameter.choices.size())) continue;
            throw InvalidParameter(owner, parameter.name, values[i],
                                   std::string("one of the values of ") + parameter.enumeration);
        }
        if (std::isnan(parameter.otherwise)) requireGiven(owner, parameter, values[i]);
        requireRange(owner, parameter, values[i]);
    }
    for (std::size_t i = 0; i < list.size(); ++i) {
        if (std::abs(values[i]) <= kLargestParameter) continue;
        throw InvalidParameter(owner, list[i].name, values[i],
                               "within -" + numberText(kLargestParameter) + " .. " + numberText(kLargestParameter));
    }
}

void requireReference(const char* owner, bool holds, const char* rule, double c, double d, double n, double s_ref) {
    if (holds) return;
    throw InvalidParameter(
        owner, "s_ref", s_ref,
        std::string(rule) + " with c = " + numberText(c) + ", d = " + numberText(d) + ", n = " + numberText(n));
}

void requireFinitePower(const char* owner, double c, double d, double n, double s_ref) {
    const bool isFinite = std::isfinite(c * std::pow(s_ref, 1 - n)) && c * s_ref * s_ref > 0;
    requireReference(owner, n == 1 || c == 0 || isFinite, "so large that c s_ref^(1 - n) is finite and c s_ref^2 > 0",
                     c, d, n, s_ref);
}

}  // namespace elasto::checks
