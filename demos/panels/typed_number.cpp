#include "typed_number.h"

#include <array>
#include <charconv>
#include <cmath>
#include <numbers>

namespace elasto::panels {

namespace {

/// A unit as a factor to SI and exponents of m, kg, s and K. Radians are plain numbers.
struct Unit {
    double factor = 1;
    std::array<double, 4> exponents{};

    Unit power(double p) const {
        Unit result{std::pow(factor, p), exponents};
        for (double& exponent : result.exponents) exponent *= p;
        return result;
    }
    Unit times(const Unit& other) const {
        Unit result{factor * other.factor, exponents};
        for (std::size_t i = 0; i < exponents.size(); ++i) result.exponents[i] += other.exponents[i];
        return result;
    }
};

struct Symbol {
    std::string_view name;
    Unit unit;
};

constexpr double kDegree = std::numbers::pi / 180;
constexpr Symbol kSymbols[] = {
    {"m", {1, {1, 0, 0, 0}}},
    {"g", {1e-3, {0, 1, 0, 0}}},
    {"t", {1e3, {0, 1, 0, 0}}},
    {"s", {1, {0, 0, 1, 0}}},
    {"min", {60, {0, 0, 1, 0}}},
    {"h", {3600, {0, 0, 1, 0}}},
    {"K", {1, {0, 0, 0, 1}}},
    {"N", {1, {1, 1, -2, 0}}},
    {"J", {1, {2, 1, -2, 0}}},
    {"W", {1, {2, 1, -3, 0}}},
    {"Hz", {1, {0, 0, -1, 0}}},
    {"rad", {1, {}}},
    {"deg", {kDegree, {}}},
    {"\u00b0", {kDegree, {}}},
    {"rpm", {6 * kDegree, {0, 0, -1, 0}}},
    {"1", {1, {}}},
    // Written together as often as not.
    {"Nm", {1, {2, 1, -2, 0}}},
    {"Ns", {1, {1, 1, -1, 0}}},
    {"Nms", {1, {2, 1, -1, 0}}},
};

constexpr std::pair<std::string_view, double> kPrefixes[] = {
    {"G", 1e9},  {"M", 1e6},  {"k", 1e3},       {"d", 1e-1},      {"c", 1e-2}, {"m", 1e-3},
    {"u", 1e-6}, {"n", 1e-9}, {"\u00b5", 1e-6}, {"\u03bc", 1e-6}, {"p", 1e-12}};

std::optional<Unit> symbolOf(std::string_view name) {
    for (const Symbol& symbol : kSymbols) {
        if (symbol.name == name) return symbol.unit;
    }
    for (const auto& [letter, factor] : kPrefixes) {
        if (name.substr(0, letter.size()) != letter) continue;
        for (const Symbol& symbol : kSymbols) {
            const bool takesPrefix = symbol.name != "1" && symbol.name != "deg" && symbol.name != "\u00b0";
            if (takesPrefix && symbol.name == name.substr(letter.size())) {
                return Unit{factor * symbol.unit.factor, symbol.unit.exponents};
            }
        }
    }
    return std::nullopt;
}

/// A symbol with its power: "m", "s^2", "s²", "s2".
std::optional<Unit> factorOf(std::string_view text) {
    double power = 1;
    if (const std::size_t hat = text.find('^'); hat != std::string_view::npos) {
        const std::string_view digits = text.substr(hat + 1);
        const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), power);
        if (error != std::errc() || end != digits.data() + digits.size()) return std::nullopt;
        text = text.substr(0, hat);
    }
    // "m/s2", as who has no raised numbers writes.
    if (text.size() > 1 && power == 1 && (text.back() == '2' || text.back() == '3')) {
        power = text.back() - '0';
        text.remove_suffix(1);
    }
    for (const auto& [sign, value] : {std::pair("\u00b2", 2.), std::pair("\u00b3", 3.)}) {
        if (!text.ends_with(sign)) continue;
        power = value;
        text.remove_suffix(std::string_view(sign).size());
    }
    const std::optional<Unit> symbol = symbolOf(text);
    return symbol ? std::optional(symbol->power(power)) : std::nullopt;
}

/// Products and quotients: "N·s/m". Each / divides by the one symbol behind it, but brackets are none of ours.
std::optional<Unit> unitOf(std::string_view text) {
    constexpr std::string_view kDot = "\u00b7";
    Unit result;
    bool isDivisor = false;
    while (true) {
        const std::size_t slash = text.find('/');
        const std::size_t dot = std::min({text.find('.'), text.find('*'), text.find(kDot)});
        const std::size_t end = std::min(slash, dot);
        const std::optional<Unit> factor = factorOf(text.substr(0, end));
        if (!factor) return std::nullopt;
        result = result.times(isDivisor ? factor->power(-1) : *factor);
        if (end == std::string_view::npos) return result;
        isDivisor = slash < dot;
        text.remove_prefix(end + (text.substr(end).starts_with(kDot) ? kDot.size() : 1));
    }
}

std::string_view trimmed(std::string_view text) {
    constexpr std::string_view kSpace = " \t";
    const std::size_t first = text.find_first_not_of(kSpace);
    if (first == std::string_view::npos) return {};
    return text.substr(first, text.find_last_not_of(kSpace) - first + 1);
}

std::string withoutSpace(std::string_view text) {
    std::string result;
    for (const char letter : text) {
        if (letter != ' ') result += letter;
    }
    return result;
}

}  // namespace

TypedNumber readTyped(std::string_view typed, std::string_view unit) {
    const std::string_view text = trimmed(typed);
    const std::string quoted = "'" + std::string(text) + "'";
    const std::string inUnit = unit.empty() ? "" : " in " + std::string(unit) + ", or one with its unit";
    const std::string allowed = "write a number" + inUnit;
    if (text.find(',') != std::string_view::npos) {
        return {std::nullopt, quoted + " has a comma: write the decimal point as '.'"};
    }
    std::string_view number = text;
    if (number.starts_with('+')) number.remove_prefix(1);
    double value = 0;
    const auto [end, error] = std::from_chars(number.data(), number.data() + number.size(), value);
    if (error == std::errc::result_out_of_range) {
        return {std::nullopt, quoted + " is too large or too small: write a number between 1e-307 and 1e308"};
    }
    if (error != std::errc() || !std::isfinite(value)) return {std::nullopt, quoted + " is no number: " + allowed};
    const std::string rest = withoutSpace(number.substr(static_cast<std::size_t>(end - number.data())));
    if (rest.empty() || rest == withoutSpace(unit)) return {value, ""};
    const std::optional<Unit> given = unitOf(rest);
    if (!given) return {std::nullopt, quoted + ": '" + rest + "' is no unit that is known here; " + allowed};
    const std::optional<Unit> wanted = unit.empty() ? Unit() : unitOf(withoutSpace(unit));
    if (!wanted || given->exponents != wanted->exponents) {
        const std::string what = unit.empty() ? "a plain number" : "a number in " + std::string(unit);
        return {std::nullopt, quoted + ": '" + rest + "' is another quantity; this one is " + what};
    }
    return {value * given->factor / wanted->factor, ""};
}

}  // namespace elasto::panels
