#pragma once
/// @file csv_file.h
/// Writes a table of numbers as CSV, whole or not at all.

#include <cstdio>
#include <filesystem>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

namespace elasto {

/// A file that cannot be written. what() names the file and the reason: `run.csv: cannot be written: No space left on
/// device`.
class FileError : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

/// A CSV file: first line the quoted names of the columns, then numbers with 17 digits (they read back bit for bit),
/// with a point whatever the locale.
///
/// Rows go to a temporary file in the same folder, which finish() renames: under its own name the file is always whole.
/// A file that is not finished (an error on the way) is removed; what stood under the name before stays. A target that
/// is no ordinary file (/dev/stdout, a pipe) is written directly.
class CsvFile {
public:
    /// @throws FileError if the file cannot be created
    CsvFile(const std::filesystem::path& file, const std::vector<std::string>& columns);
    ~CsvFile();
    CsvFile(CsvFile&&) noexcept = default;
    CsvFile& operator=(CsvFile&&) = delete;

    /// @param values as many as there are columns
    /// @throws FileError if it cannot be written, std::invalid_argument if the number of values is wrong
    void addRow(std::span<const double> values);
    /// Writes what is left and gives the file its name. After an interruption this leaves all rows so far.
    /// @throws FileError
    void finish();

private:
    struct Closer {
        void operator()(std::FILE* stream) const { std::fclose(stream); }
    };

    void flush();
    [[noreturn]] void fail();

    std::filesystem::path m_file;       ///< where the rows end
    std::filesystem::path m_temporary;  ///< where they are until then; empty: written directly
    std::unique_ptr<std::FILE, Closer> m_stream;
    std::string m_buffer;
    std::size_t m_columns;
};

}  // namespace elasto
