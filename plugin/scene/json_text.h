#pragma once
/// @file json_text.h
/// JSON text to a document, refusing what JSON libraries let pass.

#include <elasto/export.h>

#include "problems.h"

#include <nlohmann/json.hpp>

#include <cstddef>
#include <string_view>

namespace elasto::scene {

/// Bytes of a text: as many as the path of a file may have. What matches a pattern calls itself once per character.
inline constexpr std::size_t kLongestJsonText = 4096;

/// Parses text. Syntax errors (with line and column), numbers beyond double's range, keys that stand twice in one
/// object (the second would silently win), texts above `longest` bytes and more than 64 arrays and objects within each
/// other become problems; the result is meaningless then.
ELASTO_API nlohmann::json parseJsonText(std::string_view text, Problems& problems,
                                        std::size_t longest = kLongestJsonText);

}  // namespace elasto::scene
