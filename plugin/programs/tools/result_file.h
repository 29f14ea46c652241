#pragma once
/// @file result_file.h
/// Time histories from files of any kind that is known.

#include <elasto/reference/trajectory.h>

#include <filesystem>
#include <string_view>

namespace elasto::tools {

/// Reads a CSV file (csv.h), a MAT file (mat_file.h) or a text of CombiTimeTable (time_table.h), by what it holds.
/// @throws FileError if the file cannot be read, InputError if its content is wrong
Trajectory readResult(const std::filesystem::path& file);
/// The same of a file that was read. @param text all of it
Trajectory parseResult(std::string_view text, const std::filesystem::path& file);

}  // namespace elasto::tools
