#pragma once
/// @file coupled_command.h
/// `elasto verify coupled`.

#include <string>
#include <vector>

namespace elasto::tools {

struct CoupledOptions {
    std::vector<std::string> cases;  ///< empty: all
    std::vector<double> rates;       ///< [Hz]; empty: those of the plan
    bool list = false;
    bool all = false;  ///< print every variant
    bool json = false;
};

/// Name of the suite on the command line.
inline constexpr const char* kCoupledSuite = "coupled";

/// @return an ExitCode
int verifyCoupled(const CoupledOptions& options);

}  // namespace elasto::tools
