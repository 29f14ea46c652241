#include "law_map.h"

#include <algorithm>

namespace elasto::panels {

namespace {

constexpr int kHalvings = 50;  ///< of a side of a cell: to rounding

/// The law's branches, at points.
struct Branches {
    const Law& law;
    double s_damper;

    LawBranch at(const LawPoint& p) const { return branchOf(law, p.s, p.v, s_damper); }

    /// Where the branch of a ends on the way to b, which has another one.
    LawPoint border(LawPoint a, LawPoint b) const {
        const LawBranch branch = at(a);
        for (int i = 0; i < kHalvings; ++i) {
            const LawPoint middle = {a.s + (b.s - a.s) / 2, a.v + (b.v - a.v) / 2};
            (at(middle) == branch ? a : b) = middle;
        }
        return b;
    }
};

LawPoint meanOf(const LawPoint* points, int count) {
    LawPoint mean;
    for (int i = 0; i < count; ++i) {
        mean.s += points[i].s / count;
        mean.v += points[i].v / count;
    }
    return mean;
}

/// A cell: its corners counterclockwise from the lower left one, their branches, and the borders on the sides that
/// begin at them.
struct Cell {
    std::array<LawPoint, 4> corners;
    std::array<LawBranch, 4> branches;
    std::array<LawPoint, 4> crossings;

    bool isCrossed(int side) const {
        return branches[static_cast<std::size_t>(side)] != branches[static_cast<std::size_t>((side + 1) % 4)];
    }
};

}  // namespace

LawPoint LawPiece::middle() const {
    return meanOf(corners.data(), count);
}

LawMap::LawMap(const Law& law, const Interval& s, const Interval& v, double s_damper) {
    const Branches branches{law, s_damper};
    constexpr int kNodes = kColumns + 1;
    const auto point = [&](int column, int row) {
        return LawPoint{s.low + s.length() * column / kColumns, v.low + v.length() * row / kRows};
    };
    std::vector<LawBranch> nodes;
    nodes.reserve(static_cast<std::size_t>(kNodes * (kRows + 1)));
    for (int row = 0; row <= kRows; ++row) {
        for (int column = 0; column < kNodes; ++column) nodes.push_back(branches.at(point(column, row)));
    }
    constexpr std::array<std::array<int, 2>, 4> kCorners = {{{0, 0}, {1, 0}, {1, 1}, {0, 1}}};
    for (int row = 0; row < kRows; ++row) {
        for (int column = 0; column < kColumns; ++column) {
            Cell cell;
            for (std::size_t i = 0; i < 4; ++i) {
                const int nodeColumn = column + kCorners[i][0], nodeRow = row + kCorners[i][1];
                cell.corners[i] = point(nodeColumn, nodeRow);
                cell.branches[i] = nodes[static_cast<std::size_t>(nodeRow * kNodes + nodeColumn)];
            }
            std::array<LawPoint, 4> crossings;
            int count = 0;
            for (std::size_t i = 0; i < 4; ++i) {
                if (!cell.isCrossed(static_cast<int>(i))) continue;
                cell.crossings[i] = branches.border(cell.corners[i], cell.corners[(i + 1) % 4]);
                crossings[static_cast<std::size_t>(count++)] = cell.crossings[i];
            }
            if (count == 0) {
                LawPiece whole{cell.branches[0], {}, 4};
                std::copy(cell.corners.begin(), cell.corners.end(), whole.corners.begin());
                m_pieces.push_back(whole);
                continue;
            }
            // Two borders are the ends of one line; more of them meet in the middle.
            const LawPoint junction = meanOf(crossings.data(), count);
            if (count == 2) {
                m_borders.push_back({crossings[0], crossings[1]});
            } else {
                for (int i = 0; i < count; ++i) {
                    m_borders.push_back({crossings[static_cast<std::size_t>(i)], junction});
                }
            }
            // A piece goes from the border before a corner to the next border.
            for (std::size_t i = 0; i < 4; ++i) {
                const std::size_t before = (i + 3) % 4;
                if (!cell.isCrossed(static_cast<int>(before))) continue;
                LawPiece piece{cell.branches[i], {cell.crossings[before]}, 1};
                std::size_t corner = i;
                while (true) {
                    piece.corners[static_cast<std::size_t>(piece.count++)] = cell.corners[corner];
                    if (cell.isCrossed(static_cast<int>(corner))) break;
                    corner = (corner + 1) % 4;
                }
                piece.corners[static_cast<std::size_t>(piece.count++)] = cell.crossings[corner];
                if (count > 2) piece.corners[static_cast<std::size_t>(piece.count++)] = junction;
                m_pieces.push_back(piece);
            }
        }
    }
}

}  // namespace elasto::panels
