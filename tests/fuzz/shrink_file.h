#pragma once
// Makes a file smaller that shows something.

#include "file_kinds.h"

#include <functional>
#include <string>

namespace elasto::fuzz {

/// Leaves out parts as long as what is left still shows it.
/// @param shows whether a text does @param tries that this may take
std::string shrink(FileKind kind, std::string text, int tries, const std::function<bool(const std::string&)>& shows);

}  // namespace elasto::fuzz
