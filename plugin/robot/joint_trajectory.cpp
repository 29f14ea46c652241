#include <elasto/robot/joint_trajectory.h>

#include <elasto/errors.h>
#include <elasto/scene/input_file.h>
#include <elasto/scene/printable.h>
#include <elasto/scene/time_table.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>

namespace elasto {

namespace {

constexpr const char* kOwner = "JointTrajectory";

/// A text without the blanks around it.
std::string_view trimmed(std::string_view text) {
    const std::size_t first = text.find_first_not_of(" \t\r");
    if (first == std::string_view::npos) return {};
    return text.substr(first, text.find_last_not_of(" \t\r") - first + 1);
}

std::vector<std::string_view> cellsOf(std::string_view line) {
    std::vector<std::string_view> cells;
    for (std::size_t at = 0; at <= line.size();) {
        const std::size_t comma = std::min(line.find(',', at), line.size());
        cells.push_back(trimmed(line.substr(at, comma - at)));
        at = comma + 1;
    }
    return cells;
}

struct Rows {
    std::vector<std::string> names;
    std::vector<double> times;
    std::vector<double> values;
};

void requireTime(const std::string& name, const std::string& place) {
    if (name != "time") throw FileError(place + ": '" + printable(name) + "' is not allowed; the first column is time");
}

Rows rowsOfCsv(std::string_view text, const std::string& source) {
    Rows rows;
    std::size_t number = 0;
    bool isHead = true;
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t end = std::min(text.find('\n', at), text.size());
        const std::string_view line = trimmed(text.substr(at, end - at));
        at = end + 1;
        ++number;
        if (line.empty() || line.front() == '#') continue;
        const std::string place = source + ":" + std::to_string(number);
        const std::vector<std::string_view> cells = cellsOf(line);
        if (isHead) {
            isHead = false;
            requireTime(std::string(cells.front()), place);
            rows.names.assign(cells.begin() + 1, cells.end());
            continue;
        }
        if (cells.size() != rows.names.size() + 1) {
            throw FileError(place + ": has " + std::to_string(cells.size()) + " numbers; the first line names " +
                            std::to_string(rows.names.size() + 1) + " columns");
        }
        for (std::size_t i = 0; i < cells.size(); ++i) {
            double value = 0;
            const auto [last, error] = std::from_chars(cells[i].data(), cells[i].data() + cells[i].size(), value);
            if (error != std::errc() || last != cells[i].data() + cells[i].size() || !std::isfinite(value)) {
                throw FileError(place + ": '" + printable(std::string(cells[i].substr(0, 40))) + "' is no number");
            }
            if (i == 0 && !rows.times.empty() && !(value > rows.times.back())) {
                throw FileError(place + ": time '" + std::string(cells[0]) +
                                "' is not allowed; it must be later than that of the row before");
            }
            (i == 0 ? rows.times : rows.values).push_back(value);
        }
    }
    return rows;
}

Rows rowsOfTable(std::string_view text, const std::string& source) {
    const TimeTable table = parseTimeTables(text, source).front();
    if (table.titles.empty()) {
        throw FileError(source + ": table " + table.name +
                        " does not name its columns; a line `# columns: time ...` behind its head does");
    }
    requireTime(table.titles.front(), source);
    Rows rows;
    rows.names.assign(table.titles.begin() + 1, table.titles.end());
    for (std::size_t row = 0; row < table.rows(); ++row) {
        if (row > 0 && !(table.at(row, 0) > table.at(row - 1, 0))) {
            throw FileError(source + ": row " + std::to_string(row + 1) + " of table " + table.name +
                            " is not later than the one before");
        }
        rows.times.push_back(table.at(row, 0));
        for (std::size_t column = 1; column < table.columns; ++column) rows.values.push_back(table.at(row, column));
    }
    return rows;
}

}  // namespace

