// A file with many mistakes: a few messages, in a time that grows with the file and not with its square.

#include <elasto/scene/load_scene.h>

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include <chrono>

namespace many_mistakes_test {

using namespace elasto;
using nlohmann::json;

namespace {

json falling(int index) {
    const std::string number = std::to_string(index);
    return {{"name", "body" + number}, {"mass", 1}, {"inertia", {1, 1, 1}}};
}

json stop(int index, const std::string& body) {
    return {{"name", "stop" + std::to_string(index)},
            {"type", "ElastoGap"},
            {"frame_a", {{"body", "world"}}},
            {"frame_b", {{"body", body}}},
            {"c", 1000},
            {"d", 1}};
}

json sceneOf(int bodies) {
    json scene = {{"elasto", 1}, {"name", "many"}, {"bodies", json::array()}, {"elements", json::array()}};
    for (int i = 0; i < bodies; ++i) scene["bodies"].push_back(falling(i));
    return scene;
}

std::string refusal(const json& scene) {
    try {
        parseScene(scene.dump(), "many.json");
    } catch (const SceneError& refused) {
        return refused.what();
    }
    return "";
}

/// Refuses so many mistakes by ten lines and a count. Seconds would be minutes if each were compared with all others.
void checkRefused(const json& scene, int mistakes, const std::string& first) {
    const auto start = std::chrono::steady_clock::now();
    const std::string said = refusal(scene);
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
    INFO(said.substr(0, 2000));
    CHECK(said.starts_with(first));
    CHECK(std::count(said.begin(), said.end(), '\n') == 10);
    CHECK(said.ends_with("\nand " + std::to_string(mistakes - 10) + " more"));
    CHECK(said.size() < 10000);
    CHECK(took.count() < 10);
}

}  // namespace

TEST_CASE("many wrong items are refused by ten messages and a count", "[slow]") {
    constexpr int kMany = 60'000;
    json scene = sceneOf(0);
    scene["bodies"] = std::vector<int>(kMany, 3);
    checkRefused(scene, kMany, "many.json: /bodies/0: 3 is not allowed; it must be an object");
}

TEST_CASE("ten mistakes are ten messages") {
    json scene = sceneOf(0);
    scene["bodies"] = std::vector<int>(10, 3);
    const std::string said = refusal(scene);
    CHECK(std::count(said.begin(), said.end(), '\n') == 9);
    CHECK(said.find("more") == std::string::npos);
}

TEST_CASE("many wrong names are refused with a proposal each, of ten", "[slow]") {
    constexpr int kMany = 10'000;
    json scene = sceneOf(kMany);
    for (int i = 0; i < kMany; ++i) scene["elements"].push_back(stop(i, "bodie" + std::to_string(i)));
    checkRefused(scene, kMany,
                 "many.json: /elements/0/frame_b/body: \"bodie0\" is not allowed: there is no such body; did you mean "
                 "\"body0\"? Bodies: body0, body1, body2, body3, body4, body5, body6, body7, body8, body9, body10, "
                 "body11, ...\n");
}

TEST_CASE("many signals that do not exist are refused") {
    constexpr int kMany = 10'000;
    json scene = sceneOf(kMany);
    for (int i = 0; i < kMany; ++i) scene["record"].push_back("body" + std::to_string(i) + ".r_O[1]");
    checkRefused(scene, kMany,
                 "many.json: /record/0: \"body0.r_O[1]\" is not allowed: it matches no signal; did you mean "
                 "\"body0.r_0[1]\"?\n");
}

TEST_CASE("a mistake is not cut within a character") {
    json scene = sceneOf(1);
    std::string units;
    for (int i = 0; i < 100; ++i) units += "ä";
    for (const std::string before : {"", "x"}) {
        scene["bodies"][0]["mass"] = before + units;
        const std::string said = refusal(scene);
        CHECK(said.find("ä... is not allowed") != std::string::npos);
    }
}

TEST_CASE("names in messages are no commands for a terminal") {
    json scene = sceneOf(1);
    scene["elements"].push_back(stop(0, "\x1b\x7f\xc2\x9b"));
    CHECK_THAT(refusal(scene), Catch::Matchers::StartsWith(
                                   R"(many.json: /elements/0/frame_b/body: "\u001b\x7f\xc2\x9b" is not allowed)"));
    CHECK_THROWS_WITH(parseScene("[]", "\x1b[2J\n.json"), Catch::Matchers::StartsWith(R"(\x1b[2J\x0a.json: )"));
}

}  // namespace many_mistakes_test
