// Joints that follow others, as files state them.

#include "small_robot.h"

#include <elasto/robot/robot_scene.h>

#include "temporary_folder.h"

#include <catch2/catch.hpp>

using namespace elasto;
using namespace elasto::test;

namespace {

std::string following(const std::string& mimic) {
    return smallRobot("<axis xyz=\"0 1 0\"/>", "<axis xyz=\"0 1 0\"/>" + mimic);
}

const std::string kMimic = "<mimic joint=\"shoulder\" multiplier=\"-2\" offset=\"0.1\"/>";

}  // namespace

TEST_CASE("a joint that follows another one says whom and how") {
    const RobotDescription robot = parseRobot(following(kMimic));
    REQUIRE(robot.joints[1].mimic);
    CHECK(robot.joints[1].mimic->leader == 0);
    CHECK(robot.joints[1].mimic->multiplier == -2);
    CHECK(robot.joints[1].mimic->offset == 0.1);
    CHECK(robot.elements.empty());
    const RobotMimic plain = *parseRobot(following("<mimic joint=\"shoulder\"/>")).joints[1].mimic;
    CHECK(plain.multiplier == 1);
    CHECK(plain.offset == 0);
}

TEST_CASE("limits of a joint that follows are those of the one that it follows, where they leave it a place") {
    const auto elbow = [](const std::string& limits) {
        std::string text = following(kMimic + limits);
        text.replace(text.find("continuous"), 10, "revolute");
        return text;
    };
    // q_elbow = -2 q_shoulder + 0.1, and the shoulder's own limits are -1 and 2.
    const auto rangeOf = [&](const std::string& limits) { return heldRange(parseRobot(elbow(limits)), 0); };
    const RobotRange narrow = rangeOf("<limit lower=\"-0.9\" upper=\"0.5\" effort=\"1\" velocity=\"1\"/>");
    CHECK(narrow.lower == Approx(-0.2));
    CHECK(narrow.upper == Approx(0.5));
    const RobotRange half = rangeOf("<limit lower=\"-0.9\" upper=\"9\" effort=\"1\" velocity=\"1\"/>");
    CHECK(half.lower == -1);
    CHECK(half.upper == Approx(0.5));
    const std::string nowhere = elbow("<limit lower=\"5\" upper=\"6\" effort=\"1\" velocity=\"1\"/>");
    const RobotRange own = heldRange(parseRobot(nowhere), 0);
    CHECK(own.lower == -1);
    CHECK(own.upper == 2);
    const Lines said = warningsOf(nowhere);
    REQUIRE(said.size() == 1);
    CHECK_THAT(said[0],
               Catch::Contains("<joint name=\"elbow\">: its limits do not hold: where they let it be, those of "
                               "\"shoulder\", which it follows, do not let that be"));
}

TEST_CASE("joints that follow one another in a circle are refused") {
    std::string text = following(kMimic);
    text.replace(text.find("<axis xyz=\"0 0 1\"/>"), 19, "<axis xyz=\"0 0 1\"/><mimic joint=\"elbow\"/>");
    CHECK(refusal(text).starts_with("small.urdf:10: <joint name=\"shoulder\">: <mimic>: it follows itself"));
}

TEST_CASE("a joint starts where it follows its leader, unless a scene starts it") {
    const TemporaryFolder folder;
    writeText(folder.path() / "small.urdf", following(kMimic));
    const auto start = [&](const std::string& more) {
        return parseRobotScene(R"({"elasto": 1, "name": "s", "robot": "small.urdf")" + more + "}",
                               folder.path() / "s.json");
    };
    CHECK(start("").q == std::vector<double>{0, 0.1});
    const RobotScene led = start(R"(, "start": [{"joint": "shoulder", "position": 0.5, "velocity": 2}])");
    CHECK(led.q == std::vector<double>{0.5, -0.9});
    CHECK(led.v == std::vector<double>{2, -4});
    const RobotScene own = start(R"(, "start": [{"joint": "elbow", "position": 0.7}])");
    CHECK(own.q == std::vector<double>{0, 0.7});
}
