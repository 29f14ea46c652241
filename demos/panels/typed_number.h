#pragma once
/// @file typed_number.h
/// Numbers as people type them: with a unit, or without.

#include <optional>
#include <string>
#include <string_view>

namespace elasto::panels {

/// A typed number in the unit that was asked for, or why it is none.
struct TypedNumber {
    std::optional<double> value;
    std::string refusal;  ///< one sentence that quotes the text and says what is allowed; empty if there is a value
};

/// Reads "1.5", "1500 mm", "2e4N/m", "3 kN/mm", "90 deg", "30 rpm". Between number and unit there may be space. What is
/// typed without a unit is in the unit that is asked for.
/// @param unit SI, as shown: "m", "N/m", "N·s/m", "rad"; empty: a plain number, which takes none
TypedNumber readTyped(std::string_view text, std::string_view unit);

}  // namespace elasto::panels
