#pragma once
/// @file plan_node.h
/// Reads the files that say what `elasto verify` checks.

#include <filesystem>
#include <initializer_list>
#include <string>
#include <string_view>

#include "json_output.h"

namespace elasto::tools {

/// One JSON value with its place in the file. What does not fit is an InputError naming place, value and what is
/// allowed.
struct PlanNode {
    const Json& json;
    std::string place;

    [[noreturn]] void refuse(const std::string& allowed) const;
    bool has(const char* key) const { return json.contains(key); }
    PlanNode at(const char* key) const;
    /// The items of an array that must not be empty.
    std::vector<PlanNode> items(const std::string& allowed) const;
    double number() const;
    double positive() const;
    double rate() const;
    std::string text() const;
    void checkKeys(std::initializer_list<const char*> known) const;
};

/// A rate [Hz] that is the key of an object.
double planRate(const std::string& text, const std::string& place);

/// @throws InputError @param source what messages call it
Json parsePlanText(std::string_view text, const std::string& source);

}  // namespace elasto::tools
