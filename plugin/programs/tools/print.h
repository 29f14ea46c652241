#pragma once
/// @file print.h
/// What the command says to people. All of it goes out here: names in it come from files, and what a terminal would
/// obey is escaped (see printable). Data goes through OutputFile and printJson.

#include <fmt/format.h>

#include <cstdio>
#include <string>

namespace elasto::tools {

/// @throws std::system_error if it cannot be written; for messages on the standard error never
void printTo(std::FILE* stream, const std::string& text);

/// On the standard output.
template <typename... Arguments>
void printText(fmt::format_string<Arguments...> format, Arguments&&... arguments) {
    printTo(stdout, fmt::format(format, std::forward<Arguments>(arguments)...));
}

/// On the standard error: `elasto: the message`, and a line feed.
template <typename... Arguments>
void printMessage(fmt::format_string<Arguments...> format, Arguments&&... arguments) {
    printTo(stderr, "elasto: " + fmt::format(format, std::forward<Arguments>(arguments)...) + "\n");
}

}  // namespace elasto::tools
