#pragma once
/// @file robot_run.h
/// `elasto run` of a robot.

#include "run_options.h"
#include "scene_input.h"

namespace elasto::tools {

/// Runs it as scenes are run. @return an ExitCode
int runRobot(const SceneInput& input, const RunOptions& options);

}  // namespace elasto::tools
