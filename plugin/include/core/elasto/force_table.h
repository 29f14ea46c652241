#pragma once
/// @file force_table.h
/// A spring's force over its travel, from a table.

#include <elasto/export.h>

#include <array>
#include <memory>
#include <string>
#include <vector>

namespace elasto {

/// Monotone cubic interpolation of force over travel: through every point, with a continuous slope, and without
/// wiggles: where the points rise the force rises. Beyond the last point the force goes on along its last slope, and to
/// negative travel it is continued as an odd function. Copies share one table.
/// Slopes at the points are the harmonic means of the secants on both sides, weighted by the steps' widths
/// (docs/laws.md, BumpStop): F. N. Fritsch, J. Butland, SIAM J. Sci. Stat. Comput. 5 (1984) 300. That such cubics rise:
/// F. N. Fritsch, R. E. Carlson, SIAM J. Numer. Anal. 17 (1980) 238.
class ELASTO_API ForceTable {
public:
    using Point = std::array<double, 2>;  ///< travel [m, rad], force [N, N.m]

    /// An empty table, which stands for "not given": it has no force to ask for.
    ForceTable() = default;
    /// @param points at least two; the first is (0, 0), and both travel and force rise from point to point
    /// @param owner  name in messages; the field is called "table"
    /// @throws InvalidParameter naming the point and what is allowed
    explicit ForceTable(std::vector<Point> points, const char* owner = "ForceTable");

    bool isEmpty() const { return m_data == nullptr; }  ///< true: made without points
    /// The points as given; none of an empty table.
    const std::vector<Point>& points() const;
    /// Force [N, N.m] at a travel [m, rad] of any size and sign; not of an empty table, nor what follows.
    double force(double travel) const;
    double slope(double travel) const;   ///< derivative of the force [N/m, N.m/rad]
    double energy(double travel) const;  ///< integral of the force from 0 [J]
    double largestSlope() const;         ///< largest slope at any travel [N/m, N.m/rad]

    /// Equal where all points are.
    bool operator==(const ForceTable& other) const { return points() == other.points(); }

private:
    struct Data;
    std::shared_ptr<const Data> m_data;
};

}  // namespace elasto
