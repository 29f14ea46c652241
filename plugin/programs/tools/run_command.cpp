#include <elasto/reference/nrmse.h>
#include <elasto/reference/reference.h>
#include <elasto/scene/csv_file.h>
#include <elasto/scene/inside_tick.h>
#include <elasto/scene/printable.h>
#include <elasto/scene/recorder.h>
#include <elasto/scene/scene_world.h>
#include <elasto/scene/signals.h>
#include <elasto/scene/start.h>
#include <elasto/scene/tick_grid.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "accuracy_option.h"
#include "assets.h"
#include "checked_run.h"
#include "commands.h"
#include "exit_codes.h"
#include "interrupt.h"
#include "options.h"
#include "print.h"
#include "result_constants.h"
#include "robot_run.h"
#include "run_options.h"
#include "run_report.h"
#include "scene_input.h"
#include "suggestion.h"
#include "tick_folder.h"
#include "tool_errors.h"
#include "whole_files.h"

namespace elasto::tools {

namespace {

void addOnce(std::vector<Signal>& picked, const Signal& signal) {
    const bool there = std::any_of(picked.begin(), picked.end(), [&](const Signal& one) {
        return one.kind == signal.kind && one.index == signal.index && one.component == signal.component;
    });
    if (!there) picked.push_back(signal);
}

/// Signals by the scene's own names for them, then by their full names.
std::vector<Signal> pickSignals(const Scene& scene, const std::vector<std::string>& patterns) {
    std::vector<Signal> picked;
    for (const std::string& pattern : patterns) {
        const std::size_t before = picked.size();
        bool fits = false;
        for (const std::vector<Signal>& signals : {recordedSignals(scene), availableSignals(scene)}) {
            for (const Signal& signal : signals) {
                if (!matchesPattern(pattern, signal.column)) continue;
                fits = true;
                addOnce(picked, signal);
            }
        }
        if (!fits && picked.size() == before) {
            std::vector<std::string> names;
            for (const Signal& signal : availableSignals(scene)) names.push_back(signal.name);
            throw InputError(
                fmt::format("--signals: '{}' fits no signal of the scene{}", pattern, suggestion(pattern, names)));
        }
    }
    return picked;
}

std::vector<double> lastValues(const SceneWorld& world, const std::vector<Signal>& signals) {
    const SceneSample sample = world.sample();
    std::vector<double> values;
    for (const Signal& signal : signals) values.push_back(signalValue(world.scene(), sample, signal));
    return values;
}

/// Rows just before and just after contacts begin and end within ticks.
class EventRows {
public:
    explicit EventRows(SceneWorld& world)
        : m_world(world), m_times(world), m_places(startNetwork(world.scene())), m_start(world.sample()) {}

