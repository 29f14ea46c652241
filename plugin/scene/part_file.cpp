#include <elasto/scene/part_file.h>

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>

namespace elasto {

namespace fs = std::filesystem;

namespace {

constexpr std::string_view kEnding = ".part";

bool isPartOf(std::string_view target, std::string_view name) {
    if (!name.starts_with(target) || !name.ends_with(kEnding)) return false;
    name.remove_prefix(target.size());
    if (name.size() < kEnding.size() + 2 || name.front() != '.') return false;
    const std::string_view number = name.substr(1, name.size() - 1 - kEnding.size());
    return number.find_first_not_of("0123456789") == std::string_view::npos;
}

/// Whether an open file is the regular file of that name: another program may have removed it meanwhile.
bool isFileOf(int descriptor, const fs::path& path) {
    struct stat opened {};
    struct stat named {};
    return fstat(descriptor, &opened) == 0 && lstat(path.c_str(), &named) == 0 && S_ISREG(named.st_mode) &&
           opened.st_dev == named.st_dev && opened.st_ino == named.st_ino;
}

/// Removes a file that nobody has locked.
void removeIfLeft(const fs::path& part) {
    const int descriptor = open(part.c_str(), O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    if (descriptor < 0) return;
    if (flock(descriptor, LOCK_EX | LOCK_NB) == 0 && isFileOf(descriptor, part)) unlink(part.c_str());
    close(descriptor);
}

void removeLeft(const fs::path& target) {
    const fs::path folder = target.has_parent_path() ? target.parent_path() : fs::path(".");
    const std::string name = target.filename().string();
    std::error_code error;
    for (fs::directory_iterator entry(folder, error); !error && entry != fs::directory_iterator();
         entry.increment(error)) {
        if (isPartOf(name, entry->path().filename().string())) removeIfLeft(entry->path());
    }
}

/// Makes and locks a file that was not there. @return -1 and errno if that cannot be; EEXIST: take another name
int openNew(const fs::path& path) {
    const int descriptor = open(path.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (descriptor < 0) return -1;
    // Before it was locked another program may have taken it for one that was left. Where no file can be locked none is
    // taken for that.
    const bool isLocked = flock(descriptor, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK;
    if (isLocked && isFileOf(descriptor, path)) return descriptor;
    close(descriptor);
    errno = EEXIST;
    return -1;
}

}  // namespace

PartFile::PartFile(const fs::path& target) : m_target(target) {
    removeLeft(target);
    constexpr int kAttempts = 1000;
    for (int attempt = 0; attempt < kAttempts && m_descriptor < 0; ++attempt) {
        m_path = target;
        m_path += "." + std::to_string(attempt) + std::string(kEnding);
        m_descriptor = openNew(m_path);
        if (m_descriptor < 0 && errno != EEXIST) break;
    }
    if (m_descriptor < 0) throw std::system_error(errno, std::generic_category(), m_path.string());
}

PartFile::PartFile(PartFile&& other) noexcept
    : m_target(std::move(other.m_target)),
      m_path(std::move(other.m_path)),
      m_descriptor(std::exchange(other.m_descriptor, -1)) {}

void PartFile::discard() {
    if (m_descriptor < 0) return;
    std::error_code ignored;
    fs::remove(m_path, ignored);
    close(std::exchange(m_descriptor, -1));
}

void PartFile::commit() {
    std::error_code problem;
    fs::rename(m_path, m_target, problem);
    if (problem) {
        discard();
        throw std::system_error(problem, m_path.string());
    }
    close(std::exchange(m_descriptor, -1));
}

}  // namespace elasto
