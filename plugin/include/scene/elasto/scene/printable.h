#pragma once
/// @file printable.h
/// Text that a terminal shows and does not obey.

#include <elasto/export.h>

#include <string>
#include <string_view>
#include <vector>

namespace elasto {

/// Text for a message. Names in it come from files: control characters, and bytes that are no UTF-8, are written as
/// `\x1b`, since a terminal would take them for commands. Line feeds and tabs stay.
ELASTO_API std::string printable(std::string_view text);
/// The same for a text that must stay on one line: line feeds and tabs are written as `\x0a` and `\x09` too.
ELASTO_API std::string printableLine(std::string_view text);
/// Names for a message, "a, b, c" on one line: those that fit into some lines of a terminal, and how many more there
/// are.
ELASTO_API std::string printableNames(const std::vector<std::string>& names);

}  // namespace elasto
