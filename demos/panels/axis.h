#pragma once
/// @file axis.h
/// An axis of a plot as numbers: where its ticks are and what they say. Nothing here draws.

#include <array>
#include <cstddef>
#include <span>
#include <string>
#include <string_view>

namespace elasto::panels {

/// What an axis shows.
struct AxisQuantity {
    std::string name;  ///< as in Modelica, e.g. "s_rel"
    std::string unit;  ///< SI without prefix, e.g. "m"; empty or "-": a plain number, never written with a prefix
};

/// Part of an axis, low < high.
struct Interval {
    double low = 0;
    double high = 1;

    double length() const { return high - low; }
    bool contains(double value) const { return value >= low && value <= high; }
};

/// Round positions on an axis: multiples of 1, 2 or 5 times a power of ten.
class Ticks {
public:
    static constexpr std::size_t kMost = 24;

    /// @param visible part of the axis that is seen; one that is empty, reversed or not finite has no ticks
    /// @param most    ticks at most, 2 .. kMost; a wish beyond is brought into that range
    Ticks(const Interval& visible, int most);

    double step() const { return m_step; }  ///< distance of two ticks; 0 where there are none
    std::span<const double> values() const { return {m_values.data(), m_count}; }

private:
    double m_step = 0;
    std::array<double, kMost> m_values{};
    std::size_t m_count = 0;
};

/// How the numbers of one axis are written: all with the same prefix and the same number of decimals, and where the
/// visible part is far from zero and narrow, relative to an offset that stands once at the axis.
class AxisScale {
public:
    /// @param visible part of the axis that is seen, finite
    /// @param step    distance of its ticks, > 0
    AxisScale(const AxisQuantity& quantity, const Interval& visible, double step);

    /// A tick's label, e.g. "1.5" for 0.0015 m on an axis in mm.
    std::string label(double value) const;
    /// A value with its unit, without the offset: with the prefix that fits it, and with more digits than the ticks
    /// have, four at least: "1.527 mm".
    std::string reading(double value) const;
    /// "s_rel [mm]"; with an offset "time [ms] + 1.2 s".
    const std::string& title() const { return m_title; }
    const std::string& unit() const { return m_unit; }  ///< with prefix, e.g. "mm"
    double offset() const { return m_offset; }          ///< in the quantity's own unit
    double factor() const { return m_factor; }          ///< value in the quantity's unit / number shown

private:
    double m_factor = 1;
    double m_offset = 0;
    double m_step = 0;  ///< distance of the ticks
    double m_size = 0;  ///< of what is seen, from zero
    int m_decimals = 0;
    std::string m_base;  ///< unit without prefix
    std::string m_unit;
    std::string m_title;
};

/// In any unit: what is smaller is rounding, for who looks.
inline constexpr double kNoise = 1e-9;

/// A number with unit and prefix, for labels beside a picture: "1.250 kN", "-3.100 mm", "0 N".
/// What is not larger than `zero` is written as 0; not finite values as "-". @param digits significant ones
std::string withUnit(double value, std::string_view unit, double zero = 0, int digits = 4);

/// SI prefix under which a value of this size is read most easily: its factor and letter. 1 and "" where the unit
/// takes none (plain numbers, degrees Celsius and kelvin, anything that has a prefix already).
struct Prefix {
    double factor = 1;
    std::string_view letter;
};
Prefix prefixFor(double size, std::string_view unit);

}  // namespace elasto::panels
