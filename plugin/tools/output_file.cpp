#include "output_file.h"

#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <utility>

#include "tool_errors.h"

namespace elasto::tools {

namespace {

// mkstemp creates files that only their owner may read; a result file gets the rights any other new file has.
void grantUsualRights(int descriptor) {
    const mode_t mask = umask(0);
    umask(mask);
    fchmod(descriptor, static_cast<mode_t>(0666) & ~mask);
}

}  // namespace

OutputFile::OutputFile(std::filesystem::path path) : m_path(std::move(path)) {
    if (m_path == "-") {
        m_file = stdout;
        return;
    }
    std::error_code ignored;
    const std::filesystem::file_status status = std::filesystem::status(m_path, ignored);
    if (std::filesystem::is_directory(status)) throw IoError(ioMessage("write", m_path.string(), EISDIR));
    if (std::filesystem::exists(status) && !std::filesystem::is_regular_file(status)) {
        m_file = std::fopen(m_path.c_str(), "wb");
        if (m_file == nullptr) throw IoError(ioMessage("write", m_path.string(), errno));
        return;
    }
    // Through a link the file it points to is replaced, not the link.
    if (std::filesystem::exists(status)) m_path = std::filesystem::canonical(m_path);
    m_temporary = m_path.string() + ".XXXXXX";
    const int descriptor = mkstemp(m_temporary.data());
    if (descriptor < 0) throw IoError(ioMessage("write", m_path.string(), errno));
    grantUsualRights(descriptor);
    m_file = fdopen(descriptor, "wb");
}

OutputFile::~OutputFile() {
    discard();
}

void OutputFile::discard() {
    if (m_file != nullptr && m_file != stdout) std::fclose(m_file);
    m_file = nullptr;
    if (!m_temporary.empty()) unlink(m_temporary.c_str());
    m_temporary.clear();
}

void OutputFile::fail(int error) {
    const std::string name = m_path == "-" ? "standard output" : m_path.string();
    discard();
    throw IoError(ioMessage("write", name, error));
}

void OutputFile::write(std::string_view text) {
    if (std::fwrite(text.data(), 1, text.size(), m_file) != text.size()) fail(errno);
}

void OutputFile::commit() {
    if (std::fflush(m_file) != 0) fail(errno);
    if (m_file == stdout) return;
    std::FILE* file = std::exchange(m_file, nullptr);
    if (std::fclose(file) != 0) fail(errno);
    if (m_temporary.empty()) return;
    if (std::rename(m_temporary.c_str(), m_path.c_str()) != 0) fail(errno);
    m_temporary.clear();
}

void writeFile(const std::filesystem::path& path, std::string_view text) {
    OutputFile file(path);
    file.write(text);
    file.commit();
}

}  // namespace elasto::tools
