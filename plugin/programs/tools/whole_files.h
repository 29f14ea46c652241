#pragma once
/// @file whole_files.h
/// Result files of a run that are written as a whole when it has ended.

#include <elasto/reference/trajectory.h>
#include <elasto/scene/output_file.h>

#include <optional>
#include <vector>

#include "mat_file.h"
#include "run_options.h"

namespace elasto::tools {

class WholeFiles {
public:
    /// It is known at once whether they can be written.
    /// @throws FileError if a file cannot be created, InputError if a run of so many rows and signals does not fit
    WholeFiles(const RunOptions& options, double rows, double signals);
    /// Writes those that are asked for. @throws FileError
    void write(const Trajectory& run, const std::vector<ResultConstant>& constants);

private:
    std::optional<MatFile> m_mat;
    std::optional<OutputFile> m_table;
};

}  // namespace elasto::tools
