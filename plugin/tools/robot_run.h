#pragma once
/// @file robot_run.h
/// `elasto run` of a robot.

#include <filesystem>

#include "run_options.h"

namespace elasto::tools {

/// Runs it as scenes are run. @param file of a robot (robot_file.h) @return an ExitCode
int runRobot(const std::filesystem::path& file, const RunOptions& options);

}  // namespace elasto::tools
