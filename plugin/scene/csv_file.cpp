#include <elasto/scene/csv_file.h>

#include <array>
#include <charconv>

namespace elasto {

namespace {

std::string quoted(const std::string& name) {
    std::string text = "\"";
    for (const char letter : name) {
        if (letter == '"') text += '"';
        text += letter;
    }
    return text + "\"";
}

}  // namespace

CsvFile::CsvFile(const std::filesystem::path& file, const std::vector<std::string>& columns)
    : m_file(file), m_columns(columns.size()) {
    for (const std::string& column : columns) m_line += (m_line.empty() ? "" : ",") + quoted(column);
    endLine();
}

void CsvFile::addRow(std::span<const double> values) {
    if (values.size() != m_columns) {
        throw std::invalid_argument("CsvFile::addRow: " + std::to_string(values.size()) + " values for " +
                                    std::to_string(m_columns) + " columns");
    }
    std::array<char, 32> text;
    for (const double value : values) {
        if (!m_line.empty()) m_line += ',';
        // Never -0: who compares files as texts would find it different from 0.
        const auto [end, status] =
            std::to_chars(text.data(), text.data() + text.size(), value + 0., std::chars_format::general, 17);
        m_line.append(text.data(), end);
    }
    endLine();
}

void CsvFile::endLine() {
    m_line += '\n';
    m_file.write(m_line);
    m_line.clear();
}

}  // namespace elasto
