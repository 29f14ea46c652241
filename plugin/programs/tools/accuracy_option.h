#pragma once
/// @file accuracy_option.h
/// How exact a run is asked to be, on the command line.

#include <elasto/accuracy.h>
#include <CLI/CLI.hpp>

namespace elasto::tools {

/// --accuracy: a length in metres, or exact, implicit, uncoupled.
void addAccuracy(CLI::App& command, Accuracy& accuracy);

}  // namespace elasto::tools
