#pragma once
/// @file swing_command.h
/// `elasto verify swing`: the links and joints of robots' files against the oracle.

#include <elasto/robot/description.h>

#include "robots_models.h"
#include "suite_command.h"

namespace elasto::tools {

/// Name of the suite on the command line.
inline constexpr const char* kSwingSuite = "swing";

/// What is left of a robot for its swing: joints of one coordinate, without limits, damping, friction, springs, motors,
/// and without the gears that couple them. Other joints are held.
RobotDescription bareRobot(RobotDescription robot);

/// How the joints of a robot begin: each somewhere else, within its range, at most 1 rad (0.1 m) from the range's
/// middle, and with up to 1 rad/s (0.1 m/s), so that those that gravity does not move swing, too.
struct SwingStart {
    std::vector<double> q;  ///< as many as joints [rad, m]
    std::vector<double> v;  ///< [rad/s, m/s]
};
SwingStart swingStart(const RobotDescription& robot);

/// A bare robot, made for the oracle straight from what its file says, on a fixed base under gravity.
/// @throws InputError if no joint moves
RobotModel swingModel(const RobotDescription& bare, const SwingStart& start);

/// @param options cases are robots' files, by default those that come with Elasto
/// @return an ExitCode
/// @throws RobotError, FileError, InputError
int verifySwing(const SuiteOptions& options);

}  // namespace elasto::tools
