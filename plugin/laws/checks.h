#pragma once
// Checks of parameters, shared by the laws. Every one throws InvalidParameter and changes nothing.

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

/// Throws if value is larger than kLargestParameter, whatever its sign.
void requireInRange(const std::string& owner, const std::string& field, double value);

/// Throws if value is kRequired, that is, if the field was left out.
/// @param rule       what the value must be, e.g. "finite and >= 0"
/// @param startValue what Modelica proposes for it, e.g. "1"; empty where Modelica has no proposal
void requireGiven(const std::string& owner, const std::string& field, double value, const std::string& rule,
                  const std::string& startValue);

}  // namespace elasto::checks
