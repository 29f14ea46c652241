#include "row_text.h"

#include <array>
#include <charconv>

namespace elasto::sweep {

namespace {

/// On one line, whatever the text holds.
std::string inQuotes(std::string_view text) {
    std::string result = "\"";
    for (const char letter : text) {
        if (letter == '"') result += '"';
        if (letter == '\n') {
            result += "; ";
        } else {
            result += letter == '\r' ? ' ' : letter;
        }
    }
    return result + "\"";
}

std::string numberText(double value) {
    std::array<char, 32> text;
    const auto written = std::to_chars(text.data(), text.data() + text.size(), value + 0.);  // never -0
    return {text.data(), written.ptr};
}

std::string valueText(const Value& value) {
    if (value.is_string()) return inQuotes(value.get<std::string>());
    return value.is_number() ? numberText(value.get<double>()) : value.dump();
}

/// The cell of a line, counted from 0.
std::string_view cellOf(std::string_view row, std::size_t column) {
    std::size_t begin = 0;
    bool isQuoted = false;
    for (std::size_t i = 0; i <= row.size(); ++i) {
        if (i < row.size() && row[i] == '"') isQuoted = !isQuoted;
        if (i < row.size() && (isQuoted || row[i] != ',')) continue;
        if (column-- == 0) return row.substr(begin, i - begin);
        begin = i + 1;
    }
    return {};
}

}  // namespace

std::string headerText(const Study& study) {
    std::string text = inQuotes("run");
    for (const Parameter& parameter : study.parameters) text += "," + inQuotes(parameter.name);
    text += "," + inQuotes("status");
    for (const Metric& metric : study.metrics) text += "," + inQuotes(metric.name);
    return text + "," + inQuotes(kGradeColumn) + "," + inQuotes(kErrorColumn) + "," + inQuotes("reason");
}

std::string rowText(std::size_t run, const std::vector<Value>& point, const Outcome& outcome) {
    std::string text = std::to_string(run + 1);
    for (const Value& value : point) text += "," + valueText(value);
    text += outcome.failure.empty() ? "," + std::string(kStatusOk) : "," + std::string(kStatusFailed);
    for (const std::optional<double>& metric : outcome.metrics) text += "," + (metric ? numberText(*metric) : "");
    if (!outcome.failure.empty()) return text + ",,," + inQuotes(outcome.failure);
    return text + "," + std::to_string(static_cast<int>(outcome.grade.grade)) + "," + numberText(outcome.grade.error) +
           "," + (outcome.doubtful.empty() ? "" : inQuotes(outcome.doubtful));
}

std::optional<std::size_t> runOfRow(std::string_view row) {
    std::size_t run = 0;
    const auto [end, error] = std::from_chars(row.data(), row.data() + row.size(), run);
    if (error != std::errc() || end == row.data() + row.size() || *end != ',' || run == 0) return std::nullopt;
    return run - 1;
}

bool isFailed(const Study& study, std::string_view row) {
    return cellOf(row, study.parameters.size() + 1) == kStatusFailed;
}

std::string_view reasonOf(const Study& study, std::string_view row) {
    return cellOf(row, study.parameters.size() + study.metrics.size() + 4);
}

}  // namespace elasto::sweep
