#pragma once
/// @file csv.h
/// Reads time histories from CSV files.

#include <elasto/reference/trajectory.h>

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace elasto::tools {

/// Reads a CSV file: first line the column names (quoted or not), first column `time`, numbers only, times not falling.
/// Files with CRLF are read too, and those of Dymola, OpenModelica and MapleSim: columns divided by semicolons (then
/// with a decimal comma or point) or tabs, a first column `Time` or `t`, units behind names ("time [s]"), a comma at
/// the lines' ends.
/// @throws FileError if the file cannot be read, InputError naming file, line, column and value if its content is wrong
Trajectory readCsv(const std::filesystem::path& file);
/// The same from text. @param source what messages call it
Trajectory parseCsv(std::string_view text, const std::string& source);
/// Splits a line at commas outside of quotes; "" inside quotes is one quote.
/// @param where what messages call the line @throws InputError if a quote has no end
std::vector<std::string> splitCsvLine(std::string_view line, const std::string& where, char divider = ',');

}  // namespace elasto::tools
