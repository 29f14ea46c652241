#include <elasto/reference/nrmse.h>
#include <fmt/format.h>

#include <cmath>
#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "align.h"
#include "commands.h"
#include "csv.h"
#include "exit_codes.h"
#include "json_output.h"
#include "options.h"
#include "print.h"
#include "table.h"
#include "tool_errors.h"

namespace elasto::tools {

namespace {

struct CompareOptions {
    std::string a;
    std::string b;
    double tolerance = 1e-9;  ///< far above rounding, far below what a method gets wrong
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

int compare(const CompareOptions& options) {
    const auto [reference, candidate] = align(readCsv(options.a), readCsv(options.b));
    requireFinite(reference, options.a);
    requireFinite(candidate, options.b);
    const std::vector<SignalError> errors = compareSignals(reference, candidate);
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
    command->add_option("A", options->a, "CSV file; the reference")->required();
    command->add_option("B", options->b, "CSV file; interpolated at the times of A")->required();
    command->add_option("--tolerance", options->tolerance, "Largest NRMSE that counts as equal, e.g. 0.001 for 0.1 %")
        ->check(numberAtLeast(0))
        ->capture_default_str();
    command->add_flag("--json", options->json, "Print a JSON summary");
    command->footer(
        "Compares the signals that both files have, over the time span that both cover.\n"
        "NRMSE = rms error / max(range of the signal in A, 1e-6 of the largest range of its unit).\n"
        "Exit code 1 if the worst NRMSE is above the tolerance.\n"
        "Example: elasto compare run240.csv run1000.csv --tolerance 0.001");
    command->callback([options, &action] { action = [options] { return compare(*options); }; });
}

}  // namespace elasto::tools
