#pragma once
/// @file robots_wheels.h
/// The wheels of `elasto verify robots` as rigid bodies on hinges, with gear pairs between them.

#include "robots_measures.h"

namespace elasto::tools {

/// NRMSE of the worst angle of a wheel [%], where the model's trees have wheels on a fixed base and nothing else.
/// @param untilDivergence compare up to the model's horizon() only
RobotOutcome measureWheels(const RobotModel& model, bool untilDivergence, double rate, const Continue& proceed);

}  // namespace elasto::tools
