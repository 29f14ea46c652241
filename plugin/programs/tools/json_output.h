#pragma once
/// @file json_output.h
/// Summaries for programs.

#include <nlohmann/json.hpp>

namespace elasto::tools {

/// Keys stay in the order in which they were set, so that two runs print the same text.
using Json = nlohmann::ordered_json;

/// Prints to the standard output, indented, with a line feed. Numbers that are not finite become null.
void printJson(const Json& json);

}  // namespace elasto::tools
