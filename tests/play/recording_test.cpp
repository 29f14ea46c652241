// Recordings: written, read, run again, and what is wrong with them.

#include "play_scenes.h"

#include <elasto/scene/output_file.h>

#include <play/recording.h>

#include <filesystem>
#include <fstream>

using namespace elasto;
using namespace elasto::play;
using Catch::Contains;

namespace {

/// A session in which every kind of input has happened.
void playAround(Session& session) {
    run(session, 10);
    session.beginDrag(0, {0.01, 0, 0}, {0.1, 0.5, 0});
    run(session, 20);
    session.moveDrag({0.3, 0.6, 0.05});
    session.setParameter(0, "c", 1.25e5);
    run(session, 15);
    session.endDrag();
    session.beginTurn(0);
    session.moveTurn(Eigen::Quaterniond(Eigen::AngleAxisd(0.4, Eigen::Vector3d::UnitZ())));
    run(session, 10);
    session.endTurn();
    session.throwBall({1, 0.5, 0}, {-4, 0.1, 0});
    run(session, 30);
    session.undo();
    session.setGravity({0.1, -3, 0});
    session.setIterations(20);
    run(session, 10);
    session.redo();
    session.setEnabled(0, false);
    run(session, 10);
    session.setEnabled(0, true);
    run(session, 10);
}

Recording record() {
    Session session(asset("drop_c1e6_d5"), {.rate = 60, .balls = 2});
    playAround(session);
    return recordingOf(session);
}

std::optional<ReplayDifference> replay(const Recording& recording) {
    Replay again(recording);
    while (!again.isDone()) again.step();
    return again.difference();
}

std::string refusalOf(const std::string& text) {
    try {
        parseRecording(text, "run.elrec");
    } catch (const RecordingError& error) {
        return error.what();
    }
    return "";
}

}  // namespace

TEST_CASE("a recording runs again with the same bits, in memory and from a file") {
    const Recording recording = record();
    CHECK(recording.ticks() == 115);
    CHECK(recording.inputs.size() == 14);
    CHECK(!replay(recording));

    const auto folder = std::filesystem::temp_directory_path() / "elasto-recording-test";
    std::filesystem::create_directories(folder);
    const auto file = folder / "run.elrec";
    saveRecording(recording, file);
    const Recording read = loadRecording(file);
    std::filesystem::remove_all(folder);
    CHECK(read.marks == recording.marks);
    CHECK(read.ballSize.radius == recording.ballSize.radius);
    CHECK(writeRecording(read) == writeRecording(recording));
    CHECK(!replay(read));
    CHECK_THROWS_AS(loadRecording(file), FileError);
    CHECK_THROWS_WITH(saveRecording(recording, folder / "no" / "run.elrec"), Contains("cannot be written"));
}

TEST_CASE("a replay names the first tick and the body that differ") {
    Recording recording = record();
    // The target of the drag is a little elsewhere: the body is pulled elsewhere in the tick after.
    for (Input& input : recording.inputs) {
        if (auto* move = std::get_if<DragMove>(&input.action)) move->target.x() += byPrecision(1e-9, 1e-3);
    }
    std::optional<ReplayDifference> difference = replay(recording);
    REQUIRE(difference);
    CHECK(difference->tick == 31);
    CHECK(difference->body == "mass");
    CHECK(difference->text() == "tick 31 (t = 0.516667 s): body 'mass' differs");

    recording = record();
    recording.marks[50].bodies[2] ^= 1;
    difference = replay(recording);
    REQUIRE(difference);
    CHECK(difference->tick == 50);
    CHECK(difference->body == "ball 2");

    recording = record();
    recording.marks[7].state ^= 1;
    difference = replay(recording);
    REQUIRE(difference);
    CHECK(difference->tick == 7);
    CHECK(difference->body.empty());

    // An input that the element refuses.
    recording = record();
    for (Input& input : recording.inputs) {
        if (auto* edit = std::get_if<ParameterEdit>(&input.action)) edit->value = -1;
    }
    difference = replay(recording);
    REQUIRE(difference);
    CHECK(difference->tick == 30);
    CHECK_THAT(difference->text(), Contains("parameter") && Contains("ElastoGap 'gap'") && Contains("c = -1"));
}

TEST_CASE("a session takes a recording over, and its timeline lies ahead") {
    const Recording recording = record();
    Session session(recording.scene, optionsOf(recording));
    session.takeOver(recording.inputs, recording.marks);
    CHECK(session.lastTick() == 115);
    CHECK(session.tick() == 0);
    session.seek(70);
    CHECK(session.bitsAreThoseOfTheFirstPass());
    session.seek(115);
    CHECK(session.bitsAreThoseOfTheFirstPass());
    CHECK(session.parameter(0, "c") == 1.25e5);
    session.seek(3);
    CHECK(session.bitsAreThoseOfTheFirstPass());
    session.setIterations(3);
    CHECK(session.lastTick() == 3);
    CHECK(session.ghosts().size() == 1);
}

