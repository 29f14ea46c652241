#pragma once
/// @file csv_file.h
/// Writes a table of numbers as CSV, whole or not at all.

#include <elasto/export.h>
#include <elasto/scene/output_file.h>

#include <filesystem>
#include <span>
#include <string>
#include <vector>

namespace elasto {

/// A CSV file: first line the quoted names of the columns, then numbers with 17 digits (they read back bit for bit),
/// with a point whatever the locale.
///
/// It is an OutputFile: under its own name it is always whole. One that is not finished (an error on the way) is
/// removed; what stood under the name before stays.
class ELASTO_API CsvFile {
public:
    /// @throws FileError if the file cannot be created
    CsvFile(const std::filesystem::path& file, const std::vector<std::string>& columns);

    /// @param values as many as there are columns
    /// @throws FileError if it cannot be written, std::invalid_argument if the number of values is wrong
    void addRow(std::span<const double> values);
    /// Writes what is left and gives the file its name. After an interruption this leaves all rows so far.
    /// @throws FileError
    void finish() { m_file.commit(); }

private:
    void endLine();

    OutputFile m_file;
    std::string m_line;  ///< the one being written
    std::size_t m_columns;
};

}  // namespace elasto
