#pragma once
// Where a polynomial first falls below zero, without missing a shallow or a short dip: its Bernstein coefficients bound
// it from below on the whole interval.

#include <array>
#include <cstddef>

namespace elasto::flow {

/// Order of the Taylor series.
inline constexpr std::size_t kOrder = 14;

/// Coefficients of 1, x, x^2, ... on 0 <= x <= 1.
using UnitPolynomial = std::array<double, kOrder + 1>;

/// What firstCrossingOf returns when there is none.
inline constexpr double kNoCrossing = -1;

/// First x in [0, 1] at which the polynomial, which is >= 0 at x = 0, falls below -tolerance; the x of its zero is
/// returned. Dips that are shallower than the tolerance are taken for touches: no fall.
double firstCrossingOf(const UnitPolynomial& polynomial, double tolerance);

}  // namespace elasto::flow
