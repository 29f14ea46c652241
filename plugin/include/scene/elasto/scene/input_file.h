#pragma once
/// @file input_file.h
/// A file that is read whole or not at all.

#include <elasto/export.h>
#include <elasto/scene/file_error.h>

#include <filesystem>
#include <string>

namespace elasto {

/// All that a file holds, byte for byte; what comes through /dev/stdin and the like too. Devices and other pipes are
/// refused: `/dev/zero` has no end, and a pipe has none as long as nobody writes it.
/// @throws FileError if it cannot be read: `run.csv: cannot be read: Is a directory`
ELASTO_API std::string readFile(const std::filesystem::path& path);

/// The same for those who have messages of their own.
/// @param problem why it cannot be read: `Is a directory`; empty if it can
/// @return nothing if there is a problem
ELASTO_API std::string readFile(const std::filesystem::path& path, std::string& problem);

}  // namespace elasto