TEST_CASE("a session that runs a recording says how far it has compared it, and where it differs") {
    Recording recording = record();
    Session session(recording.scene, optionsOf(recording));
    CHECK(!session.recordingCheck());
    session.takeOver(recording.inputs, recording.marks);
    REQUIRE(session.recordingCheck());
    CHECK(session.recordingCheck()->ticks == 115);
    CHECK(session.recordingCheck()->checked == 0);
    session.seek(70);
    session.seek(20);
    CHECK(session.recordingCheck()->checked == 70);
    CHECK(!session.recordingCheck()->difference);
    // From here on it is another run.
    session.setIterations(3);
    run(session, 10);
    CHECK(session.recordingCheck()->ticks == 20);
    CHECK(!session.recordingCheck()->difference);
    session.restart();
    CHECK(!session.recordingCheck());

    recording.marks[50].bodies[0] ^= 1;
    session.takeOver(recording.inputs, recording.marks);
    session.seek(49);
    CHECK(!session.recordingCheck()->difference);
    session.seek(115);
    REQUIRE(session.recordingCheck()->difference);
    CHECK(session.recordingCheck()->difference->tick == 50);
    CHECK(session.recordingCheck()->difference->body == "mass");
    recording.marks[0].state ^= 1;
    session.takeOver(recording.inputs, recording.marks);
    CHECK(session.recordingCheck()->difference->tick == 0);
    CHECK(!session.bitsAreThoseOfTheFirstPass());
}

TEST_CASE("a recording that cannot be used is refused with one clear message") {
    const std::string good = writeRecording(record());
    CHECK(refusalOf(good).empty());

    SECTION("cut off anywhere") {
        for (const double share : {0.0, 0.001, 0.1, 0.5, 0.9, 0.999}) {
            const auto length = static_cast<std::size_t>(share * static_cast<double>(good.size()));
            CHECK(refusalOf(good.substr(0, length)) ==
                  "run.elrec: is no recording of Elasto, or one that is cut off or damaged");
        }
    }
    SECTION("with one character changed") {
        int unharmed = 0;
        for (std::size_t place = 0; place < good.size(); place += 1 + good.size() / 300) {
            std::string damaged = good;
            damaged[place] = damaged[place] == '7' ? '3' : '7';
            const std::string message = refusalOf(damaged);
            if (message.empty()) ++unharmed;
            CHECK(message.find('\n') == std::string::npos);
        }
        CHECK(unharmed == 0);
    }
    SECTION("something else") {
        CHECK_THAT(refusalOf("{}"), Contains("is no recording of Elasto"));
        CHECK_THAT(refusalOf("[1, 2]"), Contains("is no recording of Elasto"));
        CHECK_THAT(refusalOf("hello"), Contains("is no recording of Elasto"));
        CHECK_THAT(refusalOf(R"({"elrec": 2})"), Contains("has format 2") && Contains("knows format 1"));
        CHECK_THAT(refusalOf(R"({"elrec": 1})"), Contains("checksum"));
        const std::string deep = std::string(100'000, '[') + std::string(100'000, ']');
        CHECK_THAT(refusalOf(R"({"elrec": )" + deep + "}"), Contains("cut off or damaged"));
        CHECK_THAT(refusalOf(R"({"elrec": 1, "scene": )" + deep + "}"), Contains("cut off or damaged"));
    }
    SECTION("with fields that make no sense") {
        const auto refusal = [](const std::function<void(Recording&)>& spoil) {
            Recording recording = record();
            spoil(recording);
            return refusalOf(writeRecording(recording));
        };
        CHECK_THAT(refusal([](Recording& r) { r.rate = -1; }), Contains("run.elrec: /rate: must be > 0"));
        CHECK_THAT(refusal([](Recording& r) { r.balls = -1; }), Contains("/balls: must be a whole number"));
        CHECK_THAT(refusal([](Recording& r) { r.marks.clear(); }), Contains("/marks: must have at least one"));
        CHECK_THAT(refusal([](Recording& r) { r.marks[5].bodies.pop_back(); }),
                   Contains("/marks/5: is not a fingerprint of 3 bodies"));
        CHECK_THAT(refusal([](Recording& r) { std::get<DragBegin>(r.inputs[0].action).body = 3; }),
                   Contains("/inputs/0/body: must be a whole number from 0 to 2"));
        CHECK_THAT(refusal([](Recording& r) { r.inputs[1].tick = 0; }),
                   Contains("/inputs/1/tick: must be a whole number from 10 to 115"));
        CHECK_THAT(refusal([](Recording& r) { r.scene.bodies[0].mass = -1; }), Contains("mass") && Contains("scene"));
    }
    SECTION("of another precision, or prepared by something that is not here") {
        Recording recording = record();
        recording.precision = recording.precision == "double" ? "single" : "double";
        CHECK_THROWS_WITH(Replay(recording), Contains("precision") && Contains("recorded in"));
        recording = record();
        recording.prepared = "crates";
        CHECK_THROWS_WITH(Replay(recording), Contains("recorded with 'crates'"));
        Replay prepared(recording, [](SceneWorld&) {});
        CHECK(!prepared.difference());
    }
}
