#include "result_file.h"

#include <elasto/scene/input_file.h>
#include <elasto/scene/time_table.h>
#include <fmt/format.h>

#include "csv.h"
#include "mat_file.h"
#include "tool_errors.h"

namespace elasto::tools {

Trajectory readResult(const std::filesystem::path& file) {
    return parseResult(readFile(file), file);
}

namespace {

/// The first table of a file of CombiTimeTable. Its columns have the names that its comment says, or their numbers.
Trajectory trajectoryOf(std::string_view text, const std::filesystem::path& file) {
    const TimeTable table = parseTimeTables(text, file.string()).front();
    Trajectory run;
    for (std::size_t row = 0; row < table.rows(); ++row) {
        const double time = table.at(row, 0);
        if (row > 0 && time < run.time.back()) {
            throw InputError(fmt::format("{}: row {} of table {}: time falls from {} to {}", file.string(), row + 1,
                                         table.name, run.time.back(), time));
        }
        run.time.push_back(time);
    }
    for (std::size_t column = 1; column < table.columns; ++column) {
        run.signals.push_back(table.titles.empty() ? fmt::format("{}[{}]", table.name, column + 1)
                                                   : table.titles[column]);
        std::vector<double>& values = run.columns.emplace_back();
        for (std::size_t row = 0; row < table.rows(); ++row) values.push_back(table.at(row, column));
    }
    return run;
}

}  // namespace

Trajectory parseResult(std::string_view text, const std::filesystem::path& file) {
    if (isTimeTable(text)) return trajectoryOf(text, file);
    return isMat(text) ? readMat(file) : parseCsv(text, file.string());
}

}  // namespace elasto::tools
