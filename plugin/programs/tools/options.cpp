#include "options.h"

#include <elasto/scene/description.h>
#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <optional>

namespace elasto::tools {

namespace {

std::optional<double> finiteNumber(const std::string& text) {
    char* end = nullptr;
    const double value = std::strtod(text.c_str(), &end);
    if (text.empty() || *end != '\0' || !std::isfinite(value)) return std::nullopt;
    return value;
}

std::string refused(const std::string& text, const std::string& allowed) {
    return fmt::format("{} is not allowed; it must be {}", text, allowed);
}

}  // namespace

CLI::Validator numberAbove(double limit) {
    return CLI::Validator(
        [limit](std::string& text) {
            const std::optional<double> value = finiteNumber(text);
            return value && *value > limit ? std::string() : refused(text, fmt::format("a number > {}", limit));
        },
        "");
}

CLI::Validator numberAtLeast(double limit) {
    return CLI::Validator(
        [limit](std::string& text) {
            const std::optional<double> value = finiteNumber(text);
            return value && *value >= limit ? std::string() : refused(text, fmt::format("a number >= {}", limit));
        },
        "");
}

CLI::Validator countUpTo(int limit) {
    return CLI::Validator(
        [limit](std::string& text) {
            int value = 0;
            const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
            const bool isNumber = error == std::errc() && end == text.data() + text.size();
            return isNumber && value >= 1 && value <= limit
                       ? std::string()
                       : refused(text, fmt::format("a whole number from 1 to {}", limit));
        },
        "");
}

CLI::Validator tickRate() {
    return CLI::Validator(
        [](std::string& text) {
            const std::optional<double> value = finiteNumber(text);
            return value && *value > 0 && *value <= kHighestRate
                       ? std::string()
                       : refused(text, fmt::format("a number > 0 and <= {}", kHighestRate));
        },
        "");
}

CLI::Validator fileName() {
    return CLI::Validator(
        [](std::string& text) { return text.empty() ? refused("''", "the name of a file") : std::string(); }, "");
}

CLI::Validator pictureFile() {
    return CLI::Validator(
        [](std::string& text) {
            const std::string extension = std::filesystem::path(text).extension().string();
            return extension == ".svg" || extension == ".png"
                       ? std::string()
                       : refused("'" + text + "'", "a file name that ends with .svg or .png");
        },
        "");
}

}  // namespace elasto::tools
