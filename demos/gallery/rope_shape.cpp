#include "gallery/rope_shape.h"

#include <algorithm>
#include <cmath>

namespace elasto::gallery {

namespace {

constexpr int kPieces = 24;

/// The u > 0 with sinh(u) = ratio u, for ratio > 1: Newton's iterations come down to it from above.
double steepness(double ratio) {
    double u = std::sqrt(6 * (ratio - 1));  // sinh(u) / u > 1 + u^2 / 6
    for (int i = 0; i < 100; ++i) {
        const double step = (std::sinh(u) - ratio * u) / (std::cosh(u) - ratio);
        u -= step;
        if (!(step > 1e-9 * u)) break;
    }
    return u;
}

}  // namespace

std::vector<Eigen::Vector3d> ropePoints(const Eigen::Vector3d& a, const Eigen::Vector3d& b, double length) {
    const double rise = b.y() - a.y();
    const Eigen::Vector3d across(b.x() - a.x(), 0, b.z() - a.z());
    const double chord = std::sqrt(std::max(length * length - rise * rise, 0.));
    // One that hangs straight down would have its lowest point infinitely sharp.
    const double width = std::max(across.norm(), 1e-3 * chord);
    if (!(chord > (1 + 1e-9) * width)) return {a, b};
    // y = p cosh((x - x0) / p) along the way, from x = 0 to x = width.
    const double u = steepness(chord / width);
    const double p = width / (2 * u);
    const double x0 = width / 2 - p * std::asinh(rise / chord);
    const double begin = p * std::sinh(-x0 / p);  // arc length from the lowest point
    std::vector<Eigen::Vector3d> points;
    for (int i = 0; i <= kPieces; ++i) {
        const double x = x0 + p * std::asinh((begin + length * i / kPieces) / p);
        const double y = p * (std::cosh((x - x0) / p) - std::cosh(x0 / p));
        points.push_back(a + x / width * across + y * Eigen::Vector3d::UnitY());
    }
    return points;
}

}  // namespace elasto::gallery
