#include "mesh_file.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <optional>
#include <sstream>
#include <string_view>

namespace elasto::robot {

namespace fs = std::filesystem;

namespace {

/// Folders above a robot's file that are looked into: those of a workspace, not a whole disk.
constexpr std::size_t kMostFolders = 8;

/// The folder and those above it, nearest first.
std::vector<fs::path> foldersAbove(const fs::path& folder) {
    std::error_code error;
    std::vector<fs::path> folders;
    fs::path next = fs::absolute(folder, error).lexically_normal();
    if (next.filename().empty()) next = next.parent_path();  // a slash at its end
    while (!next.empty() && folders.size() < kMostFolders) {
        folders.push_back(next);
        if (next == next.root_path()) break;
        next = next.parent_path();
    }
    return folders;
}

/// The folders that an environment variable lists.
std::vector<fs::path> foldersOf(const char* variable) {
    std::vector<fs::path> folders;
    const char* given = std::getenv(variable);
    std::istringstream list(given == nullptr ? "" : given);
    for (std::string folder; std::getline(list, folder, ':');) {
        if (!folder.empty()) folders.emplace_back(folder);
    }
    return folders;
}

/// What follows a scheme of the text; nothing if it has none of them.
std::optional<std::string> afterScheme(const std::string& uri) {
    constexpr std::array<std::string_view, 3> kSchemes = {"package://", "model://", "package:"};
    for (const std::string_view scheme : kSchemes) {
        if (uri.starts_with(scheme)) return uri.substr(scheme.size());
    }
    return std::nullopt;
}

/// The path without its first folder; empty if it has one part only.
fs::path withoutFirst(const fs::path& path) {
    fs::path rest;
    for (auto part = std::next(path.begin()); part != path.end(); ++part) rest /= *part;
    return rest;
}

class Search {
public:
    bool tryPath(const fs::path& path) {
        std::error_code error;
        const fs::path plain = path.lexically_normal();
        if (std::find(m_found.looked.begin(), m_found.looked.end(), plain) != m_found.looked.end()) return false;
        m_found.looked.push_back(plain);
        if (!fs::exists(plain, error) || fs::is_directory(plain, error)) return false;  // pipes are refused by name
        m_found.path = plain;
        return true;
    }

    /// The tails of a path, longest first, in each folder, nearest first; a name alone only where it was all.
    bool tryTails(fs::path tail, const std::vector<fs::path>& folders) {
        const auto isName = [](const fs::path& path) { return withoutFirst(path).empty(); };
        const bool wasName = isName(tail);
        for (; !tail.empty() && (wasName || !isName(tail)); tail = withoutFirst(tail)) {
            for (const fs::path& folder : folders) {
                if (tryPath(folder / tail)) return true;
            }
        }
        return false;
    }

    FoundFile take() { return std::move(m_found); }

private:
    FoundFile m_found;
};

}  // namespace

FoundFile findFile(const std::string& uri, const fs::path& folder, const LoadRobotOptions& options) {
    Search search;
    const std::vector<fs::path> folders = foldersAbove(folder);
    const std::optional<std::string> inPackage = afterScheme(uri);
    if (!inPackage) {
        constexpr std::string_view kFile = "file://";
        const fs::path given = uri.starts_with(kFile) ? uri.substr(kFile.size()) : uri;
        if (search.tryPath(folder / given)) return search.take();
        search.tryTails(given.relative_path(), folders);
        return search.take();
    }
    const fs::path path(*inPackage);
    if (path.empty()) return search.take();
    const std::string package = path.begin()->string();
    const fs::path inside = withoutFirst(path);
    if (const auto known = options.packages.find(package); known != options.packages.end()) {
        if (search.tryPath(known->second / inside)) return search.take();
    }
    for (const fs::path& one : folders) {
        if (search.tryPath((one.filename() == package ? one : one / package) / inside)) return search.take();
    }
    if (search.tryTails(path, folders)) return search.take();
    for (const char* variable : {"GZ_SIM_RESOURCE_PATH", "GAZEBO_MODEL_PATH", "ROS_PACKAGE_PATH"}) {
        for (const fs::path& one : foldersOf(variable)) {
            if (search.tryPath((one.filename() == package ? one : one / package) / inside)) return search.take();
        }
    }
    return search.take();
}

}  // namespace elasto::robot
