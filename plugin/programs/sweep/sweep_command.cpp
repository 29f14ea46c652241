#include "commands.h"
#include "exit_codes.h"
#include "interrupt.h"
#include "job.h"
#include "options.h"
#include "print.h"
#include "progress.h"
#include "sweep_options.h"
#include "tool_errors.h"
#include "workers.h"

#include <elasto/precision.h>
#include <elasto/version.h>
#include <fmt/format.h>

#include <chrono>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <vector>

namespace elasto::tools {

namespace {

using sweep::Job;
using sweep::Rows;
using sweep::Shard;
using sweep::Summary;
using sweep::SweepOptions;
using Clock = std::chrono::steady_clock;

/// "3/10": part 3 of 10.
Shard parseShard(const std::string& text) {
    Shard shard;
    char end = 0;
    const int count = std::sscanf(text.c_str(), "%zu/%zu%c", &shard.index, &shard.count, &end);
    if (count != 2 || text.find('-') != std::string::npos || !sweep::isShard(shard.index, shard.count)) {
        throw InputError(
            fmt::format("--shard: '{}' is not allowed; it must be i/n with 1 <= i <= n <= {}, such as 3/10", text,
                        sweep::kMostRuns));
    }
    --shard.index;
    return shard;
}

/// Does the runs of a shard that are not there yet. @return whether it came to its end
bool doMissing(const Job& job, const Shard& shard, sweep::RunsFile& file, Rows& rows, Summary& summary,
               const SweepOptions& options) {
    std::vector<std::size_t> runs;
    for (std::size_t run = shard.index; run < job.study.sample.runs; run += shard.count) {
        if (rows.count(run) == 0) runs.push_back(run);
    }
    summary.before = rows.size();
    std::optional<Progress> progress;
    if (!options.quiet) progress.emplace("sweep");
    const Clock::time_point start = Clock::now();
    Clock::time_point synced = start;
    const bool isWhole = sweep::doRuns(
        job.study, job.base, runs, summary.threads,
        {.done =
             [&](std::size_t run, const std::string& row) {
                 file.append(row);
                 rows.emplace(run, row);
                 ++summary.done;
             },
         .proceed =
             [&] {
                 if (progress) progress->update(static_cast<double>(summary.done) / static_cast<double>(runs.size()));
                 const Clock::time_point now = Clock::now();
                 if (now - synced > std::chrono::seconds(1)) {
                     file.sync();
                     synced = now;
                 }
                 return !InterruptGuard::interrupted();
             }});
    file.sync();
    summary.seconds = std::chrono::duration<double>(Clock::now() - start).count();
    return isWhole;
}

int runSweep(const Job& job, const SweepOptions& options) {
    const Shard shard = options.shard.empty() ? Shard() : parseShard(options.shard);
    Summary summary;
    summary.threads =
        options.threads > 0 ? options.threads : std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
    summary.file = sweep::runsFileName(job.csv, shard);
    const InterruptGuard guard;
    Rows rows;
    {
        sweep::RunsFile file(summary.file, job.identity, shard);
        rows = file.rows();
        summary.interrupted = !doMissing(job, shard, file, rows, summary, options);
    }
    if (summary.interrupted) {
        summary.missing = sweep::missingRuns(job, rows, 1);
        sweep::report(job, rows, summary, options);
        printMessage("interrupted; {} holds the {} runs so far, and the same command goes on", summary.file.string(),
                     rows.size());
        return kInterrupted;
    }
    if (shard.count == 1) {
        sweep::writeTable(job, rows);
        std::error_code ignored;
        std::filesystem::remove(summary.file, ignored);
        summary.file = job.csv;
    }
    sweep::report(job, rows, summary, options);
    return sweep::exitCodeOf(job, rows);
}

int sweepCommand(const SweepOptions& options) {
    if (!options.merge && !options.slurm && !options.rest.empty()) {
        throw InputError(
            fmt::format("'{}' is not allowed; files of runs belong to --merge, options of sbatch to --slurm",
                        options.rest.front()));
    }
    if ((options.merge ? 1 : 0) + (options.slurm ? 1 : 0) + (options.shard.empty() ? 0 : 1) > 1) {
        throw InputError("--shard, --merge and --slurm exclude each other");
    }
    if (options.job.csv == "-") throw InputError("--csv: '-' is not allowed; it must be a file");
    const Job job = sweep::loadJob(options.job);
    return options.merge   ? sweep::mergeSweep(job, options)
           : options.slurm ? sweep::slurmSweep(job, options)
                           : runSweep(job, options);
}

void addSweepCommand(CLI::App& app, Action& action) {
    auto options = std::make_shared<SweepOptions>();
    options->job.precision = kPrecision;
    options->job.version = version();
    CLI::App* command = app.add_subcommand("sweep", "Run a scene with many values of its parameters");
    command->add_option("SWEEP", options->job.sweep, "Sweep file, or name of a sweep that comes with Elasto")
        ->required();
    command->add_option("REST", options->rest,
                        "--merge: files of runs, default those beside the table. --slurm: options of sbatch, after --");
    command->add_option("--csv", options->job.csv, "Table to write, one row per run; default: name of the sweep.csv")
        ->check(fileName());
    command->add_option("-j,--threads", options->threads, "Threads; default: as many as there are processors")
        ->check(countUpTo(1024));
    command->add_option("--hz", options->job.rate, "Ticks per second [Hz]; default: the sweep's")->check(tickRate());
    command->add_option("--duration", options->job.duration, "Simulated time of a run [s]; default: the sweep's")
        ->check(numberAbove(0));
    command->add_option("--shard", options->shard, "i/n: do only part i of n; the parts are joined by --merge")
        ->check(CLI::Validator(
            [](std::string& text) {
                return text.empty() ? std::string("'' is not allowed; it must be i/n with 1 <= i <= n, such as 3/10")
                                    : std::string();
            },
            ""));
    command->add_flag("--merge", options->merge, "Join the parts, or say what is missing (exit code 1)");
    CLI::Option* slurm =
        command->add_flag("--slurm", options->slurm, "Do it as a job array of Slurm: submit, wait, merge");
    command->add_option("--tasks", options->tasks, "Slurm: tasks of the array; default: one per 50 runs, at most 1000")
        ->check(countUpTo(1'000'000))
        ->needs(slurm);
    command->add_option("--wait-limit", options->waitLimit, "Slurm: how long to wait [s]; the job goes on after it")
        ->check(numberAbove(0))
        ->needs(slurm)
        ->capture_default_str();
    command->add_flag("--quiet", options->quiet, "No progress bar and no summary");
    command->add_flag("--json", options->json, "Print a JSON summary");
    command->footer(
        "After a kill at any moment or Ctrl-C the same command goes on where it was. The table is the same, byte for\n"
        "byte, whatever the number of threads and parts. A run that fails is a row with its reason; exit code 1 where "
        "some did, 4 where all did.\n"
        "Examples: elasto sweep stop_map -j 4 --csv stop_map.csv\n"
        "          elasto sweep stop_map --slurm --tasks 20 -- --partition=short --time=10");
    command->callback([options, &action] { action = [options] { return sweepCommand(*options); }; });
}

const MoreCommand kSweep(addSweepCommand);

}  // namespace

}  // namespace elasto::tools
