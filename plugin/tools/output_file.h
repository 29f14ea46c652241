#pragma once
/// @file output_file.h
/// A file that appears complete or not at all.

#include <cstdio>
#include <filesystem>
#include <string>
#include <string_view>

namespace elasto::tools {

/// Writes under a temporary name in the same folder; commit() gives the file its name. Without commit() the temporary
/// file is removed and a file that had the name before is left as it was.
///
/// "-" is the standard output. A name that exists and is no regular file (a device, a pipe) is written directly, since
/// putting a new file in its place would destroy it.
class OutputFile {
public:
    /// @throws IoError if the file cannot be created
    explicit OutputFile(std::filesystem::path path);
    ~OutputFile();
    OutputFile(const OutputFile&) = delete;
    OutputFile& operator=(const OutputFile&) = delete;

    /// @throws IoError as soon as the system reports a failure; with buffering that may be a later call or commit()
    void write(std::string_view text);
    /// @throws IoError if anything could not be written; the temporary file is removed then
    void commit();
    const std::filesystem::path& path() const { return m_path; }

private:
    [[noreturn]] void fail(int error);
    void discard();

    std::filesystem::path m_path;
    std::string m_temporary;  ///< empty where the file is written directly
    std::FILE* m_file = nullptr;
};

/// Writes a whole text as a file. @throws IoError
void writeFile(const std::filesystem::path& path, std::string_view text);

}  // namespace elasto::tools
