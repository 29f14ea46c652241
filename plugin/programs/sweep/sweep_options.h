#pragma once
/// @file sweep_options.h
/// What `elasto sweep` was asked for, and its summary.

#include "job.h"

#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

namespace elasto::sweep {

struct SweepOptions {
    JobOptions job;
    int threads = 0;  ///< 0: as many as there are processors; of a task of Slurm: 1
    std::string shard;
    bool merge = false;
    bool slurm = false;
    std::size_t tasks = 0;      ///< of the job array; 0: by the number of runs
    double waitLimit = 86'400;  ///< [s]
    bool quiet = false;
    bool json = false;
    std::vector<std::string> rest;  ///< merge: files of runs; slurm: options of sbatch
};

struct Summary {
    std::size_t before = 0;  ///< runs that were done already
    std::size_t done = 0;    ///< runs done now
    double seconds = 0;      ///< for them
    int threads = 0;         ///< 0: not told
    std::string slurmJob;    ///< its number
    bool interrupted = false;
    std::string missing;
    std::filesystem::path file;  ///< that holds the rows
};

/// Prints the summary, or nothing if the options say so.
void report(const Job& job, const Rows& rows, const Summary& summary, const SweepOptions& options);
/// A run that fails is a row, and the answer to the sweep is no; where none has done well the sweep has failed. Says
/// why the first one did. @return an ExitCode
int exitCodeOf(const Job& job, const Rows& rows);

/// `elasto sweep --merge`. @return an ExitCode @throws InputError, IoError, FileError
int mergeSweep(const Job& job, const SweepOptions& options);

/// `elasto sweep --slurm`: submits what is not done yet, waits and merges. @return an ExitCode
/// @throws FailureError if Slurm is missing or fails, or runs are missing in the end
int slurmSweep(const Job& job, const SweepOptions& options);

}  // namespace elasto::sweep
