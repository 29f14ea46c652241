#pragma once
// What files Elasto reads, and what must hold for anything that stands in one of them.

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace elasto::fuzz {

enum class FileKind {
    Scene,
    RobotScene,  ///< JSON that names a robot
    Robot,       ///< URDF
    Elements,    ///< a file of elements for the shipped arm
    Sweep,
    Recording,
    Table,  ///< CSV of a run, or of a sweep
    Runs,   ///< the runs that a sweep has done
    Plan,   ///< what elasto verify checks
};
inline constexpr int kFileKinds = 9;
/// "scene", "robot-scene" and so on.
const char* nameOf(FileKind kind);
/// @throws std::invalid_argument naming the kinds there are
FileKind fileKind(const std::string& name);
bool isJson(FileKind kind);
bool isXml(FileKind kind);

/// What became of a file.
enum class Reading {
    Refused,  ///< with one of the documented errors
    Read,     ///< and all that was done with it went well
    Ended,    ///< its world began and ended with a documented error
    Failed,   ///< something that must not be
};

struct FileFinding {
    Reading reading = Reading::Read;
    std::string text;  ///< the message, or what is wrong
};

/// Reads a file as the command does, and runs its world for some ticks, twice.
/// @param assets the folder of what comes with Elasto, beside whose files this one is taken to lie
/// @param temporary a folder for files that can only be read from a disk
FileFinding tryFile(FileKind kind, std::string_view text, const std::filesystem::path& assets,
                    const std::filesystem::path& temporary);

/// A file to begin with.
struct SeedFile {
    FileKind kind;
    std::string name;
    std::string text;
};
/// All that comes with Elasto, and recordings, tables and runs made of it. @throws FileError
std::vector<SeedFile> seedFiles(const std::filesystem::path& assets, const std::filesystem::path& temporary);

/// A recording is closed by a checksum of what stands before it: gives the text the right one, if it has any.
std::string sealed(std::string text);

}  // namespace elasto::fuzz
