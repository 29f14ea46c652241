#include "assets.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>

#include "tool_errors.h"

namespace elasto::tools {

namespace fs = std::filesystem;

fs::path assetsFolder() {
    std::error_code error;
    if (const char* folder = std::getenv("ELASTO_ASSETS"); folder != nullptr && *folder != '\0') {
        if (!fs::is_directory(folder, error)) {
            throw IoError(
                fmt::format("ELASTO_ASSETS: '{}' is not a folder; it must hold scenes/ and verify.json", folder));
        }
        return folder;
    }
    const fs::path program = fs::read_symlink("/proc/self/exe", error);
    const fs::path folder = (program.parent_path() / ELASTO_ASSETS_FROM_BIN).lexically_normal();
    if (error || !fs::is_directory(folder, error)) {
        throw IoError(
            fmt::format("the folder of assets '{}' does not exist; set ELASTO_ASSETS to the one that holds "
                        "scenes/ and verify.json",
                        folder.string()));
    }
    return folder;
}

void refuseOverwriting(const fs::path& input, const std::string& option, const std::string& output) {
    std::error_code error;
    if (output.empty() || !fs::equivalent(input, output, error)) return;
    throw InputError(fmt::format("{}: '{}' is not allowed; it is what the command reads", option, output));
}

fs::path findScene(const std::string& pathOrName) {
    std::error_code error;
    const fs::path given(pathOrName);
    if (fs::exists(given, error) && !fs::is_directory(given, error)) return given;
    const auto refuse = [&] {
        throw IoError(fmt::format("cannot read scene '{}': {}", pathOrName,
                                  fs::is_directory(given, error) ? "it is a folder" : "there is no such file"));
    };
    // Something with an ending was meant as a path: do not look for it elsewhere.
    if (given.has_extension() || given.is_absolute()) refuse();
    const fs::path scene = assetsFolder() / "scenes" / (pathOrName + ".json");
    const fs::path robot = assetsFolder() / "robots" / (pathOrName + ".json");
    if (!fs::exists(scene, error) && fs::exists(robot, error)) return robot;
    if (!fs::exists(scene, error)) {
        if (given.has_parent_path()) refuse();
        throw IoError(
            fmt::format("there is no scene '{}': neither a file of that name nor '{}'", pathOrName, scene.string()));
    }
    return scene;
}

std::vector<std::string> sceneNames() {
    const fs::path folder = assetsFolder() / "scenes";
    std::error_code error;
    std::vector<std::string> names;
    for (const fs::directory_entry& entry : fs::directory_iterator(folder, error)) {
        if (entry.path().extension() == ".json") names.push_back(entry.path().stem().string());
    }
    if (error) throw IoError(ioMessage("read", folder.string(), error.value()));
    std::sort(names.begin(), names.end());
    return names;
}

}  // namespace elasto::tools
