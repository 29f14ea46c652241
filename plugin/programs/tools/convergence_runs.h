#pragma once
/// @file convergence_runs.h
/// Runs a scene of one element by Elasto and by Bullet's own ways, at several tick rates.

#include <elasto/scene/description.h>

#include <functional>

#include "convergence.h"

namespace elasto::tools {

/// Compares at the ticks of the lowest rate, which all rates share.
/// @param rates [Hz], rising, whole multiples of the first
/// @param onProgress gets the share that is done; returning false ends the work, and the result is incomplete
/// @throws InputError, with the reason, where the scene has no oracle to compare with or not one element, or is too
///         short for the lowest rate
Convergence measureConvergence(const Scene& scene, const std::vector<double>& rates,
                               const std::function<bool(double)>& onProgress);

}  // namespace elasto::tools
