// What `elasto run` says afterwards, and `elasto explain` beforehand, of how good ticks are.
#include <catch2/catch.hpp>

#include <nlohmann/json.hpp>

#include <string>
#include <vector>

#include "program.h"
#include "temporary_folder.h"

using namespace elasto::test;
using Catch::Matchers::Contains;
using Catch::Matchers::EndsWith;
using nlohmann::json;

namespace {

/// A machine that engages a stop; at 30 Hz its first impact is not solved exactly.
std::vector<std::string> engage(const std::string& command, const std::vector<std::string>& more) {
    std::vector<std::string> arguments = {command, "coupled/engage_offset"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return arguments;
}

}  // namespace

TEST_CASE("run names the rate that makes its ticks exact, and at that rate they are") {
    const json coarse = json::parse(runElasto(engage("run", {"--hz", "30", "--duration", "2", "--json"})).output);
    const json& grade = coarse.at("grade");
    REQUIRE(grade.at("approximate").get<int>() > 0);
    REQUIRE(grade.at("exactRate").is_number());
    const double rate = grade.at("exactRate").get<double>();
    CHECK(rate > 30);
    CHECK(rate <= 480);
    CHECK(grade.at("triedTo").get<double>() == rate);
    const std::string named = std::to_string(static_cast<int>(rate));
    const ProgramResult text = runElasto(engage("run", {"--hz", "30", "--duration", "2"}));
    CHECK_THAT(text.output, EndsWith("; " + named + " Hz makes them exact\n"));
    CHECK(runElasto(engage("run", {"--hz", named, "--duration", "2", "--strict"})).code == 0);
    // Half of it does not, or it would have been named.
    if (rate > 60) {
        const std::string half = std::to_string(static_cast<int>(rate / 2));
        CHECK(runElasto(engage("run", {"--hz", half, "--duration", "2", "--strict"})).code == 3);
    }
}

TEST_CASE("run says where no rate makes its ticks exact, and nothing of rates where they are") {
    const ProgramResult pile = runElasto({"run", "coupled/pile_1", "--duration", "0.2"});
    CHECK_THAT(pile.output, EndsWith("; no rate up to 3840 Hz makes them exact\n"));
    const json exact = json::parse(runElasto({"run", "gap_laws", "--json"}).output);
    CHECK(exact.at("grade").at("exactRate").is_null());
    CHECK(exact.at("grade").at("triedTo").is_null());
}

TEST_CASE("explain says beforehand what will be approximate, and which rate makes it exact") {
    const ProgramResult fine = runElasto({"explain", "gap_laws", "--hz", "60"});
    CHECK_THAT(fine.output, EndsWith("\nthe first 18 of 18 ticks at 60 Hz: all 18 ticks are exact\n"));
    const ProgramResult arm = runElasto({"explain", "arm6"});
    CHECK_THAT(arm.output, EndsWith("\nthe first 100 of 1920 ticks at 240 Hz: all 100 ticks are exact\n"));

    const ProgramResult pile = runElasto({"explain", "coupled/pile_1"});
    CHECK(pile.code == 0);
    CHECK_THAT(pile.output, Contains("'box1' and 'box2' begin 0.04 m inside each other\n"));
    CHECK_THAT(pile.output, Contains("the first 100 of 720 ticks at 240 Hz: ") &&
                                Contains("bodies were found inside each other") &&
                                EndsWith("; no rate up to 3840 Hz makes them exact\n"));

    const json engaged = json::parse(runElasto(engage("explain", {"--hz", "30", "--json"})).output).at("beforehand");
    CHECK(engaged.at("ticks") == 100);
    CHECK(engaged.at("grade").at("approximate").get<int>() > 0);
    CHECK(engaged.at("grade").at("exactRate").get<double>() > 30);
    CHECK(engaged.at("broken") == false);
}

TEST_CASE("explain names shapes that begin inside each other, and what the plugin finds at the start") {
    const TemporaryFolder folder;
    json scene = {{"elasto", 1},
                  {"name", "start"},
                  {"duration", 0.1},
                  {"bodies",
                   {{{"name", "floor"}, {"motion", "fixed"}, {"shape", {{"type", "box"}, {"size", {4, 1, 4}}}}},
                    {{"name", "crate"},
                     {"mass", 1},
                     {"inertia", {0.1, 0.1, 0.1}},
                     {"position", {0, 0.99, 0}},
                     {"shape", {{"type", "box"}, {"size", {1, 1, 1}}}}}}},
                  {"elements",
                   {{{"name", "stop"},
                     {"type", "ElastoGap"},
                     {"frame_a", {{"body", "world"}}},
                     {"frame_b", {{"body", "crate"}}},
                     {"axis", {0, 1, 0}},
                     {"c", 1e6},
                     {"d", 10},
                     {"s_rel0", 1.2}}}}};
    writeText(folder.file("scene.json"), scene.dump());
    const ProgramResult result = runElasto({"explain", folder.file("scene.json")});
    INFO(result.errors);
    CHECK(result.code == 0);
    CHECK_THAT(result.output, Contains("'floor' and 'crate' begin 0.01 m inside each other\n") ||
                                  Contains("'crate' and 'floor' begin 0.01 m inside each other\n"));
    // 0.21 m deep in a stop of 1e6 N/m: check() says that it throws the crate up, and it is said once.
    CHECK_THAT(result.output, Contains("ElastoGap 'stop' begins 0.21 m inside its stop"));
    const json told = json::parse(runElasto({"explain", folder.file("scene.json"), "--json"}).output);
    const json& findings = told.at("beforehand").at("findings");
    CHECK(findings.size() >= 2);
    for (std::size_t i = 0; i < findings.size(); ++i) {
        for (std::size_t k = 0; k < i; ++k) CHECK(findings[i] != findings[k]);
    }
    // Apart nothing is found but the stop.
    scene["bodies"][1]["position"][1] = 1.3;
    writeText(folder.file("scene.json"), scene.dump());
    const ProgramResult apart = runElasto({"explain", folder.file("scene.json")});
    CHECK_THAT(apart.output, !Contains("inside each other"));
}
