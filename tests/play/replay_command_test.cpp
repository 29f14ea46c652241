// elasto replay, run as a user runs it.

#include "play_scenes.h"

#include <program.h>
#include <temporary_folder.h>

#include <play/recording.h>

#include <elasto/scene/output_file.h>

#include <algorithm>

using namespace elasto;
using namespace elasto::play;
using namespace elasto::test;
using Catch::Contains;

namespace {

Recording record() {
    Session session(asset("drop_c1e6_d5"), {.rate = 60, .balls = 1});
    run(session, 20);
    session.beginDrag(0, {0, 0, 0}, {0.1, 0.6, 0});
    run(session, 40);
    return recordingOf(session);
}

void checkRefused(const std::string& file, int code, const std::string& message) {
    const ProgramResult result = runElasto({"replay", file, "--check"});
    INFO(result.errors);
    CHECK(result.code == code);
    CHECK(result.output.empty());
    CHECK_THAT(result.errors, Catch::StartsWith("elasto: ") && Contains(file) && Contains(message));
    CHECK(std::count(result.errors.begin(), result.errors.end(), '\n') == 1);
}

}  // namespace

TEST_CASE("elasto replay confirms a recording") {
    const TemporaryFolder folder;
    const std::string file = folder.file("run.elrec");
    saveRecording(record(), file);
    const ProgramResult result = runElasto({"replay", file, "--check"});
    CHECK(result.code == 0);
    CHECK(result.errors.empty());
    CHECK_THAT(result.output, Contains("60 of 60 ticks at 60 Hz, 1 inputs, " ELASTO_PRECISION " precision") &&
                                  Contains("all bits are those of the recording"));
    CHECK_THAT(runElasto({"replay", file, "--json"}).output, Contains("\"same\": true"));
    CHECK_THAT(runElasto({"replay", "--help"}).output, Contains("Example: elasto replay"));
}

TEST_CASE("elasto replay names the first tick and the body that differ") {
    const TemporaryFolder folder;
    const std::string file = folder.file("run.elrec");
    Recording recording = record();
    std::get<DragBegin>(recording.inputs[0].action).target.y() += 1e-4;
    saveRecording(recording, file);
    const ProgramResult result = runElasto({"replay", file, "--check"});
    CHECK(result.code == 1);
    CHECK_THAT(result.output, Contains("differs first at tick 21") && Contains("body 'mass' differs"));
    CHECK(runElasto({"replay", file}).code == 0);
    CHECK_THAT(runElasto({"replay", file, "--json"}).output, Contains("\"same\": false") && Contains("\"tick\": 21"));
}

TEST_CASE("elasto replay refuses what it cannot run, with one message") {
    const TemporaryFolder folder;
    const std::string file = folder.file("run.elrec");
    const std::string text = writeRecording(record());
    checkRefused(file, 3, "cannot be read");
    writeFile(file, text.substr(0, text.size() / 2));
    checkRefused(file, 2, "is no recording of Elasto, or one that is cut off or damaged");
    std::string damaged = text;
    damaged[text.size() / 2] ^= 1;
    writeFile(file, damaged);
    checkRefused(file, 2, "damaged");
    Recording other = record();
    other.precision = other.precision == "double" ? "single" : "double";
    saveRecording(other, file);
    checkRefused(file, 2, "was recorded in " + other.precision + " precision");
    other = record();
    other.prepared = "crates";
    saveRecording(other, file);
    checkRefused(file, 2, "recorded with 'crates'");
    checkRefused(ELASTO_SOURCE_DIR "/assets/scenes/elasto_gap.json", 2, "is no recording of Elasto");
}
