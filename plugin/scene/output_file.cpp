#include <elasto/scene/output_file.h>

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <string>
#include <system_error>

namespace elasto {

namespace {

constexpr std::size_t kBufferSize = std::size_t{1} << 16;

/// A stream that writes to a part file, which keeps its own descriptor and so its lock.
std::FILE* streamTo(const PartFile& part) {
    const int descriptor = fcntl(part.descriptor(), F_DUPFD_CLOEXEC, 0);
    std::FILE* stream = descriptor < 0 ? nullptr : fdopen(descriptor, "wb");
    if (descriptor >= 0 && stream == nullptr) close(descriptor);
    return stream;
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
    try {
        if (!isSpecial) m_part.emplace(m_path);
    } catch (const std::system_error& refused) {
        fail(refused.code().value());
    }
    m_stream.reset(m_part ? streamTo(*m_part) : std::fopen(m_path.c_str(), "wb"));
    if (!m_stream) fail(errno);
    std::setvbuf(m_stream.get(), nullptr, _IOFBF, kBufferSize);
}

void OutputFile::discard() {
    m_stream.reset();
    m_part.reset();
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
    if (!m_part) return;
    try {
        m_part->commit();
    } catch (const std::system_error& refused) {
        fail(refused.code().value());
    }
    m_part.reset();
}

void writeFile(const std::filesystem::path& path, std::string_view text) {
    OutputFile file(path);
    file.write(text);
    file.commit();
}

}  // namespace elasto
