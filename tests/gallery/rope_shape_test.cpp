// A rope that is drawn hangs in a catenary of its length.

#include "gallery/rope_shape.h"

#include <catch2/catch.hpp>

#include <algorithm>
#include <cmath>

using Eigen::Vector3d;
using elasto::gallery::ropePoints;

namespace {

double lengthOf(const std::vector<Vector3d>& points) {
    double length = 0;
    for (std::size_t i = 1; i < points.size(); ++i) length += (points[i] - points[i - 1]).norm();
    return length;
}

}  // namespace

TEST_CASE("a taut rope is straight") {
    const Vector3d a(1, 2, 3), b(2, 0, 1);
    CHECK(ropePoints(a, b, 3) == std::vector<Vector3d>{a, b});
    CHECK(ropePoints(a, b, 2.9) == std::vector<Vector3d>{a, b});
}

TEST_CASE("a slack rope hangs from end to end with all of its length") {
    const Vector3d a(1, 2, 3);
    for (const Vector3d& b : {Vector3d(2, 0, 1), Vector3d(2, 2, 3), Vector3d(1, 0.5, 3), Vector3d(1, 2, 3)}) {
        for (const double slack : {0.001, 0.3, 5.}) {
            CAPTURE(b.transpose(), slack);
            const double length = (b - a).norm() + slack;
            const std::vector<Vector3d> points = ropePoints(a, b, length);
            CHECK((points.front() - a).norm() < 1e-9);
            CHECK((points.back() - b).norm() < 2e-3 * length);  // one that hangs straight down is a little open
            // Chords are shorter than the arcs, most where it turns back on itself.
            CHECK(lengthOf(points) <= length * (1 + 1e-9));
            CHECK(lengthOf(points) > 0.95 * length);
            const auto lowest = std::min_element(points.begin(), points.end(),
                                                 [](const auto& p, const auto& q) { return p.y() < q.y(); });
            CHECK(lowest->y() <= std::min(a.y(), b.y()) + 1e-9);
        }
    }
}

TEST_CASE("the lowest point of a catenary is where the book has it") {
    // Ends 2 m apart at one height, sag by the parameter p: length 2 p sinh(1/p), sag p (cosh(1/p) - 1), at p = 1.
    const std::vector<Vector3d> points = ropePoints({-1, 0, 0}, {1, 0, 0}, 2 * std::sinh(1.));
    CHECK(points[points.size() / 2].x() == Approx(0).margin(1e-9));
    CHECK(points[points.size() / 2].y() == Approx(1 - std::cosh(1.)));
}
