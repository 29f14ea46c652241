#pragma once
/// @file job.h
/// A sweep that is to be done: its file, its scene and where its table goes.

#include "base_scene.h"
#include "runs_file.h"
#include "study.h"

#include <filesystem>
#include <string>

namespace elasto::sweep {

struct JobOptions {
    std::string sweep;      ///< file, or name of a sweep that comes with Elasto
    double rate = 0;        ///< [Hz]; 0: the sweep's
    double duration = 0;    ///< [s]; 0: the sweep's
    std::string csv;        ///< empty: the sweep's name with .csv, in the current folder
    std::string precision;  ///< of the program
    std::string version;
};

struct Job {
    std::filesystem::path file;
    Study study;
    BaseScene base;
    Identity identity;
    std::filesystem::path csv;
};

/// Reads and checks all that can be checked before the first run.
/// @throws SceneError, RobotError, InputError, IoError, FileError
Job loadJob(const JobOptions& options);

/// How many of the rows say that their run failed.
std::size_t failedRuns(const Job& job, const Rows& rows);

/// Writes the table of all rows, in the order of their runs; whole or not at all. @throws FileError
void writeTable(const Job& job, const Rows& rows);

/// Which runs are missing, and in which of so many parts: "3 of 10 runs are missing: ...". Empty if none is.
std::string missingRuns(const Job& job, const Rows& rows, std::size_t parts);

/// Where a task of a job array writes what it says: `out.csv.task-3.log`.
std::string taskLogName(const std::filesystem::path& csv, const std::string& task);

/// The rows of several files of runs, and of how many parts they are.
struct MergedRuns {
    Rows rows;
    std::size_t parts = 1;
};

/// Reads files of runs. @param files empty: all that lie beside the table
/// @throws InputError, IoError as readRuns, or if there is no such file
MergedRuns mergeRuns(const Job& job, const std::vector<std::filesystem::path>& files);

}  // namespace elasto::sweep
