#pragma once
/// @file robots_command.h
/// `elasto verify robots`.

#include "suite_command.h"

namespace elasto::tools {

/// Name of the suite on the command line.
inline constexpr const char* kRobotsSuite = "robots";

/// @return an ExitCode
int verifyRobots(const SuiteOptions& options);

}  // namespace elasto::tools