    /// Those of the last tick, in the order of time. @param end when it ended
    std::vector<SceneSample> take(const SceneSample& end) {
        // Far enough from the event for the sides to differ, near enough to be the same instant for who looks.
        const double h = m_world.tickLength(), beside = 1e-9 * h;
        std::vector<SceneSample> rows;
        for (const double t : m_times.take()) {
            for (const double side : {t - beside, t + beside}) {
                rows.push_back(sampleInside(m_world, m_places, m_start, end, std::clamp(side, 0., h)));
                rows.back().time = m_start.time + t;
            }
        }
        m_start = end;
        return rows;
    }

private:
    SceneWorld& m_world;
    ContactTimes m_times;
    FlowNetwork m_places;
    SceneSample m_start;  ///< of the tick that is done next
};

Trajectory trajectoryOf(const Recorder& recorder) {
    Trajectory run{.time = recorder.time(), .signals = {}, .columns = {}};
    for (std::size_t i = 0; i < recorder.signals().size(); ++i) {
        run.signals.push_back(recorder.signals()[i].column);
        run.columns.push_back(recorder.column(i));
    }
    return run;
}

/// @throws InputError where outputs are in the way of each other or of a file that is read, or something asks for one
/// that is not there
void checkOutputs(const RunOptions& options, const std::vector<std::filesystem::path>& scene) {
    const auto whole = [](const std::string& file) { return std::filesystem::absolute(file).lexically_normal(); };
    const std::array<std::pair<const char*, const std::string*>, 3> files = {
        {{"--csv", &options.csv}, {"--mat", &options.mat}, {"--table", &options.table}}};
    for (const std::filesystem::path& read : scene) {
        for (const auto& [option, written] : files) refuseOverwriting(read, option, *written);
    }
    for (const auto& [option, written] : files) refuseOverwriting(options.elements, option, *written);
    for (std::size_t i = 0; i < files.size(); ++i) {
        for (std::size_t k = 0; k < i; ++k) {
            if (files[i].second->empty() || files[k].second->empty()) continue;
            if (whole(*files[i].second) != whole(*files[k].second)) continue;
            throw InputError(fmt::format("{}: '{}' is not allowed; it is the file of {}", files[i].first,
                                         *files[i].second, files[k].first));
        }
    }
    if (options.hasEvents && options.file().empty()) {
        throw InputError("--events needs --csv, --mat or --table: it adds rows to these");
    }
}

/// The scene by SUNDIALS CVODE instead of Bullet: the same columns at the same times.
int runReference(Scene scene, const RunOptions& options) {
    if (options.file().empty()) throw InputError("--reference needs --csv, --mat or --table");
    if (options.hasEvents || options.json || options.isStrict || !options.capture.empty()) {
        throw InputError("--events, --json, --strict and --capture are for runs of Bullet, not for --reference");
    }
    const TickGrid ticks("--hz", options.rate > 0 ? options.rate : scene.rate);
    std::vector<double> times;
    for (long k = 0; k <= ticks.ticksIn(scene.duration, "--duration"); ++k) times.push_back(ticks.timeOf(k));
    const std::vector<Signal> signals =
        options.patterns.empty() ? recordedSignals(scene) : pickSignals(scene, options.patterns);
    const auto hasShape = [](const SceneBody& body) { return body.shape.type != SceneShape::Type::None; };
    if (std::count_if(scene.bodies.begin(), scene.bodies.end(), hasShape) > 1) {
        printMessage("note: shapes pass through each other in the reference, which knows no contacts of shapes");
    }
    const Trajectory all = solveReference(scene, times);
    Trajectory run{.time = times, .signals = {}, .columns = {}};
    for (const Signal& signal : signals) {
        run.signals.push_back(signal.column);
        run.columns.push_back(all.at(signal.name));
    }
    if (options.isKept()) {
        WholeFiles whole(options, static_cast<double>(times.size()), static_cast<double>(signals.size()));
        whole.write(run, constantsOf(scene));
    }
    if (options.csv.empty()) return kOk;
    std::vector<std::string> columns = {"time"};
    columns.insert(columns.end(), run.signals.begin(), run.signals.end());
    CsvFile csv(options.csv, columns);
    for (std::size_t row = 0; row < times.size(); ++row) {
        std::vector<double> values = {times[row]};
        for (const std::vector<double>& column : run.columns) values.push_back(column[row]);
        csv.addRow(values);
    }
    csv.finish();
    return kOk;
}

int run(const RunOptions& options) {
    const std::filesystem::path file = findScene(options.scene);
    const SceneInput input(file);
    checkOutputs(options, input.files());
    if (input.isRobot()) {
        if (options.isReference) throw InputError("--reference is for scenes; " + file.string() + " is a robot");
        return runRobot(input, options);
    }
    if (options.isOfRobots()) {
        throw InputError("--elements, --stops, --fixed-base, --free-base and --bullet are for robots' files; " +
                         file.string() + " is none");
    }
    Scene scene = input.scene();
    if (options.duration > 0) scene.duration = options.duration;
    if (options.isReference) return runReference(std::move(scene), options);
    SceneWorld world(std::move(scene), options.rate > 0 ? std::optional<double>(options.rate) : std::nullopt);
    world.plugin().setThreads(options.threads);
    world.plugin().setAccuracy(options.accuracy);
    const std::vector<Signal> signals =
        options.patterns.empty() ? recordedSignals(world.scene()) : pickSignals(world.scene(), options.patterns);

    const InterruptGuard guard;
    std::optional<Recorder> recorder;
    if (!options.csv.empty()) {
        recorder.emplace(world, signals);
        recorder->streamCsv(options.csv);
    }
    std::optional<Recorder> kept;  // these files are written as a whole
    if (options.isKept()) kept.emplace(world, signals);
    WholeFiles whole(options, static_cast<double>(world.ticksToEnd()) + 1, static_cast<double>(signals.size()));
    CheckedRun checked(world);
    WatchedStops stops(world);
    std::optional<EventRows> events;
    if (options.hasEvents) events.emplace(world);
    const TickFolder ticks(options.capture, world.plugin());
    runToEnd(world, [&] {
        SceneSample end = checked.step();
        stops.afterTick(end);
        for (const SceneSample& row : events ? events->take(end) : std::vector<SceneSample>()) {
            if (recorder) recorder->record(row);
            if (kept) kept->record(row);
        }
        if (recorder) recorder->record(end);
        if (kept) kept->record(std::move(end));
    });
    if (recorder) recorder->finishCsv();
    if (kept) whole.write(trajectoryOf(*kept), constantsOf(world.scene()));
    const RunReport report =
        reportOf(world, signals, lastValues(world, signals), {.untouched = stops.untouched(), .unstable = {}});
    const bool isRecorded = recorder || kept;
    return finish(report, options, isRecorded ? static_cast<long>((recorder ? *recorder : *kept).rows()) : 0);
}

}  // namespace

void addRunCommand(CLI::App& app, Action& action) {
    auto options = std::make_shared<RunOptions>();
    CLI::App* command = app.add_subcommand("run", "Simulate a scene or a robot");
    command
        ->add_option("SCENE", options->scene, "Scene file, URDF or SDF file, or name of a scene that comes with Elasto")
        ->required();
    command->add_option("--hz", options->rate, "Ticks per second [Hz]; default: the scene's")->check(tickRate());
    command->add_option("--duration", options->duration, "Simulated time [s]; default: the scene's")
        ->check(numberAbove(0));
    command->add_option("--csv", options->csv, "File for the recorded signals, one row per tick")->check(fileName());
    command->add_option("--mat", options->mat, "The same as a result file of Dymola and OpenModelica (MAT, version 4)")
        ->check(fileName());
    command->add_option("--table", options->table, "The same as text for Modelica's CombiTimeTable")->check(fileName());
    command->add_flag("--events", options->hasEvents,
                      "Also two rows, before and after, where contact begins or ends, as Modelica tools write them");
    command->add_option("--signals", options->patterns,
                        "Signals to record instead of the scene's; * stands for any text, ? for one character");
    command->add_flag("--reference", options->isReference,
                      "Solve the scene by SUNDIALS CVODE instead, as verify does: same signals and times, no contacts");
    command->add_flag("--json", options->json, "Print a JSON summary");
    command
        ->add_option("--capture", options->capture,
                     "Folder for ticks that are not exact, a file per network, 100 at most: for elasto tick")
        ->check(fileName());
    command->add_flag("--strict", options->isStrict, "Exit code 3 unless all ticks are exact");
    command
        ->add_option("--threads", options->threads,
                     "Threads that solve networks; the results are the same, bit for bit")
        ->check(countUpTo(1024));
    addAccuracy(*command, options->accuracy);
    command->add_option("--elements", options->elements, "Robots: file of more elements (<elasto:elements>)")
        ->check(fileName());
    command->add_option("--stops", options->stops, "Robots: c and d of an ElastoGap at every limit of a joint")
        ->expected(2)
        ->check(numberAtLeast(0));
    CLI::Option* isFixed = command->add_flag("--fixed-base", options->isBaseFixed, "Robots: the root link never moves");
    command
        ->add_flag("--free-base", options->isBaseFree,
                   "Robots: the root link moves; one without mass gets that of the links fixed to it")
        ->excludes(isFixed);
    command->add_flag("--bullet", options->isLeftToBullet,
                      "Robots: Bullet's own step moves the robot, which must have no elements");
    command->footer(
        "Without --csv, --mat or --table it prints a summary: methods, events, energies, last values of the signals.\n"
        "A line names stops that were never touched and servos of robots that are unstable at their rate.\n"
        "The last line says how good the ticks were: all exact, or how many are not, by how much, why, and which tick\n"
        "rate makes them exact: the run is done again at up to 16 times its rate, for as long or for ten seconds.\n"
        "A file gets its name when it is complete. After Ctrl-C it holds the rows so far; exit code 130.\n"
        "Example: elasto run elasto_gap --hz 60 --csv gap.csv --signals '*.s_rel' '*.f_mean'");
    command->callback([options, &action] { action = [options] { return run(*options); }; });
}

}  // namespace elasto::tools
