// The reference of robots names every field, attribute and signal.

#include <elasto/robot/robot_scene.h>
#include <elasto/robot/robot_signals.h>

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include <fstream>
#include <iterator>
#include <regex>
#include <set>

#include "small_robot.h"

using nlohmann::json;

namespace {

std::string documentation() {
    std::ifstream file(ELASTO_SOURCE_DIR "/plugin/docs/robots.md");
    return {std::istreambuf_iterator<char>(file), {}};
}

void collectNames(const json& schema, std::set<std::string>& names) {
    if (schema.is_object()) {
        if (schema.contains("properties")) {
            for (const auto& [key, property] : schema.at("properties").items()) names.insert(key);
        }
        if (schema.contains("enum")) {
            for (const json& word : schema.at("enum")) names.insert(word.get<std::string>());
        }
    }
    if (schema.is_structured()) {
        for (const json& part : schema) collectNames(part, names);
    }
}

}  // namespace

TEST_CASE("the documentation names every field and word of the schema of robot scenes") {
    const std::string text = documentation();
    std::set<std::string> names;
    collectNames(json::parse(elasto::robotSceneSchema()), names);
    CHECK(names.size() > 40);
    for (const std::string& name : names) {
        INFO(name);
        CHECK(text.find("`" + name + "`") != std::string::npos);
    }
}

TEST_CASE("the documentation names every attribute of the elements") {
    const std::string text = documentation();
    for (const char* kind : {"backlash", "gap", "series"}) {
        const std::string said = elasto::test::refusal(
            elasto::test::smallRobotWith("<elasto:" + std::string(kind) + " joint=\"elbow\" x=\"1\"/>"));
        const std::string list = said.substr(said.find("Attributes: ") + 12);
        const std::regex word("[A-Za-z_0-9]+");
        const std::string line = list.substr(0, list.find('\n'));
        for (std::sregex_iterator one(line.begin(), line.end(), word), end; one != end; ++one) {
            INFO(one->str());
            CHECK(text.find("`" + one->str() + "`") != std::string::npos);
        }
    }
}

TEST_CASE("the documentation names every signal of robots") {
    const std::string text = documentation();
    const elasto::RobotScene scene = elasto::sceneOfRobot(elasto::parseRobot(elasto::test::smallRobotWith(
        R"(<elasto:series joint="elbow" c="1" d="1" inertia="1"/><elasto:gap joint="shoulder" side="both" c="1" d="1"/>)")));
    for (const elasto::RobotSignal& signal : availableRobotSignals(scene)) {
        std::string ending = std::regex_replace(signal.name, std::regex("\\[.*\\]"), "");
        ending = ending.substr(ending.rfind('.') + 1);
        INFO(ending);
        CHECK(text.find(ending) != std::string::npos);
    }
}
