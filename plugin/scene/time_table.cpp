#include <elasto/scene/time_table.h>

#include <elasto/scene/printable.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <optional>
#include <utility>

namespace elasto {

namespace {

constexpr std::string_view kTitles = "# columns:";
constexpr std::string_view kSpace = " \t\r,;";

/// Words of a text without its comments, with the lines that they stand in.
class Words {
public:
    Words(std::string_view text, std::string source) : m_rest(text), m_source(std::move(source)) {}

    /// The next word; empty at the end. Brackets and commas between them are words of a head.
    std::string_view next() {
        while (true) {
            const std::size_t first = m_rest.find_first_not_of(kSpace);
            m_rest.remove_prefix(std::min(first, m_rest.size()));
            if (m_rest.empty()) return {};
            if (m_rest.front() == '\n') {
                ++m_line;
                m_rest.remove_prefix(1);
            } else if (m_rest.front() == '#' || m_rest.front() == '%') {
                const std::string_view comment = m_rest.substr(0, m_rest.find('\n'));
                if (comment.starts_with(kTitles)) m_titles = comment.substr(kTitles.size());
                m_rest.remove_prefix(comment.size());
            } else {
                break;
            }
        }
        const bool isMark = m_rest.front() == '(' || m_rest.front() == ')';
        const std::size_t end = isMark ? 1 : m_rest.find_first_of(" \t\r,;\n()#%");
        const std::string_view word = m_rest.substr(0, end);
        m_rest.remove_prefix(word.size());
        return word;
    }

    [[noreturn]] void fail(const std::string& problem) const {
        throw FileError(m_source + ":" + std::to_string(m_line) + ": " + problem);
    }
    std::string_view takeTitles() { return std::exchange(m_titles, {}); }

private:
    std::string_view m_rest;
    std::string m_source;
    std::size_t m_line = 1;
    std::string_view m_titles;
};

std::string inQuotes(std::string_view word) {
    return "'" + printable(std::string(word.substr(0, 40))) + "'";
}

template <class Number>
std::optional<Number> numberOf(std::string_view word) {
    if (word.starts_with('+')) word.remove_prefix(1);
    Number value{};
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
    if (error != std::errc() || end != word.data() + word.size()) return std::nullopt;
    return value;
}

std::size_t sizeOf(Words& words, const char* what) {
    const std::string_view word = words.next();
    const std::optional<std::size_t> size = numberOf<std::size_t>(word);
    constexpr std::size_t kMost = 100'000'000;
    if (!size || *size == 0 || *size > kMost)
        words.fail(inQuotes(word) + " is no number of " + what + "; a table begins as `double name(rows,columns)`");
    return *size;
}

std::vector<std::string> titlesOf(std::string_view text) {
    std::vector<std::string> titles;
    while (true) {
        text.remove_prefix(std::min(text.find_first_not_of(" \t\r"), text.size()));
        if (text.empty()) return titles;
        const std::string_view title = text.substr(0, text.find_first_of(" \t\r"));
        titles.emplace_back(title);
        text.remove_prefix(title.size());
    }
}

TimeTable readTable(Words& words) {
    TimeTable table;
    table.name = std::string(words.next());
    if (words.next() != "(") words.fail("a table begins as `double name(rows,columns)`");
    const std::size_t rows = sizeOf(words, "rows");
    table.columns = sizeOf(words, "columns");
    if (words.next() != ")") words.fail("a table begins as `double name(rows,columns)`");
    for (std::size_t i = 0; i < rows * table.columns; ++i) {
        const std::string_view word = words.next();
        if (word.empty()) {
            words.fail("table " + inQuotes(table.name) + " ends after " + std::to_string(i) + " of " +
                       std::to_string(rows * table.columns) + " numbers");
        }
        const std::optional<double> value = numberOf<double>(word);
        if (!value || !std::isfinite(*value)) words.fail(inQuotes(word) + " is no number");
        table.values.push_back(*value);
        if (i == 0) table.titles = titlesOf(words.takeTitles());
    }
    if (table.titles.size() != table.columns) table.titles.clear();
    return table;
}

std::string textOf(double value) {
    std::array<char, 32> text;
    const auto end = std::to_chars(text.data(), text.data() + text.size(), value).ptr;
    return {text.data(), end};
}

}  // namespace

bool isTimeTable(std::string_view text) {
    return text.starts_with("#1\n") || text.starts_with("#1\r\n") || text.starts_with("#1 ");
}

std::vector<TimeTable> parseTimeTables(std::string_view text, const std::string& source) {
    if (!isTimeTable(text)) throw FileError(source + ": is no table of CombiTimeTable; its first line must be #1");
    Words words(text, source);
    std::vector<TimeTable> tables;
    for (std::string_view kind = words.next(); !kind.empty(); kind = words.next()) {
        if (kind != "double" && kind != "float")
            words.fail(inQuotes(kind) + " is not allowed; a table begins as `double name(rows,columns)`");
        tables.push_back(readTable(words));
    }
    if (tables.empty()) throw FileError(source + ": has no table");
    return tables;
}

std::string timeTableText(const TimeTable& table) {
    std::string text =
        "#1\ndouble " + table.name + "(" + std::to_string(table.rows()) + "," + std::to_string(table.columns) + ")\n";
    if (!table.titles.empty()) {
        text += kTitles;
        for (const std::string& title : table.titles) text += " " + title;
        text += "\n";
    }
    for (std::size_t row = 0; row < table.rows(); ++row) {
        for (std::size_t column = 0; column < table.columns; ++column) {
            text += (column == 0 ? "" : " ") + textOf(table.at(row, column));
        }
        text += "\n";
    }
    return text;
}

}  // namespace elasto
