#include "file_kinds.h"

#include <base_scene.h>
#include <coupled_plan.h>
#include <csv.h>
#include <measure.h>
#include <play/recording.h>
#include <row_text.h>
#include <runs_file.h>
#include <sample_points.h>
#include <study_file.h>
#include <sweep_table.h>
#include <tool_errors.h>
#include <verify_cases.h>

#include <elasto/errors.h>
#include <elasto/robot/load_robot.h>
#include <elasto/robot/robot_world.h>
#include <elasto/scene/file_error.h>
#include <elasto/scene/input_file.h>
#include <elasto/scene/load_scene.h>
#include <elasto/scene/output_file.h>
#include <elasto/scene/recorder.h>
#include <elasto/scene/scene_world.h>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <map>
#include <stdexcept>
#include <variant>

namespace elasto::fuzz {

namespace fs = std::filesystem;

namespace {

constexpr std::array<const char*, kFileKinds> kNames = {"scene",     "robot-scene", "robot", "elements", "sweep",
                                                        "recording", "table",       "runs",  "plan"};
constexpr long kTicks = 6;

/// SDF with frames, a nested model, an axis in another frame, stops, a spring and an element.
constexpr const char* kSdfSeed = R"(<sdf version="1.9"><model name="m" canonical_link="a"><pose>1 2 3 0 0 0.5</pose>
<link name="a"><inertial><mass>2</mass><inertia><ixx>0.1</ixx><iyy>0.1</iyy><izz>0.1</izz><ixy>0.01</ixy></inertia>
</inertial></link>
<link name="b"><pose relative_to="f">1 0 1 0 0 1.57</pose><collision name="c"><geometry><ellipsoid><radii>1 2 3</radii>
</ellipsoid></geometry><surface><friction><ode><mu>0.7</mu></ode></friction><contact><ode><kp>1e5</kp><kd>3</kd></ode>
</contact></surface></collision></link>
<link name="c"><pose relative_to="j_b">0 0 1 0 0 0</pose></link>
<frame name="f" attached_to="a"><pose>0 1 0 0 0 0</pose></frame>
<frame name="g" attached_to="f"><pose relative_to="b" degrees="true">0 0 2 0 0 90</pose></frame>
<joint name="j_b" type="revolute"><parent>a</parent><child>b</child><axis><xyz expressed_in="g">0 0 1</xyz>
<limit><lower>-1</lower><upper>2</upper><stiffness>400</stiffness><dissipation>3</dissipation></limit>
<dynamics><damping>0.1</damping><spring_stiffness>4</spring_stiffness></dynamics></axis></joint>
<joint name="j_c" type="universal"><pose>0 0.1 0 0 0 0</pose><parent>b</parent><child>c</child>
<axis><xyz>1 0 0</xyz></axis><axis2><xyz>0 1 0</xyz><mimic joint="j_b"><multiplier>2</multiplier></mimic></axis2></joint>
<model name="n" placement_frame="x"><link name="x"><pose>0 1 0 0 0 0</pose></link></model>
<joint name="k" type="fixed"><parent>a</parent><child>n::x</child></joint>
<elasto:backlash joint="j_b" c="1e3" d="1" b="0.01" inertia="1e-3" ratio="50"/></model></sdf>)";

/// The run of a world ended as it may: not a mistake of the reader's.
struct Ended : std::runtime_error {
    using std::runtime_error::runtime_error;
};
/// Something is wrong that is no exception by itself.
struct Wrong : std::runtime_error {
    using std::runtime_error::runtime_error;
};

using Bits = std::vector<std::uint64_t>;

double checked(const std::string& signal, long tick, double value) {
    if (!std::isfinite(value)) throw Wrong(fmt::format("{} is {} after tick {}", signal, value, tick));
    return value;
}

Bits values(const SceneWorld& world, const std::vector<Signal>& signals) {
    const SceneSample sample = world.sample();
    Bits bits;
    for (const Signal& signal : signals) {
        const double value = checked(signal.name, world.ticks(), signalValue(world.scene(), sample, signal));
        bits.push_back(std::bit_cast<std::uint64_t>(value));
    }
    return bits;
}

Bits values(const RobotWorld& world, const std::vector<RobotSignal>& signals) {
    Bits bits;
    for (const RobotSignal& signal : signals) {
        bits.push_back(std::bit_cast<std::uint64_t>(checked(signal.name, world.ticks(), world.value(signal))));
    }
    return bits;
}

template <typename World, typename Signals>
Bits run(World& world, const Signals& signals) {
    Bits all = values(world, signals);
    const long end = std::min(kTicks, world.ticksToEnd());
    while (world.ticks() < end) {
        try {
            world.step();
        } catch (const InvalidParameter& refused) {
            throw Ended(refused.what());
        }
        const Bits now = values(world, signals);
        all.insert(all.end(), now.begin(), now.end());
    }
    return all;
}

template <typename World, typename Scene, typename Signals>
void runTwice(const Scene& scene, const Signals& signals) {
    const auto once = [&] {
        World world(scene);
        return run(world, signals);
    };
    if (once() != once()) throw Wrong("the second run of it has other bits");
}

void tryWorld(const Scene& scene) {
    recordedSignals(scene);
    runTwice<SceneWorld>(scene, availableSignals(scene));
}

void tryWorld(const RobotScene& scene) {
    recordedRobotSignals(scene);
    runTwice<RobotWorld>(scene, availableRobotSignals(scene));
}

void tryScene(std::string_view text) {
    const Scene scene = parseScene(text, "scene.json");
    const std::string written = writeScene(scene);
    std::string again;
    try {
        again = writeScene(parseScene(written, "written.json"));
    } catch (const SceneError& error) {
        throw Wrong(fmt::format("what is written of it is refused: {}", error.what()));
    }
    if (again != written) throw Wrong("what is written of it reads back to something else");
    tryWorld(scene);
}

/// Warnings are made, and nobody reads them.
void noReader(const std::string&) {}

void tryRobot(std::string_view text, const fs::path& file) {
    LoadRobotOptions quiet;
    quiet.messageHandler = noReader;
    const RobotDescription robot = parseRobot(text, file, quiet);
    tryWorld(sceneOfRobot(robot));
    // The same with a stop at every limit, which makes elements of them.
    LoadRobotOptions options = quiet;
    options.stops = RobotStops{.c = 1e4, .d = 20};
    RobotScene stopped = sceneOfRobot(parseRobot(text, file, options));
    stopped.base = RobotScene::Base::Fixed;
    tryWorld(stopped);
}

void trySweep(std::string_view text, const fs::path& file) {
    const sweep::Study study = sweep::parseStudy(text, "sweep.json");
    const sweep::BaseScene base(study, file);
    base.content(study);
    const std::vector<sweep::SignalName> names = sweep::signalNames(base.scene());
    for (const sweep::Metric& metric : study.metrics) {
        if (sweep::refusalOf(metric, names).empty()) sweep::signalOf(metric, names);
    }
    sweep::headerText(study);
    for (const std::size_t point : {std::size_t(0), study.sample.runs / 2, study.sample.runs - 1}) {
        const std::vector<sweep::Value> values = sweep::pointOf(study, point);
        sweep::rowText(point, values, {std::vector<std::optional<double>>(study.metrics.size()), ""});
        std::visit([](const auto& scene) { tryWorld(scene); }, base.scene(values));
    }
}

void tryRecording(std::string_view text) {
    const play::Recording recording = play::parseRecording(text, "run.elrec");
    if (play::writeRecording(play::parseRecording(play::writeRecording(recording))) !=
        play::writeRecording(recording)) {
        throw Wrong("what is written of it reads back to something else");
    }
    play::Replay replay(recording);
    constexpr long kMost = 40;
    while (!replay.isDone() && replay.tick() < kMost) replay.step();
    if (replay.difference()) replay.difference()->text();
}

void tryTable(std::string_view text) {
    if (tools::isSweepTable(text, "run.csv")) {
        const tools::SweepTable table = tools::parseSweepTable(text, "run.csv");
        for (const std::string& column : table.columns()) {
            try {
                table.numbers(table.columnOf(column), "run.csv");
            } catch (const tools::InputError&) {
                // Columns of texts are there, too.
            }
        }
    } else {
        const Trajectory run = tools::parseCsv(text, "run.csv");
        for (const auto& column : run.columns) {
            if (column.size() != run.time.size()) throw Wrong("a column has another length than the time");
            for (const double value : column) checked("a value", 0, value);
        }
    }
}

const sweep::Identity kIdentity = {"0123", "4567", "double", "0.1.0", 40};

void tryRuns(std::string_view text, const fs::path& folder) {
    const fs::path file = folder / "fuzz.runs";
    writeFile(file, text);
    const sweep::StoredRuns runs = sweep::readRuns(file, kIdentity);
    for (const auto& [run, row] : runs.rows) {
        if (run >= kIdentity.runs || sweep::runOfRow(row) != run) throw Wrong("a row has a wrong number");
    }
}

/// One of the two plans: which one nothing in the text says.
void tryPlan(std::string_view text) {
    try {
        tools::parseVerifyPlan(text, "verify.json");
    } catch (const tools::InputError&) {
        tools::parseCoupledPlan(text, "verify_coupled.json");
        return;
    }
    try {
        tools::parseCoupledPlan(text, "verify_coupled.json");
    } catch (const tools::InputError&) {
        // It is the other one.
    }
}

void tryKind(FileKind kind, std::string_view text, const fs::path& assets, const fs::path& temporary) {
    switch (kind) {
        case FileKind::Scene:
            return tryScene(text);
        case FileKind::RobotScene:
            if (!isRobotScene(text)) return tryScene(text);
            return tryWorld(parseRobotScene(text, assets / "robots" / "fuzz.json", noReader));
        case FileKind::Robot:
            return tryRobot(text, assets / "robots" / "fuzz.urdf");
        case FileKind::Elements: {
            LoadRobotOptions options;
            options.elementsFile = temporary / "fuzz.xml";
            writeFile(options.elementsFile, text);
            return tryWorld(sceneOfRobot(loadRobot(assets / "robots" / "arm6.urdf", options)));
        }
        case FileKind::Sweep:
            return trySweep(text, assets / "sweeps" / "fuzz.json");
        case FileKind::Recording:
            return tryRecording(text);
        case FileKind::Table:
            return tryTable(text);
        case FileKind::Runs:
            return tryRuns(text, temporary);
        case FileKind::Plan:
            return tryPlan(text);
    }
}

// --- Files to begin with ---

constexpr const char* kElements = R"(<?xml version="1.0"?>
<elasto:elements xmlns:elasto="urn:elasto">
  <elasto:gap name="turn.stop" joint="turn" side="upper" c="900" d="2" s_rel0="0.01"/>
  <elasto:gap name="stop" joint="elbow" side="both" c="5e3" d="20"/>
</elasto:elements>
)";
constexpr const char* kSweepTable =
    "\"run\",\"c\",\"d\",\"kind\",\"status\",\"max(gap.f)\",\"heat\",\"reason\"\n"
    "1,1,10,\"a\",ok,5,0.5,\n"
    "2,1,20,\"a\",ok,6,0.25,\n"
    "3,100,10,\"a\",failed,,,\"no, \"\"c\"\" is wrong\"\n"
    "4,100,20,\"b\",ok,8,-1.25e-3,\n";

