#include "axis.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace elasto::panels {

namespace {

/// Visible parts narrower than this share of their distance from zero get an offset.
constexpr double kOffsetFrom = 1e-3;
constexpr int kMostDecimals = 15;
constexpr double kFarBeyond = 1e3;  ///< a reading / what is seen

std::string fixed(double value, int decimals) {
    std::array<char, 64> text;
    std::snprintf(text.data(), text.size(), "%.*f", std::clamp(decimals, 0, kMostDecimals), value);
    std::string result = text.data();
    // "-0.00" is a zero.
    if (result.find_first_not_of("-0.") == std::string::npos && result.front() == '-') result.erase(0, 1);
    return result;
}

/// Decimals that a multiple of `step` needs.
int decimalsOf(double step) {
    if (!(step > 0)) return 0;
    return std::clamp(static_cast<int>(std::ceil(-std::log10(step) - 1e-9)), 0, kMostDecimals);
}

std::string prefixed(const Prefix& prefix, std::string_view unit) {
    std::string text(prefix.letter);
    text += unit;
    return text;
}

}  // namespace

Ticks::Ticks(const Interval& visible, int most) {
    const double length = visible.length();
    if (!std::isfinite(visible.low) || !std::isfinite(visible.high) || !(length > 0) || !std::isfinite(length)) return;
    const double size = std::max(std::abs(visible.low), std::abs(visible.high));
    if (length < size * 1e-14) return;  // neighbouring numbers: no round ones between them
    const int wanted = std::clamp(most, 2, static_cast<int>(kMost) - 2);
    const double raw = length / wanted;
    const double decade = std::pow(10., std::floor(std::log10(raw)));
    if (!(decade > 0)) return;
    m_step = decade;
    for (const double factor : {1., 2., 5., 10.}) {
        m_step = factor * decade;
        if (m_step >= raw * (1 - 1e-12)) break;
    }
    const double first = std::ceil(visible.low / m_step - 1e-9);
    for (double index = first; m_count < kMost; index += 1) {
        const double value = index * m_step;
        if (value > visible.high + 1e-9 * m_step) break;
        m_values[m_count++] = value == 0 ? 0 : value;  // not -0
    }
}

Prefix prefixFor(double size, std::string_view unit) {
    const bool takesNone = unit.empty() || unit == "-" || unit == "K" || unit == "°C" || unit == "%" || unit == "ms" ||
                           unit == "mm" || unit.substr(0, 2) == "kg";
    if (takesNone || !std::isfinite(size) || size == 0) return {};
    static constexpr std::array<Prefix, 8> kPrefixes = {Prefix{1e9, "G"},  Prefix{1e6, "M"},  Prefix{1e3, "k"},
                                                        Prefix{1, ""},     Prefix{1e-3, "m"}, Prefix{1e-6, "µ"},
                                                        Prefix{1e-9, "n"}, Prefix{1e-12, "p"}};
    const double positive = std::abs(size) * (1 + 1e-9);
    for (const Prefix& prefix : kPrefixes) {
        // Seconds and radians are not counted in thousands.
        if (prefix.factor > 1 && (unit == "s" || unit == "rad")) continue;
        if (positive >= prefix.factor) return prefix;
    }
    return kPrefixes.back();
}

AxisScale::AxisScale(const AxisQuantity& quantity, const Interval& visible, double step) {
    const double size = std::max(std::abs(visible.low), std::abs(visible.high));
    const double length = visible.length();
    double shown = size;
    if (length < kOffsetFrom * size && step > 0) {
        // A round number at the beginning of the visible part: of the decade above its length.
        const double round = std::pow(10., std::ceil(std::log10(length)));
        m_offset = std::floor(visible.low / round) * round;
        shown = std::max(std::abs(visible.low - m_offset), std::abs(visible.high - m_offset));
    }
    const Prefix prefix = prefixFor(shown, quantity.unit);
    m_factor = prefix.factor;
    m_step = step;
    m_size = size;
    m_base = quantity.unit;
    m_unit = prefixed(prefix, quantity.unit);
    m_decimals = decimalsOf(step / m_factor);
    m_title = quantity.name;
    if (!m_unit.empty() && m_unit != "-") m_title += " [" + m_unit + "]";
    if (m_offset != 0) {
        const int digits = decimalsOf(std::pow(10., std::ceil(std::log10(length))));
        m_title += (m_offset < 0 ? " - " : " + ") + fixed(std::abs(m_offset), digits);
        if (m_unit != quantity.unit) m_title += " " + quantity.unit;
    }
}

std::string AxisScale::label(double value) const {
    return fixed((value - m_offset) / m_factor, m_decimals);
}

std::string AxisScale::reading(double value) const {
    constexpr int kLeast = 4, kMost = 14;
    // What is far beyond the axis would only have digits that nobody compares.
    const bool isFar = !(std::abs(value) < kFarBeyond * m_size) || value == 0 || !(m_step > 0);
    const int beyond =
        isFar ? 0 : static_cast<int>(std::floor(std::log10(std::abs(value))) - std::floor(std::log10(m_step)));
    return withUnit(value, m_base, std::min(kNoise, 1e-6 * m_size), std::clamp(beyond + 2, kLeast, kMost));
}

std::string withUnit(double value, std::string_view unit, double zero, int digits) {
    if (!std::isfinite(value)) return "-";
    const std::string tail = unit.empty() || unit == "-" ? "" : " ";
    if (std::abs(value) <= zero || value == 0) return "0" + (tail.empty() ? "" : tail + std::string(unit));
    const Prefix prefix = prefixFor(value, unit);
    const double number = value / prefix.factor;
    const double size = std::abs(number);
    if (size >= 1e6 || size < 1e-4) {
        std::array<char, 32> text;
        std::snprintf(text.data(), text.size(), "%.3g", number);
        return text.data() + (tail.empty() ? "" : tail + prefixed(prefix, unit));
    }
    const int decimals = digits - 1 - static_cast<int>(std::floor(std::log10(size) + 1e-9));
    return fixed(number, decimals) + (tail.empty() ? "" : tail + prefixed(prefix, unit));
}

}  // namespace elasto::panels
