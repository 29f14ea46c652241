#pragma once
/// @file words.h
/// Searching texts by their words.

#include <string>
#include <string_view>

namespace elasto::panels {

/// In lower case (ASCII).
std::string lowered(std::string_view text);

/// Whether each word of a search is somewhere in a text, whatever the case.
bool hasWords(std::string_view text, std::string_view search);

}  // namespace elasto::panels