play::Recording recorded(const Scene& scene) {
    play::Session session(scene, {.rate = 120, .balls = 1});
    const auto run = [&] {
        for (int i = 0; i < 4; ++i) session.step();
    };
    run();
    for (std::size_t body = 0; body < scene.bodies.size(); ++body) {
        if (!session.isMovedByForces(static_cast<int>(body))) continue;
        session.beginDrag(static_cast<int>(body), {0, 0, 0}, {0.1, 0.6, 0});
        run();
        session.moveDrag({0.2, 0.4, 0.1});
        run();
        session.endDrag();
        session.beginTurn(static_cast<int>(body));
        run();
        session.moveTurn(Eigen::Quaterniond(0.8, 0.6, 0, 0));
        run();
        session.endTurn();
        break;
    }
    session.throwBall({0, 1, 3}, {0, 0, -4});
    session.setEnabled(0, false);
    run();
    session.setEnabled(0, true);
    if (std::holds_alternative<ElastoGapLaw>(session.law(0))) session.setParameter(0, "c", 3e4);
    session.setIterations(20);
    session.setGravity({0, -3, 0});
    for (std::size_t joint = 0; joint < scene.joints.size(); ++joint) {
        if (scene.joints[joint].motor) session.setMotor(static_cast<int>(joint), 2, 10);
    }
    run();
    return play::recordingOf(session);
}

