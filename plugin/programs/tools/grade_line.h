#pragma once
/// @file grade_line.h
/// How good the ticks of a run were, in one line.

#include <elasto/plugin.h>

#include <optional>
#include <string>

#include "exact_rate.h"
#include "json_output.h"

namespace elasto::tools {

/// "all 600 ticks are exact", or how many are not, by how much, where, since when, why, and what helps.
/// @param rate the search for a rate that helps; empty: there was none
std::string gradeLine(const TickStatistics& totals, const std::optional<ExactRate>& rate = {});
/// The same for programs.
Json gradeJson(const TickStatistics& totals, const std::optional<ExactRate>& rate = {});
/// @return the exit code of a run that must be exact: kOk, or kNotExact with a message
int strictCode(const TickStatistics& totals);

}  // namespace elasto::tools
