#pragma once
/// @file command_line.h
/// The `elasto` command as a function.

namespace elasto::tools {

/// Parses the command line, does what it asks for and turns errors into one message and an ExitCode.
int runCommandLine(int argc, char** argv);

}  // namespace elasto::tools
