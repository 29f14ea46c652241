#include "checks.h"

#include <elasto/errors.h>
#include <elasto/force_terms.h>

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

void requireInRange(const std::string& owner, const std::string& field, double value) {
    if (std::abs(value) > kLargestParameter) {
        throw InvalidParameter(owner, field, value,
                               "within -" + numberText(kLargestParameter) + " .. " + numberText(kLargestParameter));
    }
}

void requireGiven(const std::string& owner, const std::string& field, double value, const std::string& rule,
                  const std::string& startValue) {
    if (!std::isnan(value)) {
        return;
    }
    // An omitted field holds NaN, so a NaN that was computed by mistake looks the same: the message names both.
    std::string problem = field + " was not given (or is not a number); it must be " + rule;
    if (!startValue.empty()) {
        problem += "; Modelica's start value is " + field + " = " + startValue;
    }
    throw InvalidParameter(owner, problem);
}

}  // namespace elasto::checks
