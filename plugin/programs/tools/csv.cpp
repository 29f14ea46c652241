#include "csv.h"

#include <elasto/scene/input_file.h>
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <vector>

#include "tool_errors.h"

namespace elasto::tools {

namespace {

std::string_view trimmed(std::string_view text) {
    const std::size_t first = text.find_first_not_of(" \t");
    if (first == std::string_view::npos) return {};
    return text.substr(first, text.find_last_not_of(" \t") - first + 1);
}

/// What divides the columns of a table with this first line.
char dividerOf(std::string_view line) {
    bool quoted = false;
    char divider = ',';
    for (const char character : line) {
        if (character == '"') quoted = !quoted;
        if (quoted) continue;
        if (character == ';') return ';';
        if (character == '\t') divider = '\t';
    }
    return divider;
}

/// Without a unit in brackets: "time [s]" is "time". An index stands directly behind its name.
std::string withoutUnit(const std::string& name) {
    const std::string text(trimmed(name));
    const std::size_t bracket = text.rfind(" [");
    return bracket != std::string::npos && text.back() == ']' ? text.substr(0, bracket) : text;
}

/// Names of the columns; a divider at the line's end makes no column.
std::vector<std::string> namesOf(std::string_view line, const std::string& source, char divider) {
    std::vector<std::string> names = splitCsvLine(line, source + ":1", divider);
    for (std::string& name : names) name = withoutUnit(name);
    if (names.size() > 1 && names.back().empty()) names.pop_back();
    if (names.front() == "Time" || names.front() == "TIME" || names.front() == "t") names.front() = "time";
    return names;
}

/// @param where names the place, for a message
/// @param hasComma a comma may stand for the decimal point
template <class Where>
double parseNumber(std::string_view text, bool hasComma, const Where& where) {
    text = trimmed(text);
    std::string withPoint;
    if (hasComma && text.find(',') != std::string_view::npos) {
        withPoint = text;
        std::replace(withPoint.begin(), withPoint.end(), ',', '.');
        text = withPoint;
    }
    if (!text.empty() && text.front() == '+') text.remove_prefix(1);
    double value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size()) {
        throw InputError(fmt::format("{}: '{}' is not a number", where(), text));
    }
    return value;
}

class Lines {
public:
    explicit Lines(std::string_view text) : m_rest(text) {}
    bool next(std::string_view& line) {
        if (m_rest.empty()) return false;
        const std::size_t end = m_rest.find('\n');
        line = m_rest.substr(0, end);
        m_rest = end == std::string_view::npos ? std::string_view() : m_rest.substr(end + 1);
        if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
        ++m_number;
        return true;
    }
    int number() const { return m_number; }

private:
    std::string_view m_rest;
    int m_number = 0;
};

void checkNames(const std::vector<std::string>& names, const std::string& source) {
    if (names.front().starts_with('{')) {
        throw InputError(source + ": is not a table of signals but JSON; a table begins with the line time,...");
    }
    if (names.front() != "time") {
        throw InputError(fmt::format("{}: the first column is '{}'; it must be 'time'", source, names.front()));
    }
    std::vector<std::string> sorted = names;
    std::sort(sorted.begin(), sorted.end());
    const auto twin = std::adjacent_find(sorted.begin(), sorted.end());
    if (twin != sorted.end()) throw InputError(fmt::format("{}: column '{}' appears twice", source, *twin));
}

}  // namespace

std::vector<std::string> splitCsvLine(std::string_view line, const std::string& where, char divider) {
    std::vector<std::string> names(1);
    bool quoted = false;
    for (std::size_t i = 0; i < line.size(); ++i) {
        const char character = line[i];
        if (character == '"' && quoted && i + 1 < line.size() && line[i + 1] == '"') {
            names.back() += '"';
            ++i;
        } else if (character == '"') {
            quoted = !quoted;
        } else if (character == divider && !quoted) {
            names.emplace_back();
        } else {
            names.back() += character;
        }
    }
    if (quoted) throw InputError(fmt::format("{}: the quote of '{}' has no end on this line", where, names.back()));
    return names;
}

Trajectory parseCsv(std::string_view text, const std::string& source) {
    if (text.find('\0') != std::string_view::npos) throw InputError(source + ": has a byte of value 0; it is no text");
    Lines lines(text);
    std::string_view line;
    if (!lines.next(line)) throw InputError(source + ": the file is empty; its first line must name the columns");
    const char divider = dividerOf(line);
    const std::vector<std::string> names = namesOf(line, source, divider);
    const bool endsWithDivider = line.ends_with(divider);
    checkNames(names, source);

    Trajectory table;
    table.signals.assign(names.begin() + 1, names.end());
    table.columns.resize(table.signals.size());
    while (lines.next(line)) {
        if (trimmed(line).empty()) continue;
        if (endsWithDivider && line.back() == divider) line.remove_suffix(1);
        std::size_t column = 0;
        for (std::size_t begin = 0; begin <= line.size(); ++column) {
            const std::size_t comma = std::min(line.find(divider, begin), line.size());
            if (column >= names.size()) {
                throw InputError(fmt::format("{}:{}: more values than the {} columns of the header", source,
                                             lines.number(), names.size()));
            }
            const double value = parseNumber(line.substr(begin, comma - begin), divider != ',', [&] {
                return fmt::format("{}:{}: {}", source, lines.number(), names[column]);
            });
            (column == 0 ? table.time : table.columns[column - 1]).push_back(value);
            begin = comma + 1;
        }
        if (column < names.size()) {
            throw InputError(fmt::format("{}:{}: {} values; the header has {} columns", source, lines.number(), column,
                                         names.size()));
        }
        const std::size_t rows = table.time.size();
        if (rows > 1 && !(table.time[rows - 1] >= table.time[rows - 2])) {
            throw InputError(fmt::format("{}:{}: time = {} is not allowed; it must be >= the {} of the line before",
                                         source, lines.number(), table.time[rows - 1], table.time[rows - 2]));
        }
    }
    return table;
}

Trajectory readCsv(const std::filesystem::path& file) {
    return parseCsv(readFile(file), file.string());
}

}  // namespace elasto::tools
