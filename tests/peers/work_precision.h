#pragma once
/// @file work_precision.h
/// Error over processor time of a frame.

#include "peer.h"
#include "plan.h"

#include <filesystem>

namespace elasto::peers {

/// Measures all cases, writes work_precision.csv and a picture per case into the folder, prints tables in Markdown.
/// @param format of the pictures, "svg" or "png"
/// @return whether all targets are met
bool runWorkPrecision(const Plan& plan, const std::filesystem::path& cases, const Peers& peers,
                      const std::filesystem::path& output, const std::string& format);

}  // namespace elasto::peers
