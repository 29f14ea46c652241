#include <elasto/reference/nrmse.h>
#include <elasto/scene/input_file.h>
#include <elasto/scene/printable.h>
#include <elasto/scene/signals.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "assets.h"
#include "commands.h"
#include "draw.h"
#include "exit_codes.h"
#include "options.h"
#include "print.h"
#include "result_file.h"
#include "suggestion.h"
#include "sweep_plot.h"
#include "tool_errors.h"

namespace elasto::tools {

namespace {

struct PlotOptions {
    std::vector<std::string> files;
    std::vector<std::string> patterns;
    std::vector<std::string> over;   ///< signal of the x axis; empty: time. Of a sweep: one or two columns
    std::vector<std::string> where;  ///< of a sweep: COLUMN=VALUE
    std::string output;
    std::string title;
    bool keepScript = false;
};

bool isPicked(const std::string& signal, const std::vector<std::string>& patterns) {
    return std::any_of(patterns.begin(), patterns.end(),
                       [&](const std::string& pattern) { return matchesPattern(pattern, signal); });
}

/// A CSV file of a run.
struct PlottedRun {
    std::string file;
    Trajectory run;
};

/// "s_rel" of "gap.s_rel".
std::string quantityOf(const std::string& signal) {
    const std::size_t point = signal.rfind('.');
    return point == std::string::npos ? signal : signal.substr(point + 1);
}

/// The quantities that a panel shows, with their unit: "s, s_rel [m]".
struct PanelNames {
    std::string unit;
    std::vector<std::string> quantities;

