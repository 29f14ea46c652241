#pragma once
/// @file row_text.h
/// Lines of a sweep's table: run (counted from 1), parameters, status, metrics, how good the ticks were, reason.

#include "study.h"

#include <elasto/grade.h>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace elasto::sweep {

/// What came of a run.
struct Outcome {
    std::vector<std::optional<double>> metrics;  ///< as many as the study's; none where there is no value
    std::string failure;                         ///< why there are none at all; empty: all went well
    TickGrade grade = {};                        ///< of the worst of its ticks, with the largest error of any
    std::string doubtful = {};                   ///< Doubtful::text()
};

/// Columns after the metrics: 0 exact, 1 approximate, 2 failed; and by how much a tick may be off at most [m, rad].
inline constexpr const char* kGradeColumn = "grade";
inline constexpr const char* kErrorColumn = "gradeError";

inline constexpr const char* kStatusOk = "ok";
inline constexpr const char* kStatusFailed = "failed";

/// Names of the columns, quoted, without a line feed.
std::string headerText(const Study& study);
/// One run's line without a line feed. Numbers read back bit for bit, with a point whatever the locale.
/// @param run counted from 0
std::string rowText(std::size_t run, const std::vector<Value>& point, const Outcome& outcome);
/// Number of the run in a line, counted from 0. None if it is no line of a run
std::optional<std::size_t> runOfRow(std::string_view row);
/// Whether a line says that its run failed.
bool isFailed(const Study& study, std::string_view row);
/// Why it failed, or what is doubtful of it, as the line has it.
std::string_view reasonOf(const Study& study, std::string_view row);

}  // namespace elasto::sweep
