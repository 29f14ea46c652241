#include "checks.h"

#include <elasto/force_table.h>

#include <algorithm>
#include <cmath>

namespace elasto {

struct ForceTable::Data {
    std::vector<Point> points;
    std::vector<double> slopes;    // at the points
    std::vector<double> energies;  // up to the points
    double largestSlope = 0;

    /// A cubic between two points, by the share of the way between them.
    struct Piece {
        double begin = 0, width = 1, first = 0, last = 0, slopeFirst = 0, slopeLast = 0;  // slopes times width

        double force(double u) const {
            const double v = 1 - u;
            return v * v * ((1 + 2 * u) * first + u * slopeFirst) + u * u * ((1 + 2 * v) * last - v * slopeLast);
        }
        double slope(double u) const {
            const double v = 1 - u;
            return (6 * u * v * (last - first) + v * (1 - 3 * u) * slopeFirst + u * (3 * u - 2) * slopeLast) / width;
        }
        double energy(double u) const {
            const double u2 = u * u, u3 = u2 * u, u4 = u2 * u2;
            return width * (first * (u - u3 + u4 / 2) + last * (u3 - u4 / 2) +
                            slopeFirst * (u2 / 2 - 2 * u3 / 3 + u4 / 4) + slopeLast * (u4 / 4 - u3 / 3));
        }
        /// Its slope is a parabola.
        double largestSlope() const {
            const double a = 6 * (first - last) + 3 * (slopeFirst + slopeLast);
            const double b = 6 * (last - first) - 4 * slopeFirst - 2 * slopeLast;
            double most = std::max(slopeFirst, slopeLast) / width;
            if (a < 0 && b > 0 && -b / (2 * a) < 1) most = std::max(most, slope(-b / (2 * a)));
            return most;
        }
    };

    std::size_t pieces() const { return points.size() - 1; }
    Piece piece(std::size_t i) const {
        const double width = points[i + 1][0] - points[i][0];
        return {points[i][0], width, points[i][1], points[i + 1][1], slopes[i] * width, slopes[i + 1] * width};
    }
    double end() const { return points.back()[0]; }
    /// The piece that holds a travel in [0, end).
    std::size_t pieceAt(double travel) const {
        const auto above = std::upper_bound(points.begin(), points.end(), travel,
                                            [](double value, const Point& point) { return value < point[0]; });
        return std::min(static_cast<std::size_t>(above - points.begin()) - 1, pieces() - 1);
    }
};

namespace {

/// Slope at a point between two secants: their harmonic mean, weighted by the widths, which keeps the cubics monotone.
double slopeBetween(double widthBefore, double before, double widthAfter, double after) {
    const double share = (widthBefore + 2 * widthAfter) / (3 * (widthBefore + widthAfter));
    return before * after / (share * after + (1 - share) * before);
}

/// Slope at an end: of the parabola through three points, within what keeps the first cubic monotone.
double slopeAtEnd(double width, double secant, double nextWidth, double nextSecant) {
    const double slope = ((2 * width + nextWidth) * secant - width * nextSecant) / (width + nextWidth);
    return std::clamp(slope, 0., 3 * secant);
}

void check(const std::vector<ForceTable::Point>& points, const char* owner) {
    const auto refuse = [&](const std::string& problem) { throw InvalidParameter(owner, problem); };
    if (points.size() < 2) refuse("table has " + std::to_string(points.size()) + " points; it must have at least 2");
    for (std::size_t i = 0; i < points.size(); ++i) {
        const auto& [travel, force] = points[i];
        const std::string at = "table[" + std::to_string(i) + "] = [" + checks::numberText(travel) + ", " +
                               checks::numberText(force) + "] is not allowed; ";
        if (!(std::abs(travel) <= kLargestParameter && std::abs(force) <= kLargestParameter)) {
            refuse(at + "both numbers must be finite, and not larger than " + checks::numberText(kLargestParameter));
        }
        if (i == 0 && (travel != 0 || force != 0)) refuse(at + "the first point must be [0, 0]");
        if (i > 0 && !(travel > points[i - 1][0] && force > points[i - 1][1])) {
            refuse(at + "travel and force must be larger than those of the point before");
        }
        if (i > 0 && !std::isfinite((force - points[i - 1][1]) / (travel - points[i - 1][0]))) {
            refuse(at + "the slope from the point before must be finite");
        }
    }
}

}  // namespace

ForceTable::ForceTable(std::vector<Point> points, const char* owner) {
    check(points, owner);
    auto data = std::make_shared<Data>();
    const std::size_t count = points.size();
    std::vector<double> widths, secants;
    for (std::size_t i = 0; i + 1 < count; ++i) {
        widths.push_back(points[i + 1][0] - points[i][0]);
        secants.push_back((points[i + 1][1] - points[i][1]) / widths.back());
    }
    data->points = std::move(points);
    data->slopes.assign(count, secants.front());
    if (count > 2) {
        data->slopes.front() = slopeAtEnd(widths[0], secants[0], widths[1], secants[1]);
        data->slopes.back() = slopeAtEnd(widths[count - 2], secants[count - 2], widths[count - 3], secants[count - 3]);
        for (std::size_t i = 1; i + 1 < count; ++i) {
            data->slopes[i] = slopeBetween(widths[i - 1], secants[i - 1], widths[i], secants[i]);
        }
    }
    data->energies.assign(1, 0);
    for (std::size_t i = 0; i < data->pieces(); ++i) {
        data->energies.push_back(data->energies.back() + data->piece(i).energy(1));
        data->largestSlope = std::max(data->largestSlope, data->piece(i).largestSlope());
    }
    m_data = std::move(data);
}

const std::vector<ForceTable::Point>& ForceTable::points() const {
    static const std::vector<Point> none;
    return m_data ? m_data->points : none;
}

double ForceTable::force(double travel) const {
    if (travel < 0) return -force(-travel);
    const Data& data = *m_data;
    if (travel >= data.end()) return data.points.back()[1] + data.slopes.back() * (travel - data.end());
    const Data::Piece piece = data.piece(data.pieceAt(travel));
    return piece.force((travel - piece.begin) / piece.width);
}

double ForceTable::slope(double travel) const {
    const Data& data = *m_data;
    travel = std::abs(travel);
    if (travel >= data.end()) return data.slopes.back();
    const Data::Piece piece = data.piece(data.pieceAt(travel));
    return piece.slope((travel - piece.begin) / piece.width);
}

double ForceTable::energy(double travel) const {
    const Data& data = *m_data;
    travel = std::abs(travel);
    if (travel >= data.end()) {
        const double beyond = travel - data.end();
        return data.energies.back() + beyond * (data.points.back()[1] + 0.5 * data.slopes.back() * beyond);
    }
    const std::size_t i = data.pieceAt(travel);
    const Data::Piece piece = data.piece(i);
    return data.energies[i] + piece.energy((travel - piece.begin) / piece.width);
}

double ForceTable::largestSlope() const {
    return m_data->largestSlope;
}

}  // namespace elasto
