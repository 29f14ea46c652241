#pragma once
/// @file law_map.h
/// The plane (s_rel, v_rel) of a law, cut along the borders of its branches. Nothing here draws.

#include "axis.h"
#include "law_branch.h"

#include <array>
#include <vector>

namespace elasto::panels {

struct LawPoint {
    double s = 0;  ///< [m, rad]
    double v = 0;  ///< [m/s, rad/s]
};

/// A convex part of the map on one branch: a cell of the grid, or what a border leaves of it.
struct LawPiece {
    LawBranch branch = LawBranch::Free;
    std::array<LawPoint, 6> corners;  ///< counterclockwise in (s, v)
    int count = 0;                    ///< of the corners, >= 3

    LawPoint middle() const;
};

/// Part of the border between two branches within a cell.
struct LawBorder {
    LawPoint a, b;
};

class LawMap {
public:
    /// Cells of the grid along both axes. Borders cross its lines where the branch changes, to rounding; between two
    /// such points they are straight.
    static constexpr int kColumns = 96, kRows = 54;

    /// @param s_damper used by SpringDamperSeries only
    LawMap(const Law& law, const Interval& s, const Interval& v, double s_damper = 0);

    const std::vector<LawPiece>& pieces() const { return m_pieces; }
    const std::vector<LawBorder>& borders() const { return m_borders; }

private:
    std::vector<LawPiece> m_pieces;
    std::vector<LawBorder> m_borders;
};

}  // namespace elasto::panels
