// Scenes whose numbers lead out of range: never a result that looks like one, always one message and the same exit
// code.

#include <catch2/catch.hpp>

#include <nlohmann/json.hpp>

#include <algorithm>

#include "program.h"
#include "temporary_folder.h"

namespace overflow_test {

using namespace elasto::test;
using Catch::Matchers::Contains;
using Catch::Matchers::StartsWith;
using nlohmann::json;

namespace {

/// A ball above a stop.
json ballScene() {
    return json::parse(R"({"elasto": 1, "name": "ball", "rate": 60, "duration": 1,
        "bodies": [{"name": "ball", "mass": 0.2, "inertia": [2e-4, 2e-4, 2e-4], "position": [0, 0.3, 0]}],
        "elements": [{"name": "gap", "type": "ElastoGap", "axis": [0, 1, 0], "c": 1e6, "d": 5,
                      "frame_a": {"body": "world"}, "frame_b": {"body": "ball"}}]})");
}

/// The ball begins 10 m deep in a stop whose force grows with the 1000th power.
json deepScene() {
    json scene = ballScene();
    scene["elements"][0]["n"] = 1000;
    scene["elements"][0]["s_rel0"] = 10;
    return scene;
}

void checkOneMessage(const ProgramResult& result, int code, const std::string& words) {
    INFO(result.errors);
    CHECK(result.code == code);
    CHECK(result.output.empty());
    CHECK_THAT(result.errors, StartsWith("elasto: ") && Contains(words));
    CHECK(std::count(result.errors.begin(), result.errors.end(), '\n') == 1);
}

}  // namespace

TEST_CASE("parameters that overflow by themselves are refused by every command, with field, value and rule") {
    const TemporaryFolder folder;
    const std::string file = folder.file("scene.json");
    struct Case {
        const char* place;
        json value;
        const char* words;
    };
    const Case cases[] = {
        {"/elements/0/s_ref", 1e-300, "s_ref = 1e-300 is not allowed; s_ref must be so large that c s_ref^(1 - n)"},
        {"/gravity", {0, -1e308, 0}, "/gravity/1: -1e+308 is not allowed"},
        {"/elements/0/c", 1e300, "/elements/0/c: 1e+300 is not allowed"},
        {"/elements/0/d", 1e300, "/elements/0/d: 1e+300 is not allowed"},
        {"/bodies/0/mass", 1e-300, "/bodies/0/mass: 1e-300 is not allowed"},
        {"/rate", 2e6, "/rate: 2000000.0 is not allowed; rate must be a number > 0 and <= 1000000"},
    };
    for (const Case& one : cases) {
        json scene = ballScene();
        scene["elements"][0]["n"] = 3;
        scene[json::json_pointer(one.place)] = one.value;
        writeText(file, scene.dump());
        for (const char* command : {"run", "explain", "equilibrium"}) {
            INFO(command);
            checkOneMessage(runElasto({command, file}), 2, one.words);
        }
        checkOneMessage(runElasto({"verify", "--scene", file, "--hz", "60"}), 2, one.words);
    }
}

TEST_CASE("a run ends at the first value that is not finite, and leaves no file") {
    const TemporaryFolder folder;
    const std::string file = folder.file("scene.json");
    writeText(file, deepScene().dump());
    const std::string words = "at 0 s: gap.f = -inf is not finite";
    checkOneMessage(runElasto({"run", file}), 4, words);
    checkOneMessage(runElasto({"run", file, "--json"}), 4, words);
    checkOneMessage(runElasto({"run", file, "--csv", folder.file("run.csv")}), 4, words);
    checkOneMessage(runElasto({"verify", "--scene", file, "--hz", "60"}), 4, "scene at 60 Hz: " + words);
    checkOneMessage(runElasto({"equilibrium", file}), 2, "ElastoGap 'gap': f = -inf is not allowed");
    CHECK(folder.fileCount() == 1);
}

TEST_CASE("a tick that leads out of range is named with its element, value and time") {
    const TemporaryFolder folder;
    // Nothing can slow the ball down, into a stop whose force grows with the 1000th power.
    json scene = ballScene();
    scene["elements"][0]["n"] = 1000;
    scene["bodies"][0]["velocity"] = {0, -2, 0};
    scene["bodies"][0]["linearFactor"] = {1, 0, 1};
    writeText(folder.file("scene.json"), scene.dump());
    writeText(folder.file("run.csv"), "old");
    checkOneMessage(runElasto({"run", folder.file("scene.json"), "--csv", folder.file("run.csv")}), 4,
                    "tick from 0.65 s: ElastoGap 'gap': heat = ");
    CHECK(readText(folder.file("run.csv")) == "old");
    CHECK(folder.fileCount() == 2);
}

TEST_CASE("explain never speaks of what is inside") {
    const TemporaryFolder folder;
    json scene = deepScene();
    for (const double s_ref : {1e-100, 1.0, 1e50}) {
        scene["elements"][0]["n"] = 3;
        scene["elements"][0]["s_ref"] = s_ref;
        writeText(folder.file("scene.json"), scene.dump());
        const ProgramResult result = runElasto({"explain", folder.file("scene.json")});
        INFO(result.errors);
        CHECK(result.code == 0);
        CHECK_THAT(result.output, !Contains("inf") && !Contains("nan"));
        if (s_ref < 1) CHECK_THAT(result.output, Contains("tick 1 cannot be solved: elasto run says why"));
    }
}

TEST_CASE("a rate is at most 1e6 Hz, wherever it is given") {
    for (const char* command : {"run", "explain", "verify"}) {
        const ProgramResult result =
            runElasto({command, std::string(command) == "verify" ? "preload" : "gap_laws", "--hz", "2e6"});
        CHECK(result.code == 2);
        CHECK_THAT(result.errors, Contains("--hz: 2e6 is not allowed; it must be a number > 0 and <= 1000000"));
    }
}

TEST_CASE("a duration of less than a tick is refused") {
    const TemporaryFolder folder;
    checkOneMessage(runElasto({"run", "gap_laws", "--duration", "1e-9", "--csv", folder.file("run.csv")}), 2,
                    "duration = 1e-09 is not allowed; duration must be at least one tick");
    json scene = ballScene();
    scene["duration"] = 1e-9;
    writeText(folder.file("scene.json"), scene.dump());
    checkOneMessage(runElasto({"run", folder.file("scene.json")}), 2, "scene 'ball': duration = 1e-09");
    checkOneMessage(runElasto({"verify", "--scene", folder.file("scene.json")}), 2, "scene 'ball': duration = 1e-09");
    CHECK(folder.fileCount() == 1);
}

}  // namespace overflow_test