std::string csvOf(const Scene& scene, const fs::path& temporary) {
    SceneWorld world(scene);
    Recorder recorder(world);
    for (int i = 0; i < 20; ++i) {
        world.step();
        recorder.record();
    }
    const fs::path file = temporary / "seed.csv";
    recorder.writeCsv(file);
    return readFile(file);
}

std::string runsText(const fs::path& temporary) {
    const fs::path file = temporary / "seed.runs";
    fs::remove(file);
    {
        sweep::RunsFile runs(file, kIdentity, {});
        for (std::size_t run = 0; run < 12; ++run) {
            runs.append(sweep::rowText(run, {sweep::Value(1e3), sweep::Value("text")}, {{1.5, std::nullopt}, ""}));
        }
    }
    return readFile(file);
}

std::vector<fs::path> filesIn(const fs::path& folder, const std::string& extension) {
    std::vector<fs::path> files;
    for (const fs::directory_entry& entry : fs::recursive_directory_iterator(folder)) {
        if (entry.is_regular_file() && entry.path().extension() == extension) files.push_back(entry.path());
    }
    std::sort(files.begin(), files.end());
    return files;
}

}  // namespace

const char* nameOf(FileKind kind) {
    return kNames[static_cast<std::size_t>(kind)];
}

FileKind fileKind(const std::string& name) {
    std::string all;
    for (std::size_t i = 0; i < kNames.size(); ++i) {
        if (name == kNames[i]) return static_cast<FileKind>(i);
        all += (all.empty() ? "" : ", ") + std::string(kNames[i]);
    }
    throw std::invalid_argument("'" + name + "' is not allowed; it must be one of " + all);
}

