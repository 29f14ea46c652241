#pragma once
/// @file sweep_plot.h
/// Draws tables of `elasto sweep`.

#include <string>
#include <string_view>
#include <vector>

#include "draw.h"
#include "sweep_table.h"

namespace elasto::tools {

/// What is drawn of a table.
struct SweepPlotOptions {
    std::vector<std::string> patterns = {};  ///< metrics; `*` stands for any text, `?` for one character
    std::vector<std::string> over = {};      ///< one column: curves, two: heat maps; empty: one or two parameters
    std::vector<std::string> where = {};     ///< COLUMN=VALUE: only the runs of which it holds; several values of a
                                             ///< column are alternatives
    std::string title = {};
};

/// The picture as a script. Over one column: one panel per metric, one curve per combination of the other parameters
/// where these are few, else dots. Over two: one map per metric.
/// @param source what messages call the table
/// @throws InputError naming the option, what it says and what the table has
MakeScript sweepScript(const SweepTable& table, const SweepPlotOptions& options, const std::string& source);

}  // namespace elasto::tools
