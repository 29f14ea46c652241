#pragma once
/// @file part_file.h
/// The file that another one is until it is complete.

#include <elasto/export.h>

#include <filesystem>

namespace elasto {

/// A new file NAME.0.part (or .1.part, ...) beside the one that it is to become or replace. Without commit() it is
/// removed.
///
/// A program that is killed leaves such a file. The next one for the same name removes it: the file is locked as long
/// as somebody writes it, so two programs at a time leave each other's alone.
class ELASTO_API PartFile {
public:
    /// @throws std::system_error if there can be no such file
    explicit PartFile(const std::filesystem::path& target);
    ~PartFile() { discard(); }
    PartFile(PartFile&& other) noexcept;  ///< takes over the file; `other` has none then
    PartFile& operator=(PartFile&&) = delete;

    const std::filesystem::path& path() const { return m_path; }  ///< of the temporary file
    int descriptor() const { return m_descriptor; }               ///< open for reading and writing

    /// Gives the file its name. @throws std::system_error if that cannot be; the file is removed then
    void commit();

private:
    void discard();

    std::filesystem::path m_target;
    std::filesystem::path m_path;
    int m_descriptor = -1;
};

}  // namespace elasto
