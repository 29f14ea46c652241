#include <elasto/scene/input_file.h>

#include <cerrno>
#include <fstream>
#include <iterator>
#include <system_error>

namespace elasto {

namespace {

/// Whether a name stands for a file that the program has from the one who started it: /dev/stdin, and /dev/fd/63 as
/// shells call a <(command).
bool isOpenAlready(const std::filesystem::path& path) {
    const std::string name = path.lexically_normal().string();
    return name == "/dev/stdin" || name.starts_with("/dev/fd/") || name.starts_with("/proc/self/fd/");
}

}  // namespace

std::string readFile(const std::filesystem::path& path) {
    std::string problem;
    std::string text = readFile(path, problem);
    if (!problem.empty()) throw FileError(path.string() + ": cannot be read: " + problem);
    return text;
}

std::string readFile(const std::filesystem::path& path, std::string& problem) {
    const auto reason = [](int error) { return std::generic_category().message(error != 0 ? error : EIO); };
    problem.clear();
    std::error_code ignored;  // whoever cannot look at it cannot open it either
    const std::filesystem::file_status status = std::filesystem::status(path, ignored);
    if (std::filesystem::is_character_file(status) || std::filesystem::is_block_file(status)) {
        problem = "It is a device";
        return {};
    }
    if (std::filesystem::is_fifo(status) && !isOpenAlready(path)) {
        problem = "It is a pipe; only one that is open may be read, as /dev/stdin";
        return {};
    }
    errno = 0;
    std::ifstream stream(path, std::ios::binary);
    // A folder opens like a file and fails at the first character.
    if (!stream || (stream.peek(), stream.bad())) {
        problem = reason(errno);
        return {};
    }
    std::string text{std::istreambuf_iterator<char>(stream), {}};
    if (!stream.bad()) return text;
    problem = reason(errno);
    return {};
}

}  // namespace elasto
