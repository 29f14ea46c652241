// elasto replay: runs a recording again and says whether the bits are the same.

#include <play/recording.h>
#include <play/robot_file.h>
#include <play/world_replay.h>

#include <commands.h>
#include <elasto/scene/file_error.h>
#include <elasto/scene/input_file.h>
#include <elasto/version.h>
#include <exit_codes.h>
#include <fmt/format.h>
#include <interrupt.h>
#include <json_output.h>
#include <print.h>
#include <progress.h>
#include <scene_input.h>
#include <tool_errors.h>

#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <utility>

namespace elasto::tools {

namespace {

using play::ReplayOptions;

std::string otherVersion(const play::Recording& recording) {
    if (recording.version == version()) return {};
    return fmt::format("it was recorded by Elasto {}, this is {}", recording.version, version());
}

void printResult(const play::Recording& recording, const play::Replay& run) {
    printText("{}: {} of {} ticks at {:g} Hz, {} inputs, {} precision\n", recording.scene.name, run.tick(),
              recording.ticks(), recording.rate, recording.inputs.size(), recording.precision);
    if (run.difference()) {
        printText("differs first at {}\n", run.difference()->text());
        const std::string version = otherVersion(recording);
        if (!version.empty()) printText("{}\n", version);
    } else if (run.isDone()) {
        printText("all bits are those of the recording\n");
    }
}

Json jsonResult(const play::Recording& recording, const play::Replay& run) {
    Json json;
    json["scene"] = recording.scene.name;
    json["precision"] = recording.precision;
    json["version"] = recording.version;
    json["rate"] = recording.rate;
    json["inputs"] = recording.inputs.size();
    json["ticks"] = recording.ticks();
    json["replayed"] = run.tick();
    json["same"] = !run.difference() && run.isDone();
    if (const auto& difference = run.difference()) {
        json["difference"] = {{"tick", difference->tick},
                              {"time", difference->time},
                              {"body", difference->body},
                              {"problem", difference->problem}};
    }
    return json;
}

/// The scene of the robots that were recorded. Who recorded them has read their warnings.
RobotScene recordedRobots(const std::filesystem::path& file) {
    try {
        const SceneInput input(file);
        if (!input.isRobot()) throw play::RecordingError("its robot's file " + file.string() + " is no robot any more");
        RobotScene robots = input.robot([](const std::string& /*warning*/) {});
        return input.isRobotFile() ? play::standingOnGround(std::move(robots)) : robots;
    } catch (const FileError& error) {
        throw play::RecordingError("its robot's file is needed: " + std::string(error.what()));
    }
}

/// What adds the recorded robots to the world; nothing where it had none.
std::function<void(SceneWorld&)> preparedBy(const play::Recording& recording) {
    const std::filesystem::path file = play::robotThatPrepared(recording.prepared);
    if (file.empty()) return {};
    return play::prepareRobots(recordedRobots(file));
}

int replay(const ReplayOptions& options) {
    const std::string content = readFile(options.file);
    if (play::isWorldRecording(content)) return play::replayWorld(options, content);
    play::Recording recording;
    std::optional<play::Replay> run;
    try {
        recording = play::parseRecording(content, options.file);
        run.emplace(recording, preparedBy(recording));
    } catch (const play::RecordingError& error) {
        const std::string message = error.what();
        throw InputError(message.starts_with(options.file) ? message : options.file + ": " + message);
    }
    const InterruptGuard guard;
    {
        Progress progress("replay");
        while (!run->isDone() && !InterruptGuard::interrupted()) {
            run->step();
            progress.update(static_cast<double>(run->tick()) / static_cast<double>(recording.ticks()));
        }
    }
    if (options.json) {
        printJson(jsonResult(recording, *run));
    } else {
        printResult(recording, *run);
    }
    if (!run->isDone()) return kInterrupted;
    return options.check && run->difference() ? kDifferent : kOk;
}

void addReplayCommand(CLI::App& app, Action& action) {
    auto options = std::make_shared<ReplayOptions>();
    CLI::App* command = app.add_subcommand("replay", "Run a recording (.elrec) again");
    command->add_option("FILE", options->file, "Recording made by elasto-gallery, or by a program (Plugin::record)")
        ->required();
    command->add_flag("--check", options->check, "Exit code 1 where the bits are not those of the recording");
    command->add_flag("--json", options->json, "Print a JSON summary");
    command->footer(
        "It tells the first tick that differs. A recording runs in the precision it was made in.\n"
        "Example: elasto replay crash.elrec --check");
    command->callback([options, &action] { action = [options] { return replay(*options); }; });
}

const MoreCommand kReplay(addReplayCommand);

}  // namespace

}  // namespace elasto::tools