    void add(const std::string& signal) {
        const std::string quantity = quantityOf(signal);
        if (std::find(quantities.begin(), quantities.end(), quantity) == quantities.end())
            quantities.push_back(quantity);
    }
    std::string label() const {
        constexpr std::size_t kMost = 3;
        const std::string brackets = unit.empty() ? "" : fmt::format(" [{}]", unit);
        return quantities.size() > kMost ? fmt::format("[{}]", unit)
                                         : fmt::format("{}{}", fmt::join(quantities, ", "), brackets);
    }
};

/// One panel per unit, in the order in which the units appear.
Picture pictureOf(const std::vector<PlottedRun>& runs, const PlotOptions& options) {
    Picture picture;
    picture.title = options.title;
    std::vector<PanelNames> names;
    for (const auto& [file, run] : runs) {
        const std::string prefix =
            runs.size() == 1 ? std::string() : std::filesystem::path(file).stem().string() + ": ";
        for (std::size_t i = 0; i < run.signals.size(); ++i) {
            if (!isPicked(run.signals[i], options.patterns)) continue;
            const std::string unit = signalUnit(run.signals[i]);
            auto panel = static_cast<std::size_t>(
                std::find_if(names.begin(), names.end(), [&](const PanelNames& one) { return one.unit == unit; }) -
                names.begin());
            if (panel == names.size()) {
                names.push_back({unit, {}});
                picture.panels.emplace_back();
            }
            names[panel].add(run.signals[i]);
            picture.panels[panel].curves.push_back({prefix + run.signals[i],
                                                    options.over.empty() ? run.time : run.at(options.over.front()),
                                                    run.columns[i]});
        }
    }
    for (std::size_t i = 0; i < names.size(); ++i) picture.panels[i].yLabel = names[i].label();
    if (!picture.panels.empty()) {
        picture.panels.back().xLabel =
            options.over.empty() ? "time [s]"
                                 : fmt::format("{} [{}]", options.over.front(), signalUnit(options.over.front()));
    }
    return picture;
}

/// What is drawn where nobody says what: coordinate and force of the elements (of a run without elements the bodies'
/// coordinates), all metrics of a sweep.
std::vector<std::string> usualSignals(const std::vector<std::string>& signals) {
    constexpr std::size_t kMostElements = 6;  // more would not be told apart
    for (const auto& quantities : {std::vector<std::string>{"s_rel", "phi_rel", "f", "tau"},
                                   std::vector<std::string>{"s", "phi", "r_0[1]", "r_0[2]", "r_0[3]"}}) {
        std::vector<std::string> owners, picked;
        for (const std::string& signal : signals) {
            const std::string quantity = quantityOf(signal);
            if (signal.find('.') != signal.rfind('.')) continue;  // of a flange
            if (std::find(quantities.begin(), quantities.end(), quantity) == quantities.end()) continue;
            const std::string owner = signal.substr(0, signal.size() - quantity.size());
            if (std::find(owners.begin(), owners.end(), owner) == owners.end()) owners.push_back(owner);
            if (owners.size() <= kMostElements) picked.push_back(signal);
        }
        if (owners.size() > kMostElements) {
            printMessage("the first {} of {} elements are drawn; --signals picks others", kMostElements, owners.size());
        }
        if (!picked.empty()) return picked;
    }
    return {"*"};
}

/// gnuplot has words of its own for panels without points.
/// @throws InputError if there is one
void checkPanels(const Picture& picture) {
    const auto hasPoint = [](const Curve& curve) {
        for (std::size_t i = 0; i < curve.y.size(); ++i) {
            if (std::isfinite(curve.x[i]) && std::isfinite(curve.y[i])) return true;
        }
        return false;
    };
    for (const Panel& panel : picture.panels) {
        if (std::any_of(panel.curves.begin(), panel.curves.end(), hasPoint)) continue;
        throw InputError(fmt::format("there is nothing to plot: '{}' has no finite value", panel.curves.front().title));
    }
}

/// @throws InputError if an option names what the run does not have
void checkSignals(const PlottedRun& plotted, const PlotOptions& options) {
    std::vector<std::string> names = plotted.run.signals;
    names.emplace_back("time");
    for (const std::string& pattern : options.patterns) {
        if (std::any_of(plotted.run.signals.begin(), plotted.run.signals.end(),
                        [&](const std::string& signal) { return matchesPattern(pattern, signal); })) {
            continue;
        }
        throw InputError(
            fmt::format("--signals: '{}' fits no column of {}{}", pattern, plotted.file, suggestion(pattern, names)));
    }
    if (!options.over.empty() && plotted.run.find(options.over.front()) < 0) {
        throw InputError(fmt::format("--over: {} has no column '{}'{}", plotted.file, options.over.front(),
                                     suggestion(options.over.front(), names)));
    }
}

void plotSweep(const std::string& text, const PlotOptions& options) {
    const std::string& file = options.files.front();
    if (options.files.size() > 1) {
        throw InputError(
            fmt::format("{} is the table of a sweep, which is drawn alone, without {}", file, options.files[1]));
    }
    const SweepPlotOptions plotting{options.patterns, options.over, options.where, options.title};
    drawScript(sweepScript(parseSweepTable(text, file), plotting, file), options.output, options.keepScript);
}

int plot(PlotOptions options) {
    std::vector<PlottedRun> runs;
    for (const std::string& file : options.files) refuseOverwriting(file, "--output", options.output);
    for (const std::string& file : options.files) {
        const std::string text = readFile(file);  // once: it may be a pipe
        if (runs.empty() && isSweepTable(text, file)) {
            if (options.patterns.empty()) options.patterns = {"*"};
            plotSweep(text, options);
            return kOk;
        }
        if (!options.where.empty()) throw InputError("--where is for tables of sweeps; " + file + " is none");
        if (options.over.size() > 1) throw InputError("--over: two columns are for tables of sweeps only");
        runs.push_back({file, parseResult(text, file)});
        if (runs.back().run.time.empty()) throw InputError(file + ": there are no rows to plot");
        if (options.patterns.empty()) options.patterns = usualSignals(runs.back().run.signals);
        checkSignals(runs.back(), options);
    }
    const Picture picture = pictureOf(runs, options);
    checkPanels(picture);
    draw(picture, options.output, options.keepScript);
    return kOk;
}

}  // namespace

void addPlotCommand(CLI::App& app, Action& action) {
    auto options = std::make_shared<PlotOptions>();
    CLI::App* command = app.add_subcommand("plot", "Draw signals of runs over time, or sweeps");
    command
        ->add_option("RUN", options->files,
                     "CSV or MAT files of runs; curves of several are named by their files. Or a sweep's")
        ->required();
    command->add_option(
        "--signals", options->patterns,
        "Signals (of a sweep: metrics) to draw; * stands for any text, ? for one character (put patterns "
        "in quotes). Default: coordinates and forces of the elements, of a sweep all metrics");
    command
        ->add_option(
            "--over", options->over,
            "Signal to draw them over, instead of the time. Of a sweep: one parameter for curves, two for a heat "
            "map; default: its parameters")
        ->expected(1, 2);
    command->add_option(
        "--where", options->where,
        "Of a sweep: COLUMN=VALUE, only the runs of which it holds; of several values of a column any, of "
        "several columns all");
    command->add_option("-o,--output", options->output, "Picture to write, .svg or .png")
        ->required()
        ->check(pictureFile());
    command->add_option("--title", options->title, "Title above the picture");
    command->add_flag("--keep-script", options->keepScript, "Also write the gnuplot script as <picture>.gp");
    command->footer(
        "One panel per unit, of a sweep per metric. Needs gnuplot (Debian: gnuplot-nox).\n"
        "Example: elasto plot run.csv -o run.svg\n"
        "         elasto plot run.csv --signals '*.s_rel' '*.f' -o run.svg\n"
        "         elasto plot sweep.csv --signals 'peakForce*' --over c d -o map.png");
    command->callback([options, &action] { action = [options] { return plot(*options); }; });
}

}  // namespace elasto::tools
