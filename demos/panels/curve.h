#pragma once
/// @file curve.h
/// A signal over time that can be drawn fast, however long it is.

#include "axis.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace elasto::panels {

/// Samples (x, y) with x that never falls. NaN in y is a gap: nothing is drawn there.
///
/// Blocks of samples know their smallest and largest value, blocks of blocks too, so that the extent of any range is
/// found in about the logarithm of its length: a million samples are drawn as fast as a thousand.
class Curve {
public:
    /// @throws std::invalid_argument unless x is finite and not below the last one
    void append(double x, double y);
    /// Leaves the first `count` samples; more than there are changes nothing.
    void truncate(std::size_t count);
    void clear() { truncate(0); }

    std::size_t size() const { return m_x.size(); }
    bool empty() const { return m_x.empty(); }
    double x(std::size_t index) const { return m_x[index]; }
    double y(std::size_t index) const { return m_y[index]; }

    /// First sample with x >= value; size() if there is none.
    std::size_t lowerBound(double value) const;
    /// The straight line between the samples around x; empty outside of the curve and inside a gap.
    std::optional<double> at(double x) const;

    /// Samples with the smallest and the largest y of a range.
    struct Extremes {
        std::size_t lowest;
        std::size_t highest;
    };
    /// Of the samples first .. last - 1; empty where all of them are gaps.
    std::optional<Extremes> extremes(std::size_t first, std::size_t last) const;
    /// Smallest and largest y between two values of x, those of the line at the borders included.
    std::optional<Interval> extent(const Interval& x) const;

    /// What to draw where the visible part of the x axis is `columns` pixels wide, as rising indices of samples: of
    /// each pixel column the first, the lowest, the highest and the last sample, so that no peak is ever lost; all of
    /// them where there are few. One sample beyond each border is there too, so that lines go on to the edge. A gap
    /// narrower than a column may be bridged.
    /// @param indices is filled anew; it keeps its storage
    void visible(const Interval& x, int columns, std::vector<std::size_t>& indices) const;

private:
    static constexpr std::size_t kBlock = 32;
    static constexpr std::uint32_t kNone = 0xffffffff;
    struct Block {
        std::uint32_t lowest = kNone;
        std::uint32_t highest = kNone;
    };

    void take(std::uint32_t candidateLow, std::uint32_t candidateHigh, Block& into) const;

    std::vector<double> m_x;
    std::vector<double> m_y;
    std::vector<std::vector<Block>> m_levels;  ///< [0]: blocks of kBlock samples, [1]: of kBlock blocks, and so on
};

}  // namespace elasto::panels
