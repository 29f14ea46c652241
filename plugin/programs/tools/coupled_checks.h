#pragma once
/// @file coupled_checks.h
/// Numbers out of a run.

#include <elasto/reference/trajectory.h>

#include <string>
#include <vector>

#include "coupled_plan.h"

namespace elasto::tools {

/// What a run leaves to be judged.
struct CoupledRun {
    Trajectory signals;          ///< those that the checks speak of
    std::vector<double> energy;  ///< per row: kinetic, potential, stored and heat of the elements [J]
    Trajectory oracle;           ///< the same rows, if a check needs it
    Trajectory withoutElements;  ///< likewise
    std::vector<bool> isHanded;  ///< per row: a network with contacts was ours in the tick, or in the one before
};

/// What a check found.
struct CoupledValue {
    double value = 0;    ///< [measureUnit]
    std::string signal;  ///< the worst one
};

/// Whether a check compares with the oracle.
bool needsOracle(const CoupledCheck& check);

/// @throws InputError if no signal fits, or the oracle has not what is needed
CoupledValue evaluate(const CoupledCheck& check, const CoupledRun& run);

}  // namespace elasto::tools
