#pragma once
/// @file assets.h
/// Where the scenes that come with Elasto are.

#include <filesystem>
#include <string>
#include <vector>

namespace elasto::tools {

/// The folder that holds scenes/, schema/ and verify.json: $ELASTO_ASSETS if it is set, else share/elasto beside the
/// executable's folder, as installed (the build folder is laid out the same way).
/// @throws IoError if the folder does not exist
std::filesystem::path assetsFolder();

/// A file that comes with Elasto.
struct Asset {
    enum class Kind { Scene, Robot, Sweep };
    std::string
        name;  ///< unique within its kind: that of the file without ending, with its folder where another has it too
    std::filesystem::path file;
};

/// All of a kind, by name: scenes stand in scenes/ and the folders in it. @throws IoError
std::vector<Asset> assetsOf(Asset::Kind kind);

/// The scene file meant by a path, or by the name of a scene or a robot that comes with Elasto ("falling_crates", or
/// with its folder, "gallery/falling_crates"). A path is tried first.
/// @throws IoError if there is none, with the name that is most like it
std::filesystem::path findScene(const std::string& pathOrName);
/// The same of a sweep.
std::filesystem::path findSweep(const std::string& pathOrName);

/// Keeps a file that a command reads from being its output. @throws InputError naming it
void refuseOverwriting(const std::filesystem::path& input, const std::string& option, const std::string& output);

}  // namespace elasto::tools
