#pragma once
/// @file suite_report.h
/// What `elasto verify coupled` and `elasto verify robots` measured, and how it is printed.

#include <elasto/statistics.h>

#include <optional>
#include <string>
#include <vector>

#include "coupled_checks.h"
#include "json_output.h"

namespace elasto::tools {

/// A check of one variant of a case at one rate.
struct SuiteResult {
    std::string name;
    std::string variant;
    double rate = 0;
    std::size_t check = 0;  ///< which of the case's checks
    std::string measure;    ///< "NRMSE"
    std::string unit;       ///< "%"
    CoupledValue reached;
    std::optional<double> target;
    TickStatistics totals;
    bool passes() const { return !target || reached.value <= *target; }
};

/// True if every target is met.
bool passes(const std::vector<SuiteResult>& results);

/// A row per case, rate and measure with its worst variant, or with all of them.
std::string suiteTable(const std::vector<SuiteResult>& results, bool all);

/// Every variant.
Json suiteJson(const std::vector<SuiteResult>& results);

}  // namespace elasto::tools
