#pragma once
/// @file grade_line.h
/// How good the ticks of a run were, in one line.

#include <elasto/plugin.h>

#include <string>

#include "json_output.h"

namespace elasto::tools {

/// "all 600 ticks are exact", or how many are not, by how much, where, since when, why, and what helps.
std::string gradeLine(const TickStatistics& totals);
/// The same for programs.
Json gradeJson(const TickStatistics& totals);
/// @return the exit code of a run that must be exact: kOk, or kNotExact with a message
int strictCode(const TickStatistics& totals);

}  // namespace elasto::tools
