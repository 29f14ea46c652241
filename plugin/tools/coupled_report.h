#pragma once
/// @file coupled_report.h
/// Prints what `elasto verify coupled` measured.

#include <string>
#include <vector>

#include "coupled_run.h"
#include "json_output.h"

namespace elasto::tools {

/// True if every target is met.
bool passes(const std::vector<CoupledResult>& results);

/// A row per case, rate and measure with its worst variant, or with all of them.
std::string coupledTable(const std::vector<CoupledResult>& results, bool all);

/// Every variant.
Json coupledJson(const std::vector<CoupledResult>& results);

}  // namespace elasto::tools
