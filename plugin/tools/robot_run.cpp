#include "robot_run.h"

#include <elasto/errors.h>
#include <elasto/reference/nrmse.h>
#include <elasto/robot/load_robot.h>
#include <elasto/robot/robot_scene.h>
#include <elasto/robot/robot_world.h>
#include <elasto/scene/csv_file.h>
#include <elasto/scene/signals.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <iterator>
#include <optional>
#include <string>
#include <vector>

#include "exit_codes.h"
#include "interrupt.h"
#include "json_output.h"
#include "plugin_summary.h"
#include "progress.h"
#include "table.h"
#include "tool_errors.h"

namespace elasto::tools {

namespace {

constexpr const char* kUrdf = ".urdf";

RobotScene loadAny(const std::filesystem::path& file, const RunOptions& options) {
    if (file.extension() != kUrdf) {
        if (!options.elements.empty() || !options.stops.empty() || options.isBaseFixed) {
            throw InputError("--elements, --stops and --fixed-base are for URDF files; " + file.string() +
                             " is a scene, which says these itself");
        }
        return loadRobotScene(file);
    }
    LoadRobotOptions loading;
    loading.elementsFile = options.elements;
    if (!options.stops.empty()) loading.stops = RobotStops{.c = options.stops[0], .d = options.stops[1]};
    RobotScene scene = sceneOfRobot(loadRobot(file, loading));
    if (options.isBaseFixed) scene.base = RobotScene::Base::Fixed;
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
        std::string names;
        for (const RobotSignal& signal : available) names += (names.empty() ? "" : ", ") + signal.name;
        throw InputError(fmt::format("--signals: '{}' fits no signal of the robot; it has {}", pattern, names));
    }
    return picked;
}

/// One row: time and the signals. A value that is not finite would spread over the whole run, and look like a result.
std::vector<double> rowOf(const RobotWorld& world, const std::vector<RobotSignal>& signals) {
    std::vector<double> row = {world.time()};
    for (const RobotSignal& signal : signals) {
        row.push_back(world.value(signal));
        if (std::isfinite(row.back())) continue;
        throw FailureError(fmt::format(
            "at {:.9g} s: {} = {} is not finite; parameters, masses, loads or start values are too large or too small",
            world.time(), signal.name, row.back()));
    }
    return row;
}

void runTicks(RobotWorld& world, const std::vector<RobotSignal>& signals, CsvFile* csv) {
    Progress progress("run");
    world.plugin().setMessageHandler([&](const std::string& text) { progress.message(text); });
    const long end = world.ticksToEnd();
    while (world.ticks() < end && !InterruptGuard::interrupted()) {
        const double start = world.time();
        try {
            world.step();
        } catch (const InvalidParameter& refused) {
            throw FailureError(fmt::format("tick from {:.9g} s: {}", start, refused.what()));
        }
        const std::vector<double> row = rowOf(world, signals);
        if (csv != nullptr) csv->addRow(row);
        progress.update(static_cast<double>(world.ticks()) / static_cast<double>(end));
    }
    world.plugin().setMessageHandler(nullptr);
}

void printSummary(const RobotWorld& world, const std::vector<RobotSignal>& signals) {
    fmt::print("{}: {} ticks at {:g} Hz to {:g} s, {} precision\n\n", world.scene().name, world.ticks(), world.rate(),
               world.time(), kPrecision);
    printPluginSummary(world.plugin());
    using enum Table::Align;
    Table values({{"signal"}, {"at the end", Right}});
    const std::vector<double> last = rowOf(world, signals);
    for (std::size_t i = 0; i < signals.size(); ++i) {
        values.addRow({signals[i].column, fmt::format("{:.9g}", last[i + 1])});
    }
    fmt::print("{}", values.text());
}

Json jsonSummary(const RobotWorld& world, const std::vector<RobotSignal>& signals, bool interrupted) {
    Json json;
    json["scene"] = world.scene().name;
    json["precision"] = kPrecision;
    json["rate"] = world.rate();
    json["ticks"] = world.ticks();
    json["time"] = world.time();
    json["interrupted"] = interrupted;
    addPluginSummary(world.plugin(), json);
    json["units"] = {{"rate", "Hz"}, {"time", "s"}, {"energy", "J"}};
    json["values"] = Json::object();
    const std::vector<double> last = rowOf(world, signals);
    for (std::size_t i = 0; i < signals.size(); ++i) {
        json["values"][signals[i].column] = last[i + 1];
        json["units"]["values"][signals[i].column] = signalUnit(signals[i].name);
    }
    return json;
}

}  // namespace

bool isRobot(const std::filesystem::path& file) {
    if (file.extension() == kUrdf) return true;
    std::ifstream stream(file, std::ios::binary);
    return isRobotScene(std::string{std::istreambuf_iterator<char>(stream), {}});
}

int runRobot(const std::filesystem::path& file, const RunOptions& options) {
    RobotScene scene = loadAny(file, options);
    if (options.duration > 0) scene.duration = options.duration;
    const std::vector<RobotSignal> signals =
        options.patterns.empty() ? recordedRobotSignals(scene) : pickSignals(scene, options.patterns);
    RobotWorld world(std::move(scene), options.rate > 0 ? std::optional<double>(options.rate) : std::nullopt);

    const InterruptGuard guard;
    std::optional<CsvFile> csv;
    if (!options.csv.empty()) {
        std::vector<std::string> headers = {"time"};
        for (const RobotSignal& signal : signals) headers.push_back(signal.column);
        csv.emplace(options.csv, headers);
        csv->addRow(rowOf(world, signals));
    }
    runTicks(world, signals, csv ? &*csv : nullptr);
    const bool interrupted = world.ticks() < world.ticksToEnd();
    if (csv) csv->finish();
    if (options.json) {
        printJson(jsonSummary(world, signals, interrupted));
    } else if (options.csv.empty()) {
        printSummary(world, signals);
    }
    if (!interrupted) return kOk;
    fmt::print(stderr, "elasto: interrupted at {:g} s{}\n", world.time(),
               csv ? fmt::format("; {} holds the {} rows so far", options.csv, world.ticks() + 1) : std::string());
    return kInterrupted;
}

}  // namespace elasto::tools