bool isJson(FileKind kind) {
    return kind == FileKind::Scene || kind == FileKind::RobotScene || kind == FileKind::Sweep ||
           kind == FileKind::Recording || kind == FileKind::Plan;
}

bool isXml(FileKind kind) {
    return kind == FileKind::Robot || kind == FileKind::Elements;
}

FileFinding tryFile(FileKind kind, std::string_view text, const fs::path& assets, const fs::path& temporary) {
    try {
        tryKind(kind, text, assets, temporary);
        return {};
    } catch (const Ended& error) {
        return {Reading::Ended, error.what()};
    } catch (const Wrong& error) {
        return {Reading::Failed, error.what()};
    } catch (const SceneError& error) {
        return {Reading::Refused, error.what()};
    } catch (const RobotError& error) {
        return {Reading::Refused, error.what()};
    } catch (const InvalidParameter& error) {
        return {Reading::Refused, error.what()};
    } catch (const play::RecordingError& error) {
        return {Reading::Refused, error.what()};
    } catch (const tools::InputError& error) {
        return {Reading::Refused, error.what()};
    } catch (const tools::IoError& error) {
        return {Reading::Refused, error.what()};
    } catch (const FileError& error) {
        return {Reading::Refused, error.what()};
    } catch (const std::exception& error) {
        return {Reading::Failed, fmt::format("an error that nobody documents: {}", error.what())};
    }
}

std::vector<SeedFile> seedFiles(const fs::path& assets, const fs::path& temporary) {
    std::vector<SeedFile> seeds;
    for (const char* folder : {"scenes", "robots"}) {
        for (const fs::path& file : filesIn(assets / folder, ".json")) {
            std::string text = readFile(file);
            const FileKind kind = isRobotScene(text) ? FileKind::RobotScene : FileKind::Scene;
            seeds.push_back({kind, file.stem().string(), std::move(text)});
        }
    }
    for (const fs::path& file : filesIn(assets / "robots", ".urdf")) {
        seeds.push_back({FileKind::Robot, file.stem().string(), readFile(file)});
    }
    seeds.push_back({FileKind::Robot, "sdf", kSdfSeed});
    for (const fs::path& file : filesIn(assets / "sweeps", ".json")) {
        seeds.push_back({FileKind::Sweep, file.stem().string(), readFile(file)});
    }
    for (const char* plan : {"verify", "verify_coupled"}) {
        seeds.push_back({FileKind::Plan, plan, readFile(assets / (std::string(plan) + ".json"))});
    }
    for (const char* name : {"drop_c1e6_d5", "gear_backlash", "coupled/motor_stall", "coupled/crates"}) {
        const Scene scene = loadScene(assets / "scenes" / (std::string(name) + ".json"));
        seeds.push_back({FileKind::Recording, name, play::writeRecording(recorded(scene))});
        seeds.push_back({FileKind::Table, name, csvOf(scene, temporary)});
    }
    seeds.push_back({FileKind::Table, "sweep", kSweepTable});
    seeds.push_back({FileKind::Elements, "arm6", kElements});
    seeds.push_back({FileKind::Runs, "runs", runsText(temporary)});
    return seeds;
}

std::string sealed(std::string text) {
    constexpr std::string_view kChecksum = "\"checksum\": \"";
    constexpr std::size_t kDigits = 16;
    const std::size_t end = text.rfind(kChecksum);
    if (end == text.npos || text.size() < end + kChecksum.size() + kDigits) return text;
    std::uint64_t sum = 0xcbf29ce484222325u;
    for (std::size_t i = 0; i < end; ++i) sum = (sum ^ static_cast<unsigned char>(text[i])) * 0x100000001b3u;
    text.replace(end + kChecksum.size(), kDigits, fmt::format("{:016x}", sum));
    return text;
}

}  // namespace elasto::fuzz
