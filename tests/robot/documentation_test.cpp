// The reference of robots names every field, attribute and signal.

#include <elasto/robot/robot_scene.h>
#include <elasto/robot/robot_signals.h>

#include <catch2/catch.hpp>

#include <regex>
#include <string>

#include "../documentation.h"
#include "small_robot.h"

using namespace elasto::test;

TEST_CASE("the documentation names every field and word of the schema of robot scenes") {
    checkNamesAll(documentation("robots.md"), elasto::robotSceneSchema(), 40);
}

TEST_CASE("the documentation names every attribute of the elements") {
    const std::string text = documentation("robots.md");
    for (const char* kind :
         {"backlash", "bump_stop", "bushing", "friction", "gap", "line", "rope", "sea", "series", "spring"}) {
        const std::string said = refusal(smallRobotWith("<elasto:" + std::string(kind) + " joint=\"elbow\" x=\"1\"/>"));
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
    const std::string text = documentation("robots.md");
    const elasto::RobotScene scene = elasto::sceneOfRobot(elasto::parseRobot(smallRobotWith(
        R"(<elasto:series joint="elbow" c="1" d="1" inertia="1"/><elasto:gap joint="shoulder" side="both" c="1" d="1"/>)")));
    for (const elasto::RobotSignal& signal : availableRobotSignals(scene)) {
        std::string ending = std::regex_replace(signal.name, std::regex("\\[.*\\]"), "");
        ending = ending.substr(ending.rfind('.') + 1);
        INFO(ending);
        CHECK(text.find(ending) != std::string::npos);
    }
}
