#pragma once
// Where a smooth function first falls through zero, from a few samples.

#include <array>
#include <optional>

namespace elasto::flow {

/// Places in [0, 1] at which firstCrossing wants the function: the extrema of a Chebyshev polynomial, so that the
/// polynomial through the samples does not swing between them.
inline constexpr int kCrossingSamples = 7;
const std::array<double, kCrossingSamples>& crossingNodes();

/// A fall through zero of a function on [0, 1].
struct ZeroCrossing {
    double at = 0;     ///< in [0, 1]
    double slope = 0;  ///< derivative there
};

/// First place where the polynomial through the samples becomes negative; nothing if it does not.
///
/// Its Bernstein coefficients decide, which bound it on the whole interval: a dip between the samples is not missed.
/// A negative first sample counts as 0: the function starts on its zero but for rounding, and falls at once only if its
/// slope is negative there. Dips that are not deeper than `noise`, or than 1e-12 of the largest coefficient, are
/// rounding.
std::optional<ZeroCrossing> firstCrossing(std::array<double, kCrossingSamples> samples, double noise = 0);

/// The same for a parabola, by its Bernstein coefficients: its values at both ends and, between, where its tangents
/// there meet.
std::optional<ZeroCrossing> crossingOfParabola(double start, double middle, double end, double noise = 0);

}  // namespace elasto::flow
