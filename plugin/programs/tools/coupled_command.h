#pragma once
/// @file coupled_command.h
/// `elasto verify coupled`.

#include "suite_command.h"

namespace elasto::tools {

/// Name of the suite on the command line.
inline constexpr const char* kCoupledSuite = "coupled";

/// @return an ExitCode
int verifyCoupled(const SuiteOptions& options);

}  // namespace elasto::tools
