#include <elasto/reference/nrmse.h>
#include <elasto/scene/output_file.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <filesystem>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "align.h"
#include "commands.h"
#include "exit_codes.h"
#include "json_output.h"
#include "options.h"
#include "print.h"
#include "result_file.h"
#include "table.h"
#include "tool_errors.h"
#include "tube.h"
#include "tube_report.h"

namespace elasto::tools {

namespace {

struct CompareOptions {
    std::string a;
    std::string b;
    double tolerance = 1e-9;  ///< far above rounding, far below what a method gets wrong
    double tube = 0;          ///< relative half width; 0: the verdict is by the tolerance
    double tubeFloor = 0;     ///< absolute half width at least
    std::string report;       ///< folder of a page; empty: none
    bool json = false;
};

void printTable(const std::vector<SignalError>& errors, const SignalError& worst, const Trajectory& common,
                const CompareOptions& options) {
    using enum Table::Align;
    Table table({{"signal"},
                 {"unit"},
                 {"NRMSE %", Right},
                 {"largest error", Right},
                 {"at s", Right},
                 {"range", Right},
                 {"verdict"}});
    for (const SignalError& error : errors) {
        table.addRow({error.signal, error.unit, fmt::format("{:.3g}", 100 * error.nrmse),
                      fmt::format("{:.3g}", error.largest), fmt::format("{:.6g}", error.timeOfLargest),
                      fmt::format("{:.3g}", error.range), error.nrmse <= options.tolerance ? "ok" : "DIFFERENT"});
    }
    printText("{}", table.text());
    printText("{} rows from {:g} to {:g} s; worst: {} with {:.3g} % (tolerance {:g} %)\n", common.time.size(),
              common.time.front(), common.time.back(), worst.signal, 100 * worst.nrmse, 100 * options.tolerance);
}

Json toJson(const std::vector<SignalError>& errors, const SignalError& worst, const Trajectory& common,
            const CompareOptions& options, bool equal) {
    Json json;
    json["a"] = options.a;
    json["b"] = options.b;
    json["rows"] = common.time.size();
    json["begin"] = common.time.front();
    json["end"] = common.time.back();
    json["tolerance"] = options.tolerance;
    json["equal"] = equal;
    json["worst"] = {{"signal", worst.signal}, {"nrmse", worst.nrmse}};
    json["signals"] = Json::array();
    for (const SignalError& error : errors) {
        json["signals"].push_back({{"signal", error.signal},
                                   {"unit", error.unit},
                                   {"nrmse", error.nrmse},
                                   {"rms", error.rms},
                                   {"largestError", error.largest},
                                   {"timeOfLargestError", error.timeOfLargest},
                                   {"range", error.range}});
    }
    return json;
}

/// What is not finite differs from everything, itself included.
void requireFinite(const Trajectory& run, const std::string& file) {
    for (std::size_t i = 0; i < run.signals.size(); ++i) {
        for (std::size_t k = 0; k < run.time.size(); ++k) {
            if (std::isfinite(run.columns[i][k])) continue;
            throw InputError(fmt::format("{}: {} is {} at time = {}; only finite values can be compared", file,
                                         run.signals[i], run.columns[i][k], run.time[k]));
        }
    }
}

/// The signals of `a` that `b` has too, and likewise, each at its own times.
std::pair<Trajectory, Trajectory> withCommonSignals(const Trajectory& a, const Trajectory& b) {
    Trajectory first{.time = a.time, .signals = {}, .columns = {}},
        second{.time = b.time, .signals = {}, .columns = {}};
    for (std::size_t i = 0; i < a.signals.size(); ++i) {
        const int other = b.find(a.signals[i]);
        if (other < 0) continue;
        first.signals.push_back(a.signals[i]);
        second.signals.push_back(a.signals[i]);
        first.columns.push_back(a.columns[i]);
        second.columns.push_back(b.columns[static_cast<std::size_t>(other)]);
    }
    return {std::move(first), std::move(second)};
}

void printTubes(const std::vector<TubeResult>& results, const std::vector<SignalError>& errors) {
    using enum Table::Align;
    Table table({{"signal"},
                 {"unit"},
                 {"tube +/-", Right},
                 {"outside %", Right},
                 {"first at s", Right},
                 {"by at most", Right},
                 {"NRMSE %", Right},
                 {"verdict"}});
    for (std::size_t i = 0; i < results.size(); ++i) {
        const TubeResult& tube = results[i];
        const auto unlessInside = [&](double value) { return tube.isInside() ? "" : fmt::format("{:.4g}", value); };
        table.addRow({tube.signal, tube.unit, fmt::format("{:.3g}", tube.halfValue), unlessInside(100 * tube.outside),
                      unlessInside(tube.firstTime), unlessInside(tube.largest),
                      fmt::format("{:.3g}", 100 * errors[i].nrmse), tube.isInside() ? "inside" : "OUTSIDE"});
    }
    printText("{}", table.text());
}

Json jsonOf(const std::vector<TubeResult>& results) {
    Json json = Json::array();
    for (const TubeResult& tube : results) {
        json.push_back({{"signal", tube.signal},
                        {"halfValue", tube.halfValue},
                        {"halfTime", tube.halfTime},
                        {"outside", tube.outside},
                        {"firstTime", tube.firstTime},
                        {"largest", tube.largest},
                        {"timeOfLargest", tube.timeOfLargest}});
    }
    return json;
}

/// Also by tubes: they have times of their own, since an event may be early.
int compareByTubes(const CompareOptions& options, const Trajectory& a, const Trajectory& b,
                   const std::vector<SignalError>& errors) {
    const auto [reference, candidate] = withCommonSignals(a, b);
    const std::vector<TubeResult> results =
        tubes(reference, candidate, {.relative = options.tube, .absolute = options.tubeFloor});
    const bool areInside =
        std::all_of(results.begin(), results.end(), [](const TubeResult& tube) { return tube.isInside(); });
    if (!options.report.empty()) {
        std::error_code error;
        std::filesystem::create_directories(options.report, error);
        const auto nameOf = [](const std::string& file) { return std::filesystem::path(file).filename().string(); };
        writeFile(std::filesystem::path(options.report) / "index.html",
                  htmlOf({nameOf(options.a), nameOf(options.b), reference, candidate, results, errors}));
    }
    if (options.json) {
        printJson({{"a", options.a},
                   {"b", options.b},
                   {"tube", options.tube},
                   {"equal", areInside},
                   {"signals", jsonOf(results)}});
    } else {
        printTubes(results, errors);
    }
    return areInside ? kOk : kDifferent;
}

int compare(const CompareOptions& options) {
    if (options.tube <= 0 && (!options.report.empty() || options.tubeFloor > 0)) {
        throw InputError("--report and --tube-floor need --tube, the width of the tubes");
    }
    const Trajectory a = readResult(options.a), b = readResult(options.b);
    const auto [reference, candidate] = align(a, b);
    requireFinite(reference, options.a);
    requireFinite(candidate, options.b);
    const std::vector<SignalError> errors = compareSignals(reference, candidate);
    if (options.tube > 0) return compareByTubes(options, a, b, errors);
    const SignalError& worst = *worstSignal(errors);
    const bool equal = worst.nrmse <= options.tolerance;
    if (options.json) {
        printJson(toJson(errors, worst, reference, options, equal));
    } else {
        printTable(errors, worst, reference, options);
    }
    return equal ? kOk : kDifferent;
}

}  // namespace

void addCompareCommand(CLI::App& app, Action& action) {
    auto options = std::make_shared<CompareOptions>();
    CLI::App* command = app.add_subcommand("compare", "Compare two runs signal by signal");
    command->add_option("A", options->a, "CSV or MAT file; the reference")->required();
    command->add_option("B", options->b, "CSV or MAT file; interpolated at the times of A")->required();
    command->add_option("--tolerance", options->tolerance, "Largest NRMSE that counts as equal, e.g. 0.001 for 0.1 %")
        ->check(numberAtLeast(0))
        ->capture_default_str();
    command
        ->add_option("--tube", options->tube,
                     "Judge by tubes around A instead: half width, as a share of the time span and of each signal's "
                     "range, e.g. 0.002")
        ->check(numberAbove(0));
    command->add_option("--tube-floor", options->tubeFloor, "Half width of a tube in value at least, in SI units")
        ->check(numberAtLeast(0));
    command->add_option("--report", options->report, "Folder for a page index.html with a picture of each tube")
        ->check(fileName());
    command->add_flag("--json", options->json, "Print a JSON summary");
    command->footer(
        "Compares the signals that both files have, over the time span that both cover.\n"
        "NRMSE = rms error / max(range of the signal in A, 1e-6 of the largest range of its unit).\n"
        "Exit code 1 if the worst NRMSE is above the tolerance, or a signal leaves its tube.\n"
        "Files are CSV (also of Dymola, OpenModelica, MapleSim) or MAT, version 4.\n"
        "Example: elasto compare run240.csv run1000.csv --tolerance 0.001");
    command->callback([options, &action] { action = [options] { return compare(*options); }; });
}

}  // namespace elasto::tools
