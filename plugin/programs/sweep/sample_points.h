#pragma once
/// @file sample_points.h
/// The parameters' values in each run. A run's values depend on nothing but the study and the run's number, so that
/// any part of a sweep can be run anywhere.

#include "study.h"

#include <vector>

namespace elasto::sweep {

/// As many dimensions as the tables of Joe and Kuo in Boost have.
inline constexpr std::size_t kMostSobolParameters = 3667;

/// Values that a parameter has in a grid.
std::size_t gridCount(const Parameter& parameter);

/// The values of all parameters in run number `run`, counted from 0. Values of ranges are rounded to 12 digits.
std::vector<Value> pointOf(const Study& study, std::size_t run);

/// Number `run` of the point's coordinates in the unit cube, [0, 1): Random and Sobol only.
std::vector<double> unitPoint(const Sample& sample, std::size_t parameters, std::size_t run);

}  // namespace elasto::sweep
