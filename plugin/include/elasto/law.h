#pragma once
/// @file law.h
/// Any force law.

#include <elasto/elasto_backlash_law.h>
#include <elasto/elasto_gap_law.h>
#include <elasto/spring_damper_law.h>
#include <elasto/spring_damper_series_law.h>

#include <variant>

namespace elasto {

/// Any force law that the flow can integrate.
using Law = std::variant<SpringDamperLaw, ElastoGapLaw, ElastoBacklashLaw, SpringDamperSeriesLaw>;

/// Force of any law. @param s_damper used by SpringDamperSeries only
ForceTerms evaluate(const Law& law, double s, double v, double s_damper);
/// Stored energy of any law [J]. @param s_damper used by SpringDamperSeries only
double storedEnergy(const Law& law, double s, double s_damper);
/// Modelica's lossPower of any law [W].
double lossPower(const Law& law, double s, double v, double s_damper);
/// Power that closes the energy balance [W]; see the laws.
double dissipatedPower(const Law& law, double s, double v, double s_damper);

}  // namespace elasto
