#pragma once
// Checks of parameters, shared by the laws. Every one throws InvalidParameter and changes nothing.

#include <elasto/errors.h>
#include <elasto/law_parameter.h>

#include <string>

namespace elasto::checks {

/// Shortest text that reads back as the same number.
std::string numberText(double value);

/// Throws unless value is finite.
void requireFinite(const std::string& owner, const std::string& field, double value);
/// Throws unless value is finite and >= 0.
void requireNotNegative(const std::string& owner, const std::string& field, double value);
/// Throws unless value is finite and > 0.
void requirePositive(const std::string& owner, const std::string& field, double value);

/// Throws unless each value of a law is given where it must be, within its range, and not larger than
/// kLargestParameter, whatever its sign.
void requireAll(const char* owner, std::span<const LawParameter> list, const LawValues& values);

/// Throws unless `holds`, a rule on s_ref that depends on the other parameters.
void requireReference(const char* owner, bool holds, const char* rule, double c, double d, double n, double s_ref);
/// Throws where c s_ref (x / s_ref)^n, as a power of x in metres, has no finite factor, or its energy vanishes.
void requireFinitePower(const char* owner, double c, double d, double n, double s_ref);

/// The enumerator that a value of a Choice stands for. @throws InvalidParameter
template <typename Enum>
Enum choiceOf(const char* owner, const LawParameter& parameter, double value) {
    const std::size_t count = parameter.choices.size();
    for (std::size_t i = 0; i < count; ++i) {
        if (value == static_cast<double>(i)) return static_cast<Enum>(i);
    }
    throw InvalidParameter(owner, parameter.name, value, "a whole number from 0 to " + std::to_string(count - 1));
}

}  // namespace elasto::checks
