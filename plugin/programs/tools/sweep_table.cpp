#include "sweep_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <limits>

#include "csv.h"
#include "tool_errors.h"

namespace elasto::tools {

namespace {

constexpr const char* kRun = "run";
constexpr const char* kStatus = "status";
constexpr const char* kGrade = "grade";
constexpr const char* kError = "gradeError";
constexpr const char* kReason = "reason";

std::string_view nextLine(std::string_view& text) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (line.ends_with('\r')) line.remove_suffix(1);
    return line;
}

}  // namespace

int SweepTable::columnOf(std::string_view name) const {
    const std::vector<std::string> names = columns();
    const auto found = std::find(names.begin(), names.end(), name);
    return found == names.end() ? -1 : static_cast<int>(found - names.begin());
}

std::vector<std::string> SweepTable::columns() const {
    std::vector<std::string> names = parameters;
    names.insert(names.end(), metrics.begin(), metrics.end());
    names.insert(names.end(), grades.begin(), grades.end());
    return names;
}

std::vector<double> SweepTable::numbers(int column, const std::string& source) const {
    std::vector<double> values;
    for (const std::vector<std::string>& row : cells) {
        const std::string& cell = row[static_cast<std::size_t>(column)];
        double& value = values.emplace_back(std::numeric_limits<double>::quiet_NaN());
        if (cell.empty()) continue;
        const auto [end, error] = std::from_chars(cell.data(), cell.data() + cell.size(), value);
        if (error == std::errc() && end == cell.data() + cell.size()) continue;
        throw InputError(fmt::format("{}: {}: '{}' is not a number, so it cannot be drawn", source,
                                     columns()[static_cast<std::size_t>(column)], cell));
    }
    return values;
}

bool isSweepTable(std::string_view text, const std::string& source) {
    const std::vector<std::string> names = splitCsvLine(nextLine(text), source + ":1");
    return names.size() > 3 && names.front() == kRun && names.back() == kReason &&
           std::find(names.begin(), names.end(), kStatus) != names.end();
}

SweepTable parseSweepTable(std::string_view text, const std::string& source) {
    const std::vector<std::string> names = splitCsvLine(nextLine(text), source + ":1");
    const auto status = std::find(names.begin(), names.end(), kStatus);
    SweepTable table;
    table.parameters.assign(names.begin() + 1, status);
    const bool isGraded = names.end() - status > 3 && *(names.end() - 3) == kGrade && *(names.end() - 2) == kError;
    table.metrics.assign(status + 1, names.end() - (isGraded ? 3 : 1));
    if (isGraded) table.grades = {kGrade, kError};
    for (int line = 2; !text.empty(); ++line) {
        std::vector<std::string> row = splitCsvLine(nextLine(text), fmt::format("{}:{}", source, line));
        if (row.size() != names.size()) {
            throw InputError(
                fmt::format("{}:{}: {} values; the header has {} columns", source, line, row.size(), names.size()));
        }
        row.pop_back();  // reason
        row.erase(row.begin() + (status - names.begin()));
        row.erase(row.begin());  // run
        table.cells.push_back(std::move(row));
    }
    return table;
}

}  // namespace elasto::tools
