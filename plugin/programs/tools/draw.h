#pragma once
/// @file draw.h
/// Runs gnuplot.

#include <filesystem>
#include <functional>
#include <string>

#include "gnuplot_script.h"

namespace elasto::tools {

/// Draws the picture as a file whose ending (.svg or .png) says its format; "complete or not at all" as OutputFile.
/// @param keepScript also writes `<file>.gp`, which draws the same picture when it is given to gnuplot
/// @throws FailureError if gnuplot is not installed or fails, FileError if a file cannot be written, IoError if /tmp
/// cannot
void draw(const Picture& picture, const std::filesystem::path& file, bool keepScript);

/// A script as gnuplotScript makes it: its picture goes to `output`, or to the standard output if that is empty.
using MakeScript = std::function<std::string(bool png, const std::string& output)>;
/// The same for other pictures.
void drawScript(const MakeScript& script, const std::filesystem::path& file, bool keepScript);

}  // namespace elasto::tools
