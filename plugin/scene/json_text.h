#pragma once
/// @file json_text.h
/// JSON text to a document, refusing what JSON libraries let pass.

#include "problems.h"

#include <nlohmann/json.hpp>

#include <string_view>

namespace elasto::scene {

/// Parses text. Syntax errors (with line and column), numbers beyond double's range, keys that stand twice in one
/// object (the second would silently win), texts above 4096 bytes and more than 64 arrays and objects within each other
/// become problems; the result is meaningless then.
nlohmann::json parseJsonText(std::string_view text, Problems& problems);

}  // namespace elasto::scene
