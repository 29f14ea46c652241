#include "curve.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <string>

namespace elasto::panels {

void Curve::take(std::uint32_t candidateLow, std::uint32_t candidateHigh, Block& into) const {
    if (candidateLow == kNone) return;
    if (into.lowest == kNone) {
        into = {candidateLow, candidateHigh};
        return;
    }
    if (m_y[candidateLow] < m_y[into.lowest]) into.lowest = candidateLow;
    if (m_y[candidateHigh] > m_y[into.highest]) into.highest = candidateHigh;
}

void Curve::append(double x, double y) {
    if (!std::isfinite(x) || (!m_x.empty() && x < m_x.back())) {
        throw std::invalid_argument("Curve::append: x = " + std::to_string(x) +
                                    " is not allowed; x must be finite and not below the last one");
    }
    const auto index = static_cast<std::uint32_t>(m_x.size());
    m_x.push_back(x);
    m_y.push_back(y);
    const std::uint32_t sample = std::isnan(y) ? kNone : index;
    std::size_t block = index / kBlock;
    for (std::size_t level = 0;; ++level, block /= kBlock) {
        if (level == m_levels.size()) {
            if (level > 0 && m_levels[level - 1].size() <= kBlock) break;
            // A new level begins with all that stands below it.
            std::vector<Block> blocks;
            if (level > 0) {
                const std::vector<Block>& below = m_levels[level - 1];
                blocks.resize((below.size() + kBlock - 1) / kBlock);
                for (std::size_t i = 0; i < below.size(); ++i) {
                    take(below[i].lowest, below[i].highest, blocks[i / kBlock]);
                }
            }
            m_levels.push_back(std::move(blocks));
        }
        if (m_levels[level].size() <= block) m_levels[level].resize(block + 1);
        take(sample, sample, m_levels[level][block]);
    }
}

void Curve::truncate(std::size_t count) {
    if (count >= m_x.size()) return;
    m_x.resize(count);
    m_y.resize(count);
    // Whole blocks stay; the last one of each level is made anew.
    std::size_t below = count;
    for (std::size_t level = 0; level < m_levels.size(); ++level) {
        std::vector<Block>& blocks = m_levels[level];
        const std::size_t whole = below / kBlock;
        blocks.resize((below + kBlock - 1) / kBlock);
        if (whole < blocks.size()) {
            blocks[whole] = {};
            for (std::size_t i = whole * kBlock; i < below; ++i) {
                if (level == 0) {
                    const std::uint32_t sample = std::isnan(m_y[i]) ? kNone : static_cast<std::uint32_t>(i);
                    take(sample, sample, blocks[whole]);
                } else {
                    take(m_levels[level - 1][i].lowest, m_levels[level - 1][i].highest, blocks[whole]);
                }
            }
        }
        below = blocks.size();
    }
    while (!m_levels.empty() && m_levels.back().empty()) m_levels.pop_back();
}

std::size_t Curve::lowerBound(double value) const {
    return static_cast<std::size_t>(std::lower_bound(m_x.begin(), m_x.end(), value) - m_x.begin());
}

std::optional<double> Curve::at(double x) const {
    if (m_x.empty() || !(x >= m_x.front()) || !(x <= m_x.back())) return std::nullopt;
    const std::size_t above = lowerBound(x);
    double value = m_y[above];
    if (m_x[above] > x) {
        const double share = (x - m_x[above - 1]) / (m_x[above] - m_x[above - 1]);
        value = m_y[above - 1] + share * (m_y[above] - m_y[above - 1]);
    }
    if (std::isnan(value)) return std::nullopt;
    return value;
}

std::optional<Curve::Extremes> Curve::extremes(std::size_t first, std::size_t last) const {
    last = std::min(last, m_x.size());
    Block found;
    std::size_t index = first;
    while (index < last) {
        // The largest block that begins here and ends within the range.
        std::size_t level = 0;
        std::size_t size = 1;
        while (level < m_levels.size() && index % (size * kBlock) == 0 && index + size * kBlock <= last) {
            size *= kBlock;
            ++level;
        }
        if (level == 0) {
            const std::uint32_t sample = std::isnan(m_y[index]) ? kNone : static_cast<std::uint32_t>(index);
            take(sample, sample, found);
        } else {
            const Block& block = m_levels[level - 1][index / size];
            take(block.lowest, block.highest, found);
        }
        index += size;
    }
    if (found.lowest == kNone) return std::nullopt;
    return Extremes{found.lowest, found.highest};
}

std::optional<Interval> Curve::extent(const Interval& x) const {
    const std::size_t first = lowerBound(x.low);
    std::size_t last = lowerBound(x.high);
    while (last < m_x.size() && m_x[last] <= x.high) ++last;
    std::optional<Interval> extent;
    const auto widen = [&extent](double value) {
        if (!extent) {
            extent = Interval{value, value};
        } else {
            extent->low = std::min(extent->low, value);
            extent->high = std::max(extent->high, value);
        }
    };
    if (first < last) {
        if (const std::optional<Extremes> found = extremes(first, last)) {
            widen(m_y[found->lowest]);
            widen(m_y[found->highest]);
        }
    }
    if (const std::optional<double> value = at(x.low)) widen(*value);
    if (const std::optional<double> value = at(x.high)) widen(*value);
    return extent;
}

void Curve::visible(const Interval& x, int columns, std::vector<std::size_t>& indices) const {
    indices.clear();
    if (m_x.empty() || columns < 1 || !(x.length() > 0)) return;
    std::size_t first = lowerBound(x.low);
    std::size_t last = lowerBound(x.high);
    if (last < m_x.size()) ++last;
    if (first > 0) --first;
    if (last - first <= 4 * static_cast<std::size_t>(columns)) {
        for (std::size_t i = first; i < last; ++i) indices.push_back(i);
        return;
    }
    const auto add = [&indices](std::size_t index) {
        if (indices.empty() || indices.back() < index) indices.push_back(index);
    };
    std::size_t begin = first;
    for (int column = 0; column < columns && begin < last; ++column) {
        const double border = x.low + x.length() * (column + 1) / columns;
        const std::size_t end = column + 1 == columns ? last : std::min(last, lowerBound(border));
        if (end <= begin) continue;
        add(begin);
        if (const std::optional<Extremes> found = extremes(begin, end)) {
            add(std::min(found->lowest, found->highest));
            add(std::max(found->lowest, found->highest));
        }
        add(end - 1);
        begin = end;
    }
}

}  // namespace elasto::panels
