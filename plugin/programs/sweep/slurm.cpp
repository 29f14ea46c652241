#include "slurm.h"

#include "child_program.h"
#include "job.h"
#include "tool_errors.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <thread>

namespace elasto::sweep {

using tools::FailureError;
using Clock = std::chrono::steady_clock;

namespace {

constexpr auto kStep = std::chrono::milliseconds(100);
constexpr auto kLongestPause = std::chrono::seconds(3);  // between two questions: squeue is felt by the whole cluster

std::string trimmed(const std::string& text) {
    const std::size_t end = text.find_last_not_of(" \n\r\t");
    return text.substr(0, end == std::string::npos ? 0 : end + 1);
}

/// The name of a task's log as sbatch wants it: % has a meaning there.
std::string outputPattern(const std::filesystem::path& csv) {
    std::string name;
    for (const char letter : std::filesystem::absolute(csv).string())
        name += letter == '%' ? "%%" : std::string(1, letter);
    return taskLogName(name, "%a");
}

/// What the queue has of the job. A controller that does not answer for a while is asked again later.
bool askQueue(const std::string& job, QueueState& state) {
    const ChildResult result = runChild({"squeue", "-h", "-r", "-j", job, "-o", "%T|%r"});
    if (result.code == 0) {
        state = queueState(result.output);
        return true;
    }
    // Jobs are forgotten some minutes after their end.
    if (result.errors.find("Invalid job id") == std::string::npos) return false;
    state = QueueState();
    return true;
}

}  // namespace

std::string arrayText(const std::vector<std::size_t>& parts) {
    std::string text;
    for (std::size_t i = 0; i < parts.size();) {
        std::size_t end = i + 1;
        while (end < parts.size() && parts[end] == parts[end - 1] + 1) ++end;
        text += (text.empty() ? "" : ",") + std::to_string(parts[i] + 1);
        if (end > i + 1) text += "-" + std::to_string(parts[end - 1] + 1);
        i = end;
    }
    return text;
}

std::vector<std::string> sbatchArguments(const std::filesystem::path& csv, const std::string& name,
                                         const SlurmTask& task, const std::vector<std::size_t>& parts,
                                         const std::vector<std::string>& options) {
    std::string command = "exec " + shellWord(task.program);
    for (const std::string& argument : task.arguments) command += " " + shellWord(argument);
    command += fmt::format(" -j {} --shard \"$SLURM_ARRAY_TASK_ID/{}\"", task.threads, task.parts);
    std::vector<std::string> arguments = {"sbatch",
                                          "--parsable",
                                          "--requeue",
                                          "--array=" + arrayText(parts),
                                          "--job-name=elasto-" + name,
                                          fmt::format("--cpus-per-task={}", task.threads),
                                          "--output=" + outputPattern(csv),
                                          "--open-mode=append"};
    arguments.insert(arguments.end(), options.begin(), options.end());
    arguments.push_back("--wrap=" + command);
    return arguments;
}

QueueState queueState(std::string_view text) {
    QueueState state;
    std::size_t held = 0;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        const std::string_view line = text.substr(0, end);
        text.remove_prefix(std::min(end + 1, text.size()));
        const std::size_t bar = line.find('|');
        if (bar == std::string_view::npos) continue;
        if (line.substr(0, bar) != "PENDING") {
            ++state.running;
            continue;
        }
        ++state.waiting;
        // JobHeldUser, JobHeldAdmin, "launch failed requeued held"
        const std::string_view reason = line.substr(bar + 1);
        if (reason.find("Held") == std::string_view::npos && reason.find("held") == std::string_view::npos) continue;
        ++held;
        state.heldReason = reason;
    }
    if (state.running > 0 || held < state.waiting) state.heldReason.clear();
    return state;
}

std::string submitArray(const std::vector<std::string>& arguments) {
    const ChildResult result = runChild(arguments);
    if (result.code != 0) throw FailureError("sbatch failed: " + trimmed(result.errors));
    // "12" or, of a cluster among several, "12;name"
    const std::string job = result.output.substr(0, result.output.find_first_not_of("0123456789"));
    if (job.empty()) throw FailureError("sbatch gave no job number: " + trimmed(result.output));
    return job;
}

bool waitForArray(const std::string& job, double limit, const std::function<bool(const QueueState&)>& proceed) {
    const Clock::time_point start = Clock::now();
    QueueState state;
    state.waiting = 1;
    Clock::duration pause = kStep;
    for (Clock::time_point next = start;;) {
        const Clock::time_point now = Clock::now();
        if (now >= next) {
            if (askQueue(job, state) && state.isOver()) return true;
            next = now + pause;
            pause = std::min<Clock::duration>(2 * pause, kLongestPause);
        }
        if (!state.heldReason.empty()) {
            throw FailureError(fmt::format(
                "job {}: Slurm holds its last {} tasks ({}); scontrol release {} lets them go on, scancel {} ends them",
                job, state.waiting, state.heldReason, job, job));
        }
        if (std::chrono::duration<double>(now - start).count() > limit) {
            throw FailureError(
                fmt::format("job {} is not done after {:g} s: {} tasks run, {} wait; it goes on. --merge joins what is "
                            "done, scancel {} ends it",
                            job, limit, state.running, state.waiting, job));
        }
        if (!proceed(state)) {
            runChild({"scancel", job});
            return false;
        }
        std::this_thread::sleep_for(kStep);
    }
}

}  // namespace elasto::sweep
