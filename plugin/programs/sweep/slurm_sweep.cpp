#include "exit_codes.h"
#include "interrupt.h"
#include "print.h"
#include "progress.h"
#include "slurm.h"
#include "sweep_options.h"
#include "tool_errors.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <fstream>
#include <map>
#include <optional>

namespace elasto::sweep {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

namespace {

constexpr std::size_t kRunsPerTask = 50;  // Slurm starts some tasks a second: a task must be worth its start
constexpr std::size_t kMostTasks = 1000;  // what a job array may have where nobody has changed Slurm's MaxArraySize

/// Which parts still lack runs.
struct PartsToDo {
    std::vector<std::size_t> parts;
    std::size_t done = 0;  ///< runs
};

std::size_t runsOf(const Job& job, const Shard& shard) {
    return (job.study.sample.runs - shard.index + shard.count - 1) / shard.count;
}

PartsToDo partsToDo(const Job& job, std::size_t count) {
    PartsToDo result;
    for (std::size_t index = 0; index < count; ++index) {
        const Shard shard{index, count};
        const fs::path file = runsFileName(job.csv, shard);
        const std::size_t done = fs::exists(file) ? readRuns(file, job.identity).rows.size() : 0;
        result.done += done;
        if (done < runsOf(job, shard)) result.parts.push_back(index);
    }
    return result;
}

/// Counts the rows that tasks have written, reading only what is new.
class RowCounter {
public:
    RowCounter(const Job& job, std::size_t parts) : m_job(job), m_parts(parts) {}

    std::size_t count() {
        for (std::size_t index = 0; index < m_parts; ++index) {
            const fs::path file = runsFileName(m_job.csv, {index, m_parts});
            if (!fs::is_regular_file(file)) continue;
            std::ifstream stream(file, std::ios::binary);
            if (!stream) continue;
            Counted& part = m_counted[index];
            stream.seekg(part.bytes);
            for (char letter = 0; stream.get(letter); part.bytes += 1) part.lines += letter == '\n' ? 1 : 0;
        }
        std::size_t rows = 0;
        for (const auto& [index, part] : m_counted) rows += part.lines > 0 ? part.lines - 1 : 0;
        return rows;
    }

private:
    struct Counted {
        std::streamoff bytes = 0;
        std::size_t lines = 0;
    };
    const Job& m_job;
    std::size_t m_parts;
    std::map<std::size_t, Counted> m_counted;
};

SlurmTask taskOf(const Job& job, const SweepOptions& options, std::size_t parts) {
    SlurmTask task;
    task.program = fs::read_symlink("/proc/self/exe").string();
    task.arguments = {"sweep", fs::absolute(job.file).string(), "--csv", fs::absolute(job.csv).string(), "--quiet"};
    if (options.job.rate > 0) task.arguments.push_back(fmt::format("--hz={}", options.job.rate));
    if (options.job.duration > 0) task.arguments.push_back(fmt::format("--duration={}", options.job.duration));
    task.parts = parts;
    task.threads = std::max(1, options.threads);
    return task;
}

void removeParts(const Job& job, std::size_t parts) {
    std::error_code ignored;
    for (std::size_t index = 0; index < parts; ++index) {
        fs::remove(runsFileName(job.csv, {index, parts}), ignored);
        fs::remove(taskLogName(job.csv, std::to_string(index + 1)), ignored);
    }
}

/// @return whether it was waited for to the end
bool submitAndWait(const Job& job, const SweepOptions& options, const PartsToDo& toDo, std::size_t parts,
                   Summary& summary) {
    const tools::InterruptGuard guard;
    summary.slurmJob = submitArray(
        sbatchArguments(job.csv, job.file.stem().string(), taskOf(job, options, parts), toDo.parts, options.rest));
    std::optional<tools::Progress> progress;
    if (!options.quiet) progress.emplace("job " + summary.slurmJob);
    RowCounter rows(job, parts);
    Clock::time_point next = Clock::now();
    return waitForArray(summary.slurmJob, options.waitLimit, [&](const QueueState&) {
        if (progress && Clock::now() >= next) {
            const auto left = static_cast<double>(job.study.sample.runs - toDo.done);
            const std::size_t now = std::max(rows.count(), toDo.done);
            progress->update(static_cast<double>(now - toDo.done) / std::max(left, 1.0));
            next = Clock::now() + std::chrono::seconds(1);
        }
        return !tools::InterruptGuard::interrupted();
    });
}

}  // namespace

int slurmSweep(const Job& job, const SweepOptions& options) {
    const std::size_t runs = job.study.sample.runs;
    const std::size_t usual = std::min(kMostTasks, (runs + kRunsPerTask - 1) / kRunsPerTask);
    const std::size_t parts = std::min(runs, options.tasks > 0 ? options.tasks : usual);
    const PartsToDo toDo = partsToDo(job, parts);
    Summary summary;
    summary.before = toDo.done;
    summary.file = job.csv;
    const Clock::time_point start = Clock::now();
    if (!toDo.parts.empty()) summary.interrupted = !submitAndWait(job, options, toDo, parts, summary);
    summary.seconds = std::chrono::duration<double>(Clock::now() - start).count();
    Rows rows;
    for (std::size_t index = 0; index < parts; ++index) {
        const fs::path file = runsFileName(job.csv, {index, parts});
        if (fs::exists(file)) addRows(rows, readRuns(file, job.identity).rows, file);
    }
    summary.done = rows.size() - summary.before;
    summary.missing = missingRuns(job, rows, parts);
    if (summary.missing.empty()) {
        writeTable(job, rows);
        removeParts(job, parts);
    }
    report(job, rows, summary, options);
    if (summary.missing.empty()) return exitCodeOf(job, rows);
    if (summary.interrupted) {
        tools::printMessage("interrupted, job {} is cancelled; {} runs are done, and the same command goes on",
                            summary.slurmJob, rows.size());
        return tools::kInterrupted;
    }
    throw tools::FailureError(
        fmt::format("job {} is over, but {}. What its tasks said is in {}; the same command does the rest",
                    summary.slurmJob, summary.missing, taskLogName(job.csv, "*")));
}

}  // namespace elasto::sweep
