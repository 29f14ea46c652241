#include "tree/tree_rotation.h"

#include "numerics/elementary.h"

#include <cmath>

namespace elasto::flow {

Eigen::Quaterniond quaternionOf(const Eigen::Vector3d& r) {
    const double square = r.squaredNorm();
    if (square < 1e-8) {
        // sin(x)/x and cos(x) of half the angle, to 1e-18
        const double share = 0.5 - square / 48 + square * square / 3840;
        const double real = 1 - square / 8 + square * square / 384;
        return {real, share * r.x(), share * r.y(), share * r.z()};
    }
    const double angle = std::sqrt(square);
    const double share = elementary::sin(0.5 * angle) / angle;
    return {elementary::cos(0.5 * angle), share * r.x(), share * r.y(), share * r.z()};
}

Eigen::Vector3d rotationVectorRate(const Eigen::Vector3d& r, const Eigen::Vector3d& spin, int side) {
    const double square = r.squaredNorm();
    double share = 1. / 12 + square / 720 + square * square / 30240;
    if (square > 1e-3) {
        const double half = 0.5 * std::sqrt(square);
        share = (1 - half * elementary::cos(half) / elementary::sin(half)) / square;
    }
    const Eigen::Vector3d turned = r.cross(spin);
    return spin + 0.5 * side * turned + share * r.cross(turned);
}

}  // namespace elasto::flow
