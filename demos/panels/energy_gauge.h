#pragma once
/// @file energy_gauge.h
/// Where the energy is, as a bar, and whether it ever rose.

#include "context.h"
#include "curve.h"

namespace elasto::panels {

/// The largest rise of a curve above what it had fallen to before, up to a sample; 0 or more.
double largestRise(const Curve& curve);

/// Whether motors add to the energy: Bullet does not tell their work.
bool isDriven(const Scene& scene);

/// Rise that rounding explains: the book's sums have this many digits of the largest energy that took part [-].
inline constexpr double kRoundingShare = 1e-9;

/// Whether the energy rose.
struct EnergyVerdict {
    double rise = 0;  ///< largestRise() [J]
    double size = 0;  ///< of the largest energy that took part [J]
    bool isRounding() const { return rise <= kRoundingShare * size; }
};
/// @param gauge History::energyGauge over time
/// @param book  at its end
EnergyVerdict judge(const Curve& gauge, const EnergyBook& book);

/// Says at the right of what is left, after the word energy, whether it rose: "never rose".
void drawEnergyVerdict(const Context& context, const Curve& gauge);
/// A bar of what was put into the elements and their bodies: moving, stored, turned to heat, lost.
void drawEnergyGauge(const Context& context);

}  // namespace elasto::panels
