#pragma once
/// @file tube_report.h
/// A comparison of two runs as a page for a browser.

#include <elasto/reference/nrmse.h>

#include <string>
#include <vector>

#include "tube.h"

namespace elasto::tools {

/// What a page is about.
struct TubeReport {
    std::string referenceFile, candidateFile;
    const Trajectory& reference;
    const Trajectory& candidate;
    const std::vector<TubeResult>& tubes;
    const std::vector<SignalError>& errors;  ///< NRMSE, of the same signals
};

/// A whole HTML page in one file: a table, and a picture of each signal with its tube, those outside first. The same
/// runs give the same text.
std::string htmlOf(const TubeReport& report);

}  // namespace elasto::tools
