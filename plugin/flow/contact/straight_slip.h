#pragma once
// Where friction turns the slip of a single point.

#include "contact/tuning.h"

#include <Eigen/Core>

#include <cmath>
#include <numbers>
#include <optional>

namespace elasto::flow {

/// Direction in which slip that has just begun, or comes to rest, goes on: friction turns it until it is driven along
/// itself.
/// @param first where it goes at first, a unit vector
/// @param driven its acceleration by direction of slip, but for its size
/// @return none within a right angle of the first one
template <class Driven>
std::optional<Eigen::Vector2d> straightSlip(const Eigen::Vector2d& first, const Driven& driven) {
    const auto at = [&](double angle) {
        return Eigen::Vector2d(std::cos(angle) * first + std::sin(angle) * Eigen::Vector2d(-first[1], first[0]));
    };
    const auto turning = [&](double angle) {
        const Eigen::Vector2d along = at(angle), by = driven(along);
        return along[0] * by[1] - along[1] * by[0];
    };
    const double side = turning(0);
    if (side == 0) return first;
    const double step = std::copysign(0.5 * std::numbers::pi / kTurnsLooked, side);
    for (int k = 1; k <= kTurnsLooked; ++k) {
        double before = (k - 1) * step, after = k * step;
        if (turning(after) * side > 0) continue;
        for (int halved = 0; halved < kTurnsHalved; ++halved) {
            const double middle = 0.5 * (before + after);
            (turning(middle) * side > 0 ? before : after) = middle;
        }
        return at(after);
    }
    return std::nullopt;
}

}  // namespace elasto::flow
