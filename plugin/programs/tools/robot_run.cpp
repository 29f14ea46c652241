#include "robot_run.h"

#include <elasto/reference/nrmse.h>
#include <elasto/robot/load_robot.h>
#include <elasto/robot/robot_scene.h>
#include <elasto/robot/robot_world.h>
#include <elasto/scene/csv_file.h>
#include <elasto/scene/printable.h>
#include <elasto/scene/signals.h>
#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "checked_run.h"
#include "interrupt.h"
#include "run_report.h"
#include "suggestion.h"
#include "tick_folder.h"
#include "tool_errors.h"
#include "whole_files.h"

namespace elasto::tools {

namespace {

RobotScene load(const SceneInput& input, const RunOptions& options) {
    if (!input.isRobotFile()) {
        if (options.isOfRobots()) {
            throw InputError("--elements, --stops, --fixed-base, --free-base and --bullet are for robots' files; " +
                             input.file().string() + " is a scene, which says these itself");
        }
        return input.robot();
    }
    LoadRobotOptions loading;
    loading.elementsFile = options.elements;
    loading.isBaseChosen = options.isBaseFixed || options.isBaseFree;
    if (!options.stops.empty()) loading.stops = RobotStops{.c = options.stops[0], .d = options.stops[1]};
    RobotScene scene = sceneOfRobot(parseRobot(input.text(), input.file(), loading));
    if (options.isBaseFixed) scene.base = RobotScene::Base::Fixed;
    if (options.isBaseFree) scene.base = RobotScene::Base::Free;
    if (options.isLeftToBullet) scene.solver = RobotScene::Solver::Bullet;
    return scene;
}

/// Signals by the scene's own names for them, then by their full names.
std::vector<RobotSignal> pickSignals(const RobotScene& scene, const std::vector<std::string>& patterns) {
    std::vector<RobotSignal> picked;
    const std::vector<RobotSignal> available = availableRobotSignals(scene);
    for (const std::string& pattern : patterns) {
        bool fits = false;
        for (const std::vector<RobotSignal>& signals : {recordedRobotSignals(scene), available}) {
            for (const RobotSignal& signal : signals) {
                if (!matchesPattern(pattern, signal.column)) continue;
                fits = true;
                const auto isSame = [&](const RobotSignal& one) { return one.name == signal.name; };
                if (std::none_of(picked.begin(), picked.end(), isSame)) picked.push_back(signal);
            }
        }
        if (fits) continue;
        std::vector<std::string> names;
        for (const RobotSignal& signal : available) names.push_back(signal.name);
        throw InputError(
            fmt::format("--signals: '{}' fits no signal of the robot{}", pattern, suggestion(pattern, names)));
    }
    return picked;
}

/// One row: time and the signals. A value that is not finite would spread over the whole run, and look like a result.
std::vector<double> rowOf(const RobotWorld& world, const std::vector<RobotSignal>& signals) {
    std::vector<double> row = {world.time()};
    for (const RobotSignal& signal : signals) {
        row.push_back(checkedValue(world.time(), signal.name, world.value(signal)));
    }
    return row;
}

}  // namespace

int runRobot(const SceneInput& input, const RunOptions& options) {
    if (options.hasEvents) {
        throw InputError("--events is for scenes; what happens inside a tick of a robot is not kept");
    }
    RobotScene scene = load(input, options);
    if (options.duration > 0) scene.duration = options.duration;
    const std::vector<RobotSignal> signals =
        options.patterns.empty() ? recordedRobotSignals(scene) : pickSignals(scene, options.patterns);
    RobotWorld world(std::move(scene), options.rate > 0 ? std::optional<double>(options.rate) : std::nullopt);
    world.plugin().setThreads(options.threads);
    world.plugin().setAccuracy(options.accuracy);

    const InterruptGuard guard;
    std::optional<CsvFile> csv;
    if (!options.csv.empty()) {
        std::vector<std::string> headers = {"time"};
        for (const RobotSignal& signal : signals) headers.push_back(signal.column);
        csv.emplace(options.csv, headers);
    }
    Trajectory kept;  // these files are written as a whole
    WholeFiles whole(options, static_cast<double>(world.ticksToEnd()) + 1, static_cast<double>(signals.size()));
    if (options.isKept()) {
        for (const RobotSignal& signal : signals) kept.signals.push_back(signal.column);
        kept.columns.resize(signals.size());
    }
    std::vector<double> row = rowOf(world, signals);
    const auto keep = [&] {
        if (csv) csv->addRow(row);
        if (!options.isKept()) return;
        kept.time.push_back(row.front());
        for (std::size_t i = 0; i < kept.columns.size(); ++i) kept.columns[i].push_back(row[i + 1]);
    };
    keep();
    const TickFolder ticks(options.capture, world.plugin());
    runToEnd(world, [&] {
        checkedTick(world);
        row = rowOf(world, signals);
        keep();
    });
    if (csv) csv->finish();
    if (options.isKept()) whole.write(kept, {});
    const RunReport report = reportOf(world, signals, {row.begin() + 1, row.end()});
    return finish(report, options, world.ticks() + 1);
}

}  // namespace elasto::tools
