#include <elasto/scene/csv_file.h>

#include <array>
#include <cerrno>
#include <charconv>
#include <cstring>

namespace elasto {

namespace {

constexpr std::size_t kBufferSize = std::size_t{1} << 16;

std::string quoted(const std::string& name) {
    std::string text = "\"";
    for (const char letter : name) {
        if (letter == '"') text += '"';
        text += letter;
    }
    return text + "\"";
}

bool isSpecialFile(const std::filesystem::path& file) {
    std::error_code ignored;
    const std::filesystem::file_status status = std::filesystem::status(file, ignored);
    return std::filesystem::exists(status) && !std::filesystem::is_regular_file(status) &&
           !std::filesystem::is_directory(status);
}

FileError error(const std::filesystem::path& file, int reason) {
    return FileError(file.string() + ": cannot be written: " + std::strerror(reason));
}

/// Opens a new file beside the target, under a name that nobody uses.
std::FILE* openBeside(const std::filesystem::path& file, std::filesystem::path& temporary) {
    constexpr int kAttempts = 1000;
    for (int attempt = 0; attempt < kAttempts; ++attempt) {
        temporary = file;
        temporary += "." + std::to_string(attempt) + ".part";
        std::FILE* stream = std::fopen(temporary.c_str(), "wbx");
        if (stream || errno != EEXIST) return stream;
    }
    return nullptr;
}

}  // namespace

CsvFile::CsvFile(const std::filesystem::path& file, const std::vector<std::string>& columns)
    : m_file(file), m_columns(columns.size()) {
    std::error_code ignored;
    if (std::filesystem::is_symlink(file, ignored)) {
        // The link stays, and what it points to is replaced.
        const std::filesystem::path target = std::filesystem::canonical(file, ignored);
        if (!ignored) m_file = target;
    }
    if (std::filesystem::is_directory(m_file, ignored)) throw error(m_file, EISDIR);
    m_stream.reset(isSpecialFile(m_file) ? std::fopen(m_file.c_str(), "wb") : openBeside(m_file, m_temporary));
    if (!m_stream) {
        m_temporary.clear();
        throw error(m_file, errno);
    }
    std::setvbuf(m_stream.get(), nullptr, _IONBF, 0);  // m_buffer does that, and errors show at once
    for (const std::string& column : columns) m_buffer += (m_buffer.empty() ? "" : ",") + quoted(column);
    m_buffer += '\n';
}

CsvFile::~CsvFile() {
    if (!m_stream) return;
    m_stream.reset();
    std::error_code ignored;
    if (!m_temporary.empty()) std::filesystem::remove(m_temporary, ignored);
}

void CsvFile::addRow(std::span<const double> values) {
    if (values.size() != m_columns) {
        throw std::invalid_argument("CsvFile::addRow: " + std::to_string(values.size()) + " values for " +
                                    std::to_string(m_columns) + " columns");
    }
    std::array<char, 32> text;
    char separator = '\0';
    for (const double value : values) {
        if (separator) m_buffer += separator;
        separator = ',';
        const auto [end, status] =
            std::to_chars(text.data(), text.data() + text.size(), value, std::chars_format::general, 17);
        m_buffer.append(text.data(), end);
    }
    m_buffer += '\n';
    if (m_buffer.size() >= kBufferSize) flush();
}

void CsvFile::finish() {
    flush();
    if (std::fclose(m_stream.release()) != 0) {
        const int reason = errno;
        std::error_code ignored;
        if (!m_temporary.empty()) std::filesystem::remove(m_temporary, ignored);
        throw error(m_file, reason);
    }
    if (m_temporary.empty()) return;
    std::error_code problem;
    std::filesystem::rename(m_temporary, m_file, problem);
    if (!problem) return;
    std::error_code ignored;
    std::filesystem::remove(m_temporary, ignored);
    throw error(m_file, problem.value());
}

void CsvFile::flush() {
    const std::size_t written = std::fwrite(m_buffer.data(), 1, m_buffer.size(), m_stream.get());
    if (written != m_buffer.size()) fail();
    m_buffer.clear();
}

void CsvFile::fail() {
    const int reason = errno;
    m_stream.reset();
    std::error_code ignored;
    if (!m_temporary.empty()) std::filesystem::remove(m_temporary, ignored);
    throw error(m_file, reason);
}

}  // namespace elasto
