#include <elasto/reference/nrmse.h>
#include <elasto/scene/signals.h>
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "commands.h"
#include "csv.h"
#include "draw.h"
#include "exit_codes.h"
#include "options.h"
#include "tool_errors.h"

namespace elasto::tools {

namespace {

struct PlotOptions {
    std::string csv;
    std::vector<std::string> patterns;
    std::string output;
    std::string title;
    bool keepScript = false;
};

bool isPicked(const std::string& signal, const std::vector<std::string>& patterns) {
    return std::any_of(patterns.begin(), patterns.end(),
                       [&](const std::string& pattern) { return matchesPattern(pattern, signal); });
}

/// One panel per unit, in the order in which the units appear.
Picture pictureOf(const Trajectory& run, const PlotOptions& options) {
    Picture picture;
    picture.title = options.title;
    for (std::size_t i = 0; i < run.signals.size(); ++i) {
        if (!isPicked(run.signals[i], options.patterns)) continue;
        const std::string unit = signalUnit(run.signals[i]);
        auto panel = std::find_if(picture.panels.begin(), picture.panels.end(),
                                  [&](const Panel& one) { return one.yLabel == unit; });
        if (panel == picture.panels.end()) {
            panel = picture.panels.insert(panel, Panel{"", "", unit, {}});
        }
        panel->curves.push_back({run.signals[i], run.time, run.columns[i]});
    }
    if (!picture.panels.empty()) picture.panels.back().xLabel = "time [s]";
    return picture;
}

void checkPatterns(const Trajectory& run, const PlotOptions& options) {
    for (const std::string& pattern : options.patterns) {
        if (std::any_of(run.signals.begin(), run.signals.end(),
                        [&](const std::string& signal) { return matchesPattern(pattern, signal); })) {
            continue;
        }
        std::string names;
        for (const std::string& signal : run.signals) names += (names.empty() ? "" : ", ") + signal;
        throw InputError(fmt::format("--signals: '{}' fits no column of {}; it has {}", pattern, options.csv, names));
    }
}

int plot(const PlotOptions& options) {
    const Trajectory run = readCsv(options.csv);
    if (run.time.empty()) throw InputError(options.csv + ": there are no rows to plot");
    checkPatterns(run, options);
    draw(pictureOf(run, options), options.output, options.keepScript);
    return kOk;
}

}  // namespace

void addPlotCommand(CLI::App& app, Action& action) {
    auto options = std::make_shared<PlotOptions>();
    CLI::App* command = app.add_subcommand("plot", "Draw signals of a run over time");
    command->add_option("RUN", options->csv, "CSV file")->required();
    command
        ->add_option("--signals", options->patterns,
                     "Signals to draw; * stands for any text, ? for one character (put patterns in quotes)")
        ->required();
    command->add_option("-o,--output", options->output, "Picture to write, .svg or .png")
        ->required()
        ->check(pictureFile());
    command->add_option("--title", options->title, "Title above the picture");
    command->add_flag("--keep-script", options->keepScript, "Also write the gnuplot script as <picture>.gp");
    command->footer(
        "One panel per unit. Needs gnuplot (Debian: gnuplot-nox).\n"
        "Example: elasto plot run.csv --signals '*.s_rel' '*.f' -o run.svg");
    command->callback([options, &action] { action = [options] { return plot(*options); }; });
}

}  // namespace elasto::tools
