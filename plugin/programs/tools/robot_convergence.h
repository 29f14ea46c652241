#pragma once
/// @file robot_convergence.h
/// Runs a robot scene at several tick rates, and compares them with a run of much smaller ticks.

#include <elasto/robot/robot_scene.h>

#include <functional>

#include "convergence.h"

namespace elasto::tools {

/// There is no other program that knows all that a robot has, so that the reference is the robot's own run at four
/// times the highest rate: it tells what the tick changes, and not what all rates get wrong alike. Errors are those of
/// the worst coordinate: of joints, and of a free base's place. Runs are compared at the ticks of the lowest rate.
/// @param rates [Hz], rising, whole multiples of the first
/// @param onProgress gets the share that is done; returning false ends the work, and the result is incomplete
/// @throws InputError, with the reason, where nothing moves or the scene is too short for the lowest rate
Convergence measureRobotConvergence(const RobotScene& scene, const std::vector<double>& rates,
                                    const std::function<bool(double)>& onProgress);

}  // namespace elasto::tools
