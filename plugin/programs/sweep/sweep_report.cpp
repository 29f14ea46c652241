#include "exit_codes.h"
#include "json_output.h"
#include "print.h"
#include "row_text.h"
#include "sweep_options.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace elasto::sweep {

namespace {

/// "1 run", "2 runs"
std::string counted(std::size_t count, const char* what) {
    return fmt::format("{} {}{}", count, what, count == 1 ? "" : "s");
}

/// What is doubtful of runs, and of how many: those of most runs first.
std::vector<std::pair<std::string, std::size_t>> doubtfulRuns(const Job& job, const Rows& rows) {
    std::map<std::string, std::size_t> counts;
    for (const auto& [run, row] : rows) {
        if (isFailed(job.study, row)) continue;
        std::string_view doubtful = reasonOf(job.study, row);
        if (doubtful.size() < 2) continue;
        ++counts[std::string(doubtful.substr(1, doubtful.size() - 2))];  // without its quotes
    }
    std::vector<std::pair<std::string, std::size_t>> all(counts.begin(), counts.end());
    std::stable_sort(all.begin(), all.end(), [](const auto& a, const auto& b) { return a.second > b.second; });
    return all;
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
    for (const auto& [doubtful, count] : doubtfulRuns(job, rows)) {
        tools::printText("{} of {} runs: {}\n", count, rows.size(), doubtful);
    }
}

void printJsonSummary(const Job& job, const Rows& rows, const Summary& summary) {
    tools::Json json;
    json["sweep"] = job.file.string();
    json["precision"] = job.identity.precision;
    json["runs"] = job.study.sample.runs;
    json["doneBefore"] = summary.before;
    json["done"] = summary.done;
    json["failed"] = failedRuns(job, rows);
    json["doubtful"] = tools::Json::array();
    for (const auto& [doubtful, count] : doubtfulRuns(job, rows)) {
        json["doubtful"].push_back({{"what", doubtful}, {"runs", count}});
    }
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
    const std::size_t failed = failedRuns(job, rows);
    if (failed == 0) return tools::kOk;
    const auto first =
        std::find_if(rows.begin(), rows.end(), [&](const auto& row) { return isFailed(job.study, row.second); });
    const bool haveAll = failed == rows.size();
    tools::printMessage("{} failed; the first: {}",
                        haveAll ? "all " + counted(failed, "run") : fmt::format("{} of {} runs", failed, rows.size()),
                        reasonOf(job.study, first->second));
    return haveAll ? tools::kFailed : tools::kDifferent;
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
