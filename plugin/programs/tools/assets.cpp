#include "assets.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <initializer_list>
#include <iterator>
#include <tuple>

#include "problems.h"
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

std::vector<Asset> assetsOf(Asset::Kind kind) {
    const char* const folders[] = {"scenes", "robots", "sweeps"};
    const fs::path folder = assetsFolder() / folders[static_cast<std::size_t>(kind)];
    std::error_code error;
    std::vector<Asset> assets;
    for (const fs::directory_entry& entry : fs::recursive_directory_iterator(folder, error)) {
        if (entry.path().extension() == ".json") assets.push_back({entry.path().stem().string(), entry.path()});
    }
    if (error) throw IoError(ioMessage("read", folder.string(), error.value()));
    const auto depth = [](const Asset& asset) { return std::distance(asset.file.begin(), asset.file.end()); };
    std::sort(assets.begin(), assets.end(), [&](const Asset& a, const Asset& b) {
        return std::tuple(a.name, depth(a), a.file) < std::tuple(b.name, depth(b), b.file);
    });
    // The name alone means the first; others are called with their folder.
    for (std::size_t i = assets.size(); i-- > 1;) {
        if (assets[i].name == assets[i - 1].name) {
            assets[i].name = (assets[i].file.parent_path().filename() / assets[i].name).string();
        }
    }
    return assets;
}

namespace {

/// @param what "scene" @param kinds in which names are looked for, in this order
fs::path find(const std::string& pathOrName, const std::string& what, std::initializer_list<Asset::Kind> kinds) {
    std::error_code error;
    const fs::path given(pathOrName);
    if (fs::exists(given, error) && !fs::is_directory(given, error)) return given;
    std::vector<std::string> names;
    // Something with an ending was meant as a path: do not look for it elsewhere.
    if (!given.has_extension() && !given.is_absolute() && !given.empty()) {
        for (const Asset::Kind kind : kinds) {
            for (const Asset& asset : assetsOf(kind)) {
                // With its folder, or without.
                const fs::path withFolder = asset.file.parent_path().filename() / asset.file.stem();
                if (asset.name == given || withFolder == given) return asset.file;
                names.push_back(asset.name);
            }
        }
    }
    if (fs::is_directory(given, error)) {
        throw IoError(fmt::format("cannot read {} '{}': it is a folder", what, pathOrName));
    }
    if (names.empty() || given.has_parent_path()) {
        throw IoError(fmt::format("cannot read {} '{}': there is no such file", what, pathOrName));
    }
    const std::string near = scene::nearest(pathOrName, names);
    throw IoError(fmt::format("there is no {} '{}', neither a file nor one that comes with Elasto; {}", what,
                              pathOrName,
                              near.empty() ? "elasto list shows these" : fmt::format("did you mean '{}'?", near)));
}

}  // namespace

fs::path findScene(const std::string& pathOrName) {
    return find(pathOrName, "scene", {Asset::Kind::Scene, Asset::Kind::Robot});
}

fs::path findSweep(const std::string& pathOrName) {
    return find(pathOrName, "sweep", {Asset::Kind::Sweep});
}

}  // namespace elasto::tools
