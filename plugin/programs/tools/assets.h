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

/// The scene file meant by a path, or by the name of a scene (in scenes/, then robots/) that comes with Elasto.
/// A path is tried first. @throws IoError naming both places if there is none
std::filesystem::path findScene(const std::string& pathOrName);

/// Keeps a file that a command reads from being its output. @throws InputError naming it
void refuseOverwriting(const std::filesystem::path& input, const std::string& option, const std::string& output);

/// Names of all scenes that come with Elasto, sorted. @throws IoError
std::vector<std::string> sceneNames();

}  // namespace elasto::tools
