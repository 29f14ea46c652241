#pragma once
/// @file sweep_table.h
/// Reads tables of `elasto sweep`.

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace elasto::tools {

/// The runs of a sweep. Columns are `run`, parameters, `status`, metrics, `grade` and `gradeError`, `reason`.
struct SweepTable {
    std::vector<std::string> parameters;
    std::vector<std::string> metrics;
    std::vector<std::string> grades;  ///< `grade` and `gradeError`; none in tables of versions that had none
    std::vector<std::vector<std::string>> cells;  ///< by run; a cell per parameter, then per metric

    /// Index of a parameter or metric among the cells of a run. -1: there is none of that name
    int columnOf(std::string_view name) const;
    /// Names of all parameters, metrics and grades.
    std::vector<std::string> columns() const;
    /// A column as numbers: NaN where a cell is empty. @throws InputError if a cell holds something else
    std::vector<double> numbers(int column, const std::string& source) const;
};

/// Whether a file's first line is that of a sweep's table.
/// @param source what messages call it @throws InputError if the line has a quote without an end
bool isSweepTable(std::string_view text, const std::string& source);
/// @throws InputError naming line and mistake
SweepTable parseSweepTable(std::string_view text, const std::string& source);

}  // namespace elasto::tools
