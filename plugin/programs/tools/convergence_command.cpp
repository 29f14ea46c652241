#include <elasto/precision.h>
#include <elasto/scene/output_file.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <string>
#include <vector>

#include "assets.h"
#include "commands.h"
#include "convergence.h"
#include "convergence_runs.h"
#include "draw.h"
#include "exit_codes.h"
#include "interrupt.h"
#include "options.h"
#include "print.h"
#include "progress.h"
#include "robot_convergence.h"
#include "scene_input.h"
#include "tool_errors.h"

namespace elasto::tools {

namespace {

struct ConvergenceOptions {
    std::string scene;
    std::vector<double> rates;
    double duration = 0;  ///< [s]; 0: the scene's
    std::string csv;
    std::string output;
    bool keepScript = false;
    bool json = false;
};

/// Highest rates where none are given [Hz]: a robot's tick costs some ten times that of one element.
constexpr double kHighest = 7680;
constexpr double kHighestOfRobots = 1920;

/// The rates, rising. @param highest of those that are taken where none are given [Hz]
/// @throws InputError unless they are multiples of the lowest
std::vector<double> checkedRates(std::vector<double> rates, double highest) {
    if (rates.empty()) {
        for (double rate = 30; rate <= highest; rate *= 2) rates.push_back(rate);
        return rates;
    }
    std::sort(rates.begin(), rates.end());
    rates.erase(std::unique(rates.begin(), rates.end()), rates.end());
    for (const double rate : rates) {
        const double ratio = rate / rates.front();
        if (std::abs(ratio - std::round(ratio)) <= 1e-12 * ratio) continue;
        throw InputError(
            fmt::format("--rates: {:g} is not allowed; each rate must be a whole multiple of the lowest, "
                        "{:g}, so that runs share its ticks",
                        rate, rates.front()));
    }
    return rates;
}

int study(const ConvergenceOptions& options) {
    const SceneInput input(findScene(options.scene));
    const std::vector<double> rates = checkedRates(options.rates, input.isRobot() ? kHighestOfRobots : kHighest);
    refuseOverwriting(input.file(), "--csv", options.csv);
    const InterruptGuard guard;
    Convergence result;
    {
        Progress progress("convergence");
        const auto onProgress = [&](double share) {
            progress.update(share);
            return !InterruptGuard::interrupted();
        };
        if (input.isRobot()) {
            RobotScene scene = input.robot();
            if (options.duration > 0) scene.duration = options.duration;
            result = measureRobotConvergence(scene, rates, onProgress);
        } else {
            Scene scene = input.scene();
            if (options.duration > 0) scene.duration = options.duration;
            result = measureConvergence(scene, rates, onProgress);
        }
    }
    if (InterruptGuard::interrupted()) {
        printMessage("interrupted; nothing is written");
        return kInterrupted;
    }
    if (!options.csv.empty()) writeFile(options.csv, convergenceCsv(result));
    if (!options.output.empty()) draw(convergencePicture(result), options.output, options.keepScript);
    if (options.json) {
        printJson(convergenceJson(result));
    } else if (options.csv != "-") {
        printText("{}: NRMSE of {} over {:g} s against {}, {} precision\n\n{}", result.scene, result.signal,
                  result.duration, result.reference, kPrecision, convergenceTable(result));
    }
    return kOk;
}

}  // namespace

void addConvergenceCommand(CLI::App& app, Action& action) {
    auto options = std::make_shared<ConvergenceOptions>();
    CLI::App* command = app.add_subcommand("convergence", "Error over tick rate, beside Bullet's own ways");
    command
        ->add_option("SCENE", options->scene,
                     "Scene of one element, or a robot: a file, or a name that comes with Elasto")
        ->required();
    command
        ->add_option("--rates", options->rates, "Tick rates [Hz]; default: 30, 60, 120 ... 7680, of a robot ... 1920")
        ->check(tickRate());
    command->add_option("--duration", options->duration, "Simulated time [s]; default: the scene's")
        ->check(numberAbove(0));
    command->add_option("-o,--output", options->output, "Picture to write, .svg or .png")->check(pictureFile());
    command->add_option("--csv", options->csv, "File for the errors, one row per rate")->check(fileName());
    command->add_flag("--keep-script", options->keepScript, "Also write the gnuplot script as <picture>.gp");
    command->add_flag("--json", options->json, "Print a JSON summary");
    command->footer(
        "explicit: the law's force at the tick's start. soft row: a limit (for springs, a spring) of\n"
        "btGeneric6DofSpring2Constraint with the ERP and CFM of c, d and the tick. restitution: a hard limit\n"
        "with the restitution of c and d. The order is the slope where a run follows the oracle; flat: the\n"
        "error does not depend on the rate. Where Bullet has nothing for an element the reason is printed.\n"
        "Of a robot: the worst coordinate, against its own run at four times the highest rate.\n"
        "Example: elasto convergence drop_c1e6_d5 -o drop.svg");
    command->callback([options, &action] { action = [options] { return study(*options); }; });
}

}  // namespace elasto::tools
