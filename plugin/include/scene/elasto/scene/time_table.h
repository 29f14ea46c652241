#pragma once
/// @file time_table.h
/// Tables over time as text, in the format of Modelica.Blocks.Sources.CombiTimeTable:
///
///     #1
///     double tab1(3,2)  # 3 rows, 2 columns; the first column is the time [s]
///       0    0
///       0.5  10
///       1    10

#include <elasto/export.h>
#include <elasto/scene/file_error.h>

#include <array>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace elasto {

/// One table of such a file: rows of a time and values.
struct TimeTable {
    std::string name;            ///< as behind `double`, e.g. "tab1"
    std::size_t columns = 2;     ///< the first is the time
    std::vector<double> values;  ///< row by row
    /// Names of the columns from a comment line behind the head, as timeTableText writes it; else empty.
    std::vector<std::string> titles;

    std::size_t rows() const { return columns > 0 ? values.size() / columns : 0; }  ///< number of rows
    /// A number, row and column from 0 on; both must be there.
    double at(std::size_t row, std::size_t column) const { return values[row * columns + column]; }
};

/// True for a text that begins as such a file does.
ELASTO_API bool isTimeTable(std::string_view text);
/// All tables of a file. @param source its name, for messages
/// @throws FileError with line and what is wrong: `force.txt:4: 'abc' is no number`
ELASTO_API std::vector<TimeTable> parseTimeTables(std::string_view text, const std::string& source);
/// The text of a file with one table, with its titles as a comment; numbers read back to the same bits.
ELASTO_API std::string timeTableText(const TimeTable& table);

}  // namespace elasto
