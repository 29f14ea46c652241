#pragma once
/// @file option_meant.h
/// What to say about an option that a program or command does not have.

#include <CLI/CLI.hpp>

#include <string>

namespace elasto::tools {

/// Which of its options may have been meant where an error says that some were not expected: " (did you mean --hz?)",
/// or nothing.
/// @param app the program, or the command that the options were given to
std::string optionMeant(const CLI::App& app, const CLI::Error& error);

}  // namespace elasto::tools
