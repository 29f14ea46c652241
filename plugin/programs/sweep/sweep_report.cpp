#include "exit_codes.h"
#include "json_output.h"
#include "print.h"
#include "row_text.h"
#include "sweep_options.h"

#include <fmt/format.h>

namespace elasto::sweep {

namespace {

/// "1 run", "2 runs"
std::string counted(std::size_t count, const char* what) {
    return fmt::format("{} {}{}", count, what, count == 1 ? "" : "s");
}

void printSummary(const Job& job, const Rows& rows, const Summary& summary) {
    std::string text = fmt::format("{}: {}", job.file.stem().string(), counted(rows.size(), "run"));
    if (summary.before > 0) text += fmt::format(", {} of them done before", summary.before);
    if (summary.done > 0) text += fmt::format(" in {:.3g} s", summary.seconds);
    if (summary.done > 0 && summary.threads > 0) {
        text += " on " + counted(static_cast<std::size_t>(summary.threads), "thread");
    }
    if (!summary.slurmJob.empty()) text += " as job " + summary.slurmJob;
    const std::size_t failed = failedRuns(job, rows);
    if (failed > 0) text += fmt::format(", {} failed (the last column says why)", failed);
    tools::printText("{}; {}\n", text, summary.file.string());
}

void printJsonSummary(const Job& job, const Rows& rows, const Summary& summary) {
    tools::Json json;
    json["sweep"] = job.file.string();
    json["precision"] = job.identity.precision;
    json["runs"] = job.study.sample.runs;
    json["doneBefore"] = summary.before;
    json["done"] = summary.done;
    json["failed"] = failedRuns(job, rows);
    json["threads"] = summary.threads;
    json["seconds"] = summary.seconds;
    json["slurmJob"] = summary.slurmJob;
    json["interrupted"] = summary.interrupted;
    json["missing"] = summary.missing;
    json["file"] = summary.file.string();
    tools::printJson(json);
}

}  // namespace

void report(const Job& job, const Rows& rows, const Summary& summary, const SweepOptions& options) {
    if (options.json) {
        printJsonSummary(job, rows, summary);
    } else if (!options.quiet && !summary.interrupted && summary.missing.empty()) {
        printSummary(job, rows, summary);
    }
}

int exitCodeOf(const Job& job, const Rows& rows) {
    if (rows.empty() || failedRuns(job, rows) < rows.size()) return tools::kOk;
    tools::printMessage("all {} failed; the first: {}", counted(rows.size(), "run"),
                        reasonOf(job.study, rows.begin()->second));
    return tools::kFailed;
}

int mergeSweep(const Job& job, const SweepOptions& options) {
    const std::vector<std::filesystem::path> files(options.rest.begin(), options.rest.end());
    const MergedRuns merged = mergeRuns(job, files);
    Summary summary;
    summary.before = merged.rows.size();
    summary.missing = missingRuns(job, merged.rows, merged.parts);
    summary.file = job.csv;
    if (summary.missing.empty()) writeTable(job, merged.rows);
    report(job, merged.rows, summary, options);
    if (summary.missing.empty()) return exitCodeOf(job, merged.rows);
    tools::printMessage("{}", summary.missing);
    return tools::kDifferent;
}

}  // namespace elasto::sweep
