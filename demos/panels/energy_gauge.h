#pragma once
/// @file energy_gauge.h
/// Where the energy is, as a bar, and whether it ever rose.

#include "context.h"
#include "curve.h"

namespace elasto::panels {

/// The largest rise of a curve above what it had fallen to before, up to a sample; 0 or more.
double largestRise(const Curve& curve);

/// Rise that rounding explains: the book's sums have this many digits of the largest energy that took part [-].
inline constexpr double kRoundingShare = 1e-9;

/// A bar of what was put into the elements and their bodies: moving, stored, lost; below it whether the energy rose.
/// @param gauge History::energyGauge over time
void drawEnergyGauge(const Context& context, const Curve& gauge);

}  // namespace elasto::panels
