#pragma once
/// @file energy_gauge.h
/// Where the energy is, as a bar, and whether it ever rose.

#include "context.h"
#include "curve.h"
#include "signals.h"

#include <algorithm>

namespace elasto::panels {

/// The largest rise of a curve above what it had fallen to before, up to a sample; 0 or more.
double largestRise(const Curve& curve);

/// Rise that rounding explains: the book's sums have this many digits of the largest energy that took part [-].
inline constexpr double kRoundingShare = 1e-9;
/// Less than this is nothing, whatever it is a share of [J].
inline constexpr double kNothing = 1e-15;

/// Whether the energy rose, and whether Bullet's joints and contacts gave what it rose by.
struct EnergyVerdict {
    double rise = 0;  ///< largestRise() of the gauge [J]
    double own = 0;   ///< the same without what joints and contacts gave that Bullet solved [J]
    double size = 0;  ///< of the largest energy that took part so far [J]
    bool isRounding() const { return isRounding(rise); }
    bool isBullets() const { return !isRounding(rise) && isRounding(own); }

private:
    bool isRounding(double value) const { return value <= std::max(kRoundingShare * size, kNothing); }
};
EnergyVerdict judge(const EnergyCurves& energy);

/// Says at the right of what is left, after the word energy, whether it rose: "never rose".
void drawEnergyVerdict(const Context& context, const EnergyCurves& energy);
/// A bar of what was put into the elements and their bodies: moving, stored, turned to heat, lost.
void drawEnergyGauge(const Context& context);

}  // namespace elasto::panels
