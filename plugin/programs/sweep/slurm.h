#pragma once
/// @file slurm.h
/// Sweeps as job arrays of Slurm.

#include <cstddef>
#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace elasto::sweep {

/// Tasks of an array: "1-3,7", counted from 1. @param parts rising, counted from 0; at least one
std::string arrayText(const std::vector<std::size_t>& parts);

/// The task that one shard of a sweep is for.
struct SlurmTask {
    std::string program;                 ///< elasto, with its whole path
    std::vector<std::string> arguments;  ///< of the sweep, without --shard and -j
    std::size_t parts = 1;               ///< of the sweep
    int threads = 1;                     ///< of each task
};

/// The arguments of sbatch. @param csv the table @param name of the sweep @param parts that lack runs
/// @param options of the user, which come last and so win
std::vector<std::string> sbatchArguments(const std::filesystem::path& csv, const std::string& name,
                                         const SlurmTask& task, const std::vector<std::size_t>& parts,
                                         const std::vector<std::string>& options);

/// What squeue says of a job.
struct QueueState {
    std::size_t waiting = 0;  ///< tasks
    std::size_t running = 0;
    std::string heldReason;  ///< why nothing goes on without somebody's help; empty otherwise

    bool isOver() const { return waiting + running == 0; }
};

/// Reads the output of `squeue -h -r -o '%T|%r'`.
QueueState queueState(std::string_view text);

/// Submits the array. @return the job's number @throws FailureError with what sbatch says
std::string submitArray(const std::vector<std::string>& arguments);

/// Waits until no task is left.
/// @param proceed about every tenth of a second; false ends the waiting and the job
/// @param limit [s] @return false if it was ended
/// @throws FailureError after the limit, or if only tasks are left that Slurm holds; the job is left as it is
bool waitForArray(const std::string& job, double limit, const std::function<bool(const QueueState&)>& proceed);

}  // namespace elasto::sweep
