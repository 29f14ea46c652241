#include <elasto/scene/output_file.h>

#include <cerrno>
#include <cstring>
#include <string>
#include <utility>

namespace elasto {

namespace {

constexpr std::size_t kBufferSize = std::size_t{1} << 16;

/// Opens a new file beside the target, under a name that nobody uses.
std::FILE* openBeside(const std::filesystem::path& path, std::filesystem::path& temporary) {
    constexpr int kAttempts = 1000;
    for (int attempt = 0; attempt < kAttempts; ++attempt) {
        temporary = path;
        temporary += "." + std::to_string(attempt) + ".part";
        std::FILE* stream = std::fopen(temporary.c_str(), "wbx");
        if (stream || errno != EEXIST) return stream;
    }
    return nullptr;
}

}  // namespace

OutputFile::OutputFile(const std::filesystem::path& path) : m_path(path) {
    // Where the shell has put it a file may hold more already: it must not be replaced.
    const bool isStdout = m_path == "/dev/stdout" || m_path == "/dev/fd/1" || m_path == "/proc/self/fd/1";
    if (isStdout) m_path = "-";
    if (m_path == "-") {
        m_stream.reset(stdout);
        return;
    }
    std::error_code problem;
    const std::filesystem::path target = std::filesystem::canonical(m_path, problem);
    if (!problem && std::filesystem::is_symlink(m_path, problem)) m_path = target;
    const std::filesystem::file_status status = std::filesystem::status(m_path, problem);
    if (std::filesystem::is_directory(status)) fail(EISDIR);
    const bool isSpecial = std::filesystem::exists(status) && !std::filesystem::is_regular_file(status);
    m_stream.reset(isSpecial ? std::fopen(m_path.c_str(), "wb") : openBeside(m_path, m_temporary));
    if (!m_stream) {
        const int reason = errno;
        m_temporary.clear();  // somebody else's file, if there is one
        fail(reason);
    }
    std::setvbuf(m_stream.get(), nullptr, _IOFBF, kBufferSize);
}

OutputFile::OutputFile(OutputFile&& other) noexcept
    : m_path(std::move(other.m_path)),
      m_temporary(std::exchange(other.m_temporary, {})),
      m_stream(std::move(other.m_stream)) {}

void OutputFile::discard() {
    m_stream.reset();
    std::error_code ignored;
    if (!m_temporary.empty()) std::filesystem::remove(m_temporary, ignored);
    m_temporary.clear();
}

void OutputFile::fail(int reason) {
    discard();
    const std::string name = m_path == "-" ? "standard output" : m_path.string();
    throw FileError(name + ": cannot be written: " + std::strerror(reason));
}

void OutputFile::write(std::string_view text) {
    if (!m_stream) fail(EBADF);  // after a failure or commit()
    if (std::fwrite(text.data(), 1, text.size(), m_stream.get()) != text.size()) fail(errno);
}

void OutputFile::commit() {
    if (!m_stream) fail(EBADF);
    if (std::fflush(m_stream.get()) != 0) fail(errno);
    std::FILE* stream = m_stream.release();
    if (stream != stdout && std::fclose(stream) != 0) fail(errno);
    if (m_temporary.empty()) return;
    std::error_code problem;
    std::filesystem::rename(m_temporary, m_path, problem);
    if (problem) fail(problem.value());
    m_temporary.clear();
}

void writeFile(const std::filesystem::path& path, std::string_view text) {
    OutputFile file(path);
    file.write(text);
    file.commit();
}

}  // namespace elasto
