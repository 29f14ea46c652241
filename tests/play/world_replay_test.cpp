// elasto replay of what a program has recorded by Plugin::record, run as a user runs it: in another process.

#include <elasto/world_recording.h>

#include <program.h>
#include <recorded_game.h>
#include <temporary_folder.h>

#include <catch2/catch.hpp>

#include <fstream>
#include <sstream>

using namespace elasto;
using namespace elasto::test;
using Catch::Contains;

namespace {

std::string bytesOf(const WorldRecording& recording) {
    std::ostringstream out;
    recording.write(out);
    return out.str();
}

void write(const std::string& file, const std::string& bytes) {
    std::ofstream(file, std::ios::binary).write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
}

}  // namespace

TEST_CASE("a game of a minute is one file of at most 5 MB that another process replays to the bit") {
    constexpr int kFrames = 3600;
    RecordedGame game;
    game.plugin->record(100);
    for (int frame = 0; frame < kFrames; ++frame) game.play(frame);
    CHECK(game.living() > 20);
    const WorldRecording recording = game.plugin->recording();
    CHECK(recording.ticks() == kFrames);
    CHECK(recording.notes().empty());
    const std::string bytes = bytesOf(recording);
    CHECK(bytes.size() <= 5'000'000);

    const TemporaryFolder folder;
    const std::string file = folder.file("game.elrec");
    write(file, bytes);
    const ProgramResult result = runElasto({"replay", file, "--check"});
    INFO(result.errors);
    CHECK(result.code == 0);
    CHECK(result.errors.empty());
    CHECK_THAT(result.output, Contains("3600 of 3600 ticks from t = 0 s, " ELASTO_PRECISION " precision") &&
                                  Contains("all bits are those of the recording"));
}

TEST_CASE("elasto replay tells which tick of a world differs, and why that may be") {
    RecordedGame game;
    gContactAddedCallback = [](btManifoldPoint& point, const btCollisionObjectWrapper*, int, int,
                               const btCollisionObjectWrapper*, int, int) {
        point.m_combinedFriction = 0.1f;
        return true;
    };
    for (const auto& body : game.bodies) {
        body->setCollisionFlags(body->getCollisionFlags() | btCollisionObject::CF_CUSTOM_MATERIAL_CALLBACK);
    }
    game.plugin->record(100);
    for (int frame = 0; frame < 60; ++frame) game.play(frame);
    const std::string bytes = bytesOf(game.plugin->recording());
    gContactAddedCallback = nullptr;

    const TemporaryFolder folder;
    const std::string file = folder.file("game.elrec");
    write(file, bytes);
    const ProgramResult result = runElasto({"replay", file, "--check"});
    CHECK(result.code == 1);
    CHECK_THAT(result.output, Contains("differs first at the end of tick ") &&
                                  Contains("a replay has no gContactAddedCallback, which the program had"));
    CHECK(runElasto({"replay", file}).code == 0);
    CHECK_THAT(runElasto({"replay", file, "--json"}).output,
               Contains("\"same\": false") && Contains("\"difference\": {"));
}

TEST_CASE("files that are no recordings of this precision are refused") {
    const TemporaryFolder folder;
    const std::string file = folder.file("game.elrec");
    RecordedGame game;
    game.plugin->record(100);
    for (int frame = 0; frame < 3; ++frame) game.play(frame);
    const std::string bytes = bytesOf(game.plugin->recording());
    const auto checkRefused = [&](const std::string& content, const std::string& message) {
        write(file, content);
        const ProgramResult result = runElasto({"replay", file});
        INFO(result.errors);
        CHECK(result.code == 2);
        CHECK_THAT(result.errors, Catch::StartsWith("elasto: ") && Contains(file) && Contains(message));
    };
    checkRefused(bytes.substr(0, bytes.size() - 1), "damaged or cut short");
    checkRefused("Elasto world recording 7, x\n", "of another version");
    std::string other = bytes;
    const bool isDouble = sizeof(btScalar) == sizeof(double);
    other.replace(other.find(isDouble ? "double" : "single"), 6, isDouble ? "single" : "double");
    checkRefused(other, "another precision");
    std::ostringstream none;
    WorldRecording().write(none);
    checkRefused(none.str(), "the recording is empty");
}
