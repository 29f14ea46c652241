#pragma once
/// @file verify_report.h
/// Prints what `elasto verify` measured.

#include <string>
#include <vector>

#include "json_output.h"
#include "verify_case.h"

namespace elasto::tools {

/// "closed form 480, free 20": ticks of elements by how they were solved.
std::string methodsText(const TickStatistics& totals);

/// True if every target is met.
bool passes(const std::vector<CaseResult>& results);

/// The one table: a row per case, rate and group of signals. Groups without a target are left out unless the case has
/// no target at all.
std::string verifyTable(const std::vector<CaseResult>& results);

/// Everything, also groups without a target.
Json verifyJson(const std::vector<CaseResult>& results);

}  // namespace elasto::tools
