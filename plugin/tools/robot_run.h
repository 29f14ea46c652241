#pragma once
/// @file robot_run.h
/// `elasto run` of a robot.

#include <filesystem>

#include "run_options.h"

namespace elasto::tools {

/// True for a URDF file and for a scene file that names a robot.
bool isRobot(const std::filesystem::path& file);
/// Runs it as scenes are run. @return an ExitCode
int runRobot(const std::filesystem::path& file, const RunOptions& options);

}  // namespace elasto::tools
