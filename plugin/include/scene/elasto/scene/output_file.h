#pragma once
/// @file output_file.h
/// A file that appears complete or not at all.

#include <elasto/export.h>
#include <elasto/scene/file_error.h>
#include <elasto/scene/part_file.h>

#include <cstdio>
#include <filesystem>
#include <memory>
#include <optional>
#include <string_view>

namespace elasto {

/// Writes under a temporary name in the same folder (see PartFile); commit() gives the file its name. Without commit()
/// the temporary file is removed, and a file that had the name before stays as it was. Through a link the file it
/// points to is replaced, not the link.
///
/// "-" is the standard output. A name that exists and is no regular file (a device, a pipe) is written directly, since
/// putting a new file in its place would destroy it.
class ELASTO_API OutputFile {
public:
    /// @throws FileError if the file cannot be created
    explicit OutputFile(const std::filesystem::path& path);
    ~OutputFile() { discard(); }
    OutputFile(OutputFile&&) noexcept = default;  ///< takes over the file that is being written
    OutputFile& operator=(OutputFile&&) = delete;

    /// @throws FileError as soon as the system reports a failure; with buffering that may be a later call or commit().
    ///         The temporary file is removed then
    void write(std::string_view text);
    /// Writes what is left and gives the file its name; once.
    /// @throws FileError if anything could not be written; the temporary file is removed then
    void commit();

private:
    struct Closer {
        void operator()(std::FILE* stream) const {
            if (stream != stdout) std::fclose(stream);
        }
    };

    void discard();
    [[noreturn]] void fail(int reason);

    std::filesystem::path m_path;    ///< where the text ends
    std::optional<PartFile> m_part;  ///< where it is until then; nothing: written directly
    std::unique_ptr<std::FILE, Closer> m_stream;
};

/// Writes a whole text as a file. @throws FileError
ELASTO_API void writeFile(const std::filesystem::path& path, std::string_view text);

}  // namespace elasto
