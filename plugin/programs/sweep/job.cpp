#include "job.h"

#include "assets.h"
#include "measure.h"
#include "problems.h"
#include "row_text.h"
#include "study_file.h"
#include "tool_errors.h"

#include <elasto/scene/output_file.h>
#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <utility>

namespace elasto::sweep {

namespace fs = std::filesystem;
using tools::InputError;

namespace {

Study studyOf(const fs::path& file, const JobOptions& options) {
    Study study = loadStudy(file);
    if (options.rate > 0) study.rate = options.rate;
    if (options.duration > 0) study.duration = options.duration;
    return study;
}

/// "1-3, 7, 9-10", counted from 1; the first few of them.
std::string ranges(const std::vector<std::size_t>& numbers) {
    constexpr std::size_t kMost = 8;
    std::string text;
    std::size_t count = 0;
    for (std::size_t i = 0; i < numbers.size();) {
        std::size_t end = i + 1;
        while (end < numbers.size() && numbers[end] == numbers[end - 1] + 1) ++end;
        if (count++ == kMost) return text + ", ...";
        text += (text.empty() ? "" : ", ") + std::to_string(numbers[i] + 1);
        if (end > i + 1) text += "-" + std::to_string(numbers[end - 1] + 1);
        i = end;
    }
    return text;
}

/// Files of runs that belong to a table, by their names.
std::vector<fs::path> partsBeside(const fs::path& csv) {
    const std::string stem = csv.filename().string() + ".";
    const fs::path folder = csv.has_parent_path() ? csv.parent_path() : fs::path(".");
    std::vector<fs::path> parts;
    std::error_code error;
    for (const fs::directory_entry& entry : fs::directory_iterator(folder, error)) {
        const std::string name = entry.path().filename().string();
        if (name.starts_with(stem) && name.ends_with("runs")) parts.push_back(csv.parent_path() / name);
    }
    std::sort(parts.begin(), parts.end());
    return parts;
}

void checkMetrics(const Study& study, const std::vector<SignalName>& names, const fs::path& file) {
    scene::Problems problems(file.string());
    for (std::size_t k = 0; k < study.metrics.size(); ++k) {
        const std::string refusal = refusalOf(study.metrics[k], names);
        if (!refusal.empty()) problems.add("/metrics/" + std::to_string(k) + "/of", refusal);
    }
    problems.throwIfAny();
}

}  // namespace

Job loadJob(const JobOptions& options) {
    const fs::path file = tools::findSweep(options.sweep);
    Study study = studyOf(file, options);
    BaseScene base(study, file);
    checkMetrics(study, signalNames(base.scene()), file);
    Identity identity = identityOf(study, base.content(study), options.precision, options.version);
    const fs::path csv = options.csv.empty() ? fs::path(file.stem().string() + ".csv") : fs::path(options.csv);
    // The table is written when all runs are done: too late to learn that it has no place.
    std::error_code ignored;
    if (fs::is_directory(csv, ignored)) throw tools::IoError(tools::ioMessage("write", csv.string(), EISDIR));
    tools::refuseOverwriting(file, "--csv", csv.string());
    for (const fs::path& input : base.files()) tools::refuseOverwriting(input, "--csv", csv.string());
    return {file, std::move(study), std::move(base), std::move(identity), csv};
}

std::size_t failedRuns(const Job& job, const Rows& rows) {
    return static_cast<std::size_t>(
        std::count_if(rows.begin(), rows.end(), [&](const auto& row) { return isFailed(job.study, row.second); }));
}

void writeTable(const Job& job, const Rows& rows) {
    OutputFile file(job.csv);
    file.write(headerText(job.study) + "\n");
    for (const auto& [run, row] : rows) file.write(row + "\n");
    file.commit();
}

std::string missingRuns(const Job& job, const Rows& rows, std::size_t parts) {
    const std::size_t runs = job.study.sample.runs;
    if (rows.size() == runs) return {};
    std::vector<std::size_t> missing;
    std::vector<std::size_t> missingOf(parts);
    for (std::size_t run = 0; run < runs; ++run) {
        if (rows.count(run) != 0) continue;
        missing.push_back(run);
        ++missingOf[run % parts];
    }
    std::string text = fmt::format("{} of {} runs are missing: {}", missing.size(), runs, ranges(missing));
    if (parts == 1) return text;
    constexpr std::size_t kMost = 8;
    std::string list;
    std::size_t count = 0;
    for (std::size_t part = 0; part < parts; ++part) {
        if (missingOf[part] == 0) continue;
        if (count++ == kMost) {
            list += ", ...";
            break;
        }
        const std::size_t all = (runs - part + parts - 1) / parts;
        list += fmt::format("{}{}/{} ({} of its {})", list.empty() ? "" : ", ", part + 1, parts, missingOf[part], all);
    }
    return text + "; shards " + list;
}

std::string taskLogName(const fs::path& csv, const std::string& task) {
    return csv.string() + ".task-" + task + ".log";
}

MergedRuns mergeRuns(const Job& job, const std::vector<fs::path>& files) {
    const std::vector<fs::path> parts = files.empty() ? partsBeside(job.csv) : files;
    if (parts.empty()) {
        throw tools::IoError(fmt::format("there is nothing to merge: no {}.*.runs", job.csv.string()));
    }
    MergedRuns merged;
    for (const fs::path& part : parts) {
        const StoredRuns stored = readRuns(part, job.identity);
        merged.parts = std::max(merged.parts, stored.shard.count);
        addRows(merged.rows, stored.rows, part);
    }
    return merged;
}

}  // namespace elasto::sweep
