#include "robot_run.h"

#include <elasto/reference/nrmse.h>
#include <elasto/robot/load_robot.h>
#include <elasto/robot/robot_inside_tick.h>
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
#include "servo_stability.h"
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

/// Rows just before and just after contacts begin and end within ticks.
class RobotEventRows {
public:
    RobotEventRows(RobotWorld& world, const RunOptions& options)
        : m_world(world), m_inside(world, options.accuracy), m_times(world), m_twinTimes(m_inside.twin()) {}

    void beforeTick() { m_inside.beforeTick(); }
    /// Those of the last tick, in the order of time.
    std::vector<std::vector<double>> take(const std::vector<RobotSignal>& signals) {
        const double start = m_world.time() - m_world.tickLength();
        const std::vector<double> times = m_times.take();
        std::vector<std::vector<double>> rows;
        for (std::size_t k = 0; k < times.size(); ++k) {
            for (const bool isAfter : {false, true}) {
                if (!isAfter && times[k] == 0) continue;  // the row at the end of the tick before is that side
                std::vector<double>& row = rows.emplace_back(side(signals, times[k], isAfter ? k + 1 : k, isAfter));
                for (std::size_t i = 0; i < signals.size(); ++i) {
                    checkedValue(start + times[k], signals[i].name, row[i]);
                }
                row.insert(row.begin(), start + times[k]);
            }
        }
        return rows;
    }

private:
    /// Values on one side of an event. The tick that ends there may have the event a little earlier or later, as far as
    /// its steps are exact: it goes away from the event until the event is on the side where it belongs.
    /// @param events that have happened on that side
    std::vector<double> side(const std::vector<RobotSignal>& signals, double event, std::size_t events, bool isAfter) {
        constexpr double kNearest = 1e-9, kFarthest = 1e-4;  // of the tick
        const double h = m_world.tickLength();
        for (double beside = kNearest;; beside *= 4) {
            std::vector<double> row = m_inside.values(signals, std::clamp(event + (isAfter ? h : -h) * beside, 0., h));
            const std::size_t happened = m_twinTimes.take().size();
            if ((isAfter ? happened >= events : happened <= events) || beside > kFarthest) return row;
        }
    }

    RobotWorld& m_world;
    RobotInsideTick m_inside;
    RobotContactTimes m_times;
    RobotContactTimes m_twinTimes;
};

}  // namespace

int runRobot(const SceneInput& input, const RunOptions& options) {
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
    long rows = 0;
    const auto keep = [&](const std::vector<double>& values) {
        ++rows;
        if (csv) csv->addRow(values);
        if (!options.isKept()) return;
        kept.time.push_back(values.front());
        for (std::size_t i = 0; i < kept.columns.size(); ++i) kept.columns[i].push_back(values[i + 1]);
    };
    keep(row);
    std::optional<RobotEventRows> events;
    if (options.hasEvents) events.emplace(world, options);
    WatchedStops stops(world);
    const TickFolder ticks(options.capture, world.plugin());
    runToEnd(world, [&] {
        if (events) events->beforeTick();
        checkedTick(world);
        stops.afterTick(world);
        if (events) {
            for (const std::vector<double>& side : events->take(signals)) keep(side);
        }
        row = rowOf(world, signals);
        keep(row);
    });
    if (csv) csv->finish();
    if (options.isKept()) whole.write(kept, {});
    const RunReport report = reportOf(world, signals, {row.begin() + 1, row.end()},
                                      {.untouched = stops.untouched(), .unstable = unstableServos(world.scene())});
    return finish(report, options, rows);
}

}  // namespace elasto::tools
