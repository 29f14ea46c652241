#include <play/world_replay.h>

#include <elasto/world_recording.h>

#include <elasto/errors.h>
#include <elasto/version.h>
#include <exit_codes.h>
#include <fmt/format.h>
#include <grade_line.h>
#include <interrupt.h>
#include <json_output.h>
#include <print.h>
#include <progress.h>
#include <tool_errors.h>

#include <optional>
#include <sstream>

namespace elasto::play {

namespace {

constexpr const char* kFirstLine = "Elasto world recording ";

const char* precisionName() {
    return sizeof(btScalar) == sizeof(double) ? "double" : "single";
}

// What may explain that the bits differ.
std::vector<std::string> explanations(const WorldRecording& recording) {
    std::vector<std::string> lines = recording.notes();
    if (recording.version() != version()) {
        lines.push_back(fmt::format("it was recorded by Elasto {}, this is {}", recording.version(), version()));
    }
    return lines;
}

void printResult(const std::string& file, const WorldRecording& recording, const WorldReplay& replay) {
    tools::printText("{}: {} of {} ticks from t = {:g} s, {} precision\n", file, replay.tick(), recording.ticks(),
                     recording.startTime(), precisionName());
    if (replay.differs()) {
        tools::printText("differs first at the end of tick {}, t = {:g} s\n", replay.tick(), replay.time());
        for (const std::string& line : explanations(recording)) tools::printText("{}\n", line);
    } else if (replay.isDone()) {
        tools::printText("all bits are those of the recording\n");
    }
    tools::printText("{}\n", tools::gradeLine(replay.totals()));
}

tools::Json jsonResult(const WorldRecording& recording, const WorldReplay& replay) {
    tools::Json json;
    json["precision"] = precisionName();
    json["version"] = recording.version();
    json["startTime"] = recording.startTime();
    json["ticks"] = recording.ticks();
    json["replayed"] = replay.tick();
    json["same"] = replay.isDone() && !replay.differs();
    json["notes"] = recording.notes();
    json["grade"] = tools::gradeJson(replay.totals());
    if (replay.differs()) json["difference"] = {{"tick", replay.tick()}, {"time", replay.time()}};
    return json;
}

}  // namespace

bool isWorldRecording(const std::string& content) {
    return content.starts_with(kFirstLine);
}

int replayWorld(const ReplayOptions& options, const std::string& content) {
    WorldRecording recording;
    std::optional<WorldReplay> replay;
    const tools::InterruptGuard guard;
    try {
        std::istringstream in(content);
        recording = WorldRecording::read(in, options.file);
        replay.emplace(recording);
        tools::Progress progress("replay");
        while (!replay->isDone() && !tools::InterruptGuard::interrupted()) {
            replay->step();
            progress.update(static_cast<double>(replay->tick()) / static_cast<double>(recording.ticks()));
        }
    } catch (const InvalidParameter& error) {
        const std::string message = error.what();
        throw tools::InputError(message.starts_with(options.file) ? message : options.file + ": " + message);
    }
    if (options.json) {
        tools::printJson(jsonResult(recording, *replay));
    } else {
        printResult(options.file, recording, *replay);
    }
    if (!replay->isDone()) return tools::kInterrupted;
    return options.check && replay->differs() ? tools::kDifferent : tools::kOk;
}

}  // namespace elasto::play
