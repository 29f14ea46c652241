#pragma once
/// @file run_report.h
/// What a run of a scene or a robot came to, as text and as JSON.

#include <elasto/plugin.h>
#include <elasto/scene/signals.h>

#include <optional>
#include <string>
#include <vector>

#include "doubtful.h"
#include "interrupt.h"
#include "progress.h"
#include "run_options.h"
#include "try_rates.h"

namespace elasto::tools {

struct RunReport {
    struct Value {
        std::string column, unit;
        double value;
    };
    std::string scene;
    double rate, time;  ///< [Hz], [s]
    long ticks;
    bool interrupted;
    const Plugin& plugin;
    std::vector<Value> values;           ///< at the end
    std::optional<ExactRate> exactRate;  ///< where not all ticks were exact
    Doubtful doubtful;                   ///< of a whole run
};

/// What a run came to; where not all its ticks were exact, it is run again at higher rates.
/// @param world a SceneWorld or RobotWorld
/// @param values of the signals, in their order @param doubtful counts where the run came to its end
template <class World, class Signals>
RunReport reportOf(World& world, const Signals& signals, const std::vector<double>& values, const Doubtful& doubtful) {
    RunReport report{.scene = world.scene().name,
                     .rate = world.rate(),
                     .time = world.time(),
                     .ticks = world.ticks(),
                     .interrupted = world.ticks() < world.ticksToEnd(),
                     .plugin = world.plugin(),
                     .values = {},
                     .exactRate = {},
                     .doubtful = {}};
    if (!report.interrupted) report.doubtful = doubtful;
    for (std::size_t i = 0; i < signals.size(); ++i) {
        report.values.push_back({signals[i].column, signalUnit(signals[i].name), values[i]});
    }
    const bool isExact = report.plugin.totals().approximateTicks + report.plugin.totals().failedTicks == 0;
    if (!isExact && !report.interrupted) {
        report.exactRate = exactRateOf(world, std::max(kAllowedWork, workOf(world, report.plugin.totals())));
    }
    return report;
}

/// Ticks to the end or to an interruption, with a bar of progress.
/// @param tick makes one
template <class World, class Tick>
void runToEnd(World& world, Tick tick) {
    Progress progress("run");
    world.plugin().setMessageHandler([&](const std::string& text) { progress.message(text); });
    const long end = world.ticksToEnd();
    while (world.ticks() < end && !InterruptGuard::interrupted()) {
        tick();
        progress.update(static_cast<double>(world.ticks()) / static_cast<double>(end));
    }
    world.plugin().setMessageHandler(nullptr);
}

/// Prints what was asked for, how good the ticks were, and whether the run was interrupted.
/// @param rows that the file holds @return an ExitCode
int finish(const RunReport& report, const RunOptions& options, long rows);

}  // namespace elasto::tools