JointTrajectory::JointTrajectory(std::vector<std::string> names, std::vector<double> times, std::vector<double> values,
                                 Interpolation interpolation)
    : m_names(std::move(names)),
      m_times(std::move(times)),
      m_values(std::move(values)),
      m_interpolation(interpolation) {
    if (m_times.empty()) throw InvalidParameter(kOwner, "it has no row; it must have one at least");
    if (m_values.size() != m_times.size() * m_names.size()) {
        throw InvalidParameter(kOwner, "values: size", static_cast<double>(m_values.size()), "times x names");
    }
    for (const double value : m_values) {
        if (!std::isfinite(value)) throw InvalidParameter(kOwner, "value", value, "finite");
    }
    for (std::size_t i = 0; i < m_times.size(); ++i) {
        const bool rises = i == 0 || m_times[i] > m_times[i - 1];
        if (!std::isfinite(m_times[i]) || !rises)
            throw InvalidParameter(kOwner, "time", m_times[i], "finite and later than the one before");
    }
}

std::size_t JointTrajectory::column(std::string_view name) const {
    return static_cast<std::size_t>(std::find(m_names.begin(), m_names.end(), name) - m_names.begin());
}

/// The last row that is not later than t, which must not be before the first.
std::size_t JointTrajectory::rowBefore(double t) const {
    return static_cast<std::size_t>(std::upper_bound(m_times.begin(), m_times.end(), t) - m_times.begin()) - 1;
}

/// Cubic: the rate in a row.
double JointTrajectory::slope(std::size_t row, std::size_t column) const {
    if (row == 0 || row + 1 == m_times.size()) return 0;
    const double before = m_times[row] - m_times[row - 1];
    const double after = m_times[row + 1] - m_times[row];
    const double left = (value(row, column) - value(row - 1, column)) / before;
    const double right = (value(row + 1, column) - value(row, column)) / after;
    return (left * after + right * before) / (before + after);
}

double JointTrajectory::at(std::size_t column, double t) const {
    if (t <= m_times.front()) return value(0, column);
    if (t >= m_times.back()) return value(m_times.size() - 1, column);
    const std::size_t row = rowBefore(t);
    const double h = m_times[row + 1] - m_times[row];
    const double x = (t - m_times[row]) / h;
    const double first = value(row, column);
    const double step = value(row + 1, column) - first;
    if (m_interpolation == Interpolation::Linear) return first + x * step;
    const double bend = h * slope(row, column) * (1 - x) * (1 - x) * x - h * slope(row + 1, column) * x * x * (1 - x);
    return first + step * x * x * (3 - 2 * x) + bend;
}

double JointTrajectory::rate(std::size_t column, double t) const {
    if (t < m_times.front() || t >= m_times.back()) return 0;
    const std::size_t row = rowBefore(t);
    const double h = m_times[row + 1] - m_times[row];
    const double x = (t - m_times[row]) / h;
    const double step = (value(row + 1, column) - value(row, column)) / h;
    if (m_interpolation == Interpolation::Linear) return step;
    return 6 * step * x * (1 - x) + slope(row, column) * (1 - x) * (1 - 3 * x) -
           slope(row + 1, column) * x * (2 - 3 * x);
}

double JointTrajectory::nextBreak(double t) const {
    const auto next = std::upper_bound(m_times.begin(), m_times.end(), t);
    const bool hasNone = next == m_times.end() || m_interpolation == Interpolation::Cubic;
    return hasNone ? std::numeric_limits<double>::infinity() : *next;
}

JointTrajectory parseJointTrajectory(std::string_view text, const std::string& source,
                                     JointTrajectory::Interpolation interpolation) {
    Rows rows = isTimeTable(text) ? rowsOfTable(text, source) : rowsOfCsv(text, source);
    if (rows.times.empty()) throw FileError(source + ": has no row of numbers");
    return {std::move(rows.names), std::move(rows.times), std::move(rows.values), interpolation};
}

JointTrajectory loadJointTrajectory(const std::filesystem::path& file, JointTrajectory::Interpolation interpolation) {
    return parseJointTrajectory(readFile(file), file.string(), interpolation);
}

}  // namespace elasto
