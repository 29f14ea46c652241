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

TEST_CASE("a joint that follows another one is coupled to it by a gear") {
    const RobotDescription robot = parseRobot(following(kMimic));
    REQUIRE(robot.joints[1].mimic);
    CHECK(robot.joints[1].mimic->leader == 0);
    REQUIRE(robot.elements.size() == 1);
    const RobotElement& gear = robot.elements[0];
    CHECK(gear.name == "elbow.mimic");
    CHECK(gear.joint == 1);
    REQUIRE(gear.gear);
    CHECK(gear.gear->multiplier == -2);
    const SpringDamperParameters law = std::get<SpringDamperLaw>(gear.law).parameters();
    CHECK(law.s_rel0 == 0.1);
    // Elbow: 0.02 + 1 kg 0.2^2. Shoulder, at zero: 0.04 + 2 kg 0.25^2 + 0.02 + 1 kg 0.7^2.
    const double mass = 1 / (1 / 0.06 + 4 / 0.675);
    const double w = 2 * M_PI * 1000;
    CHECK(law.c == Approx(mass * w * w).epsilon(1e-12));
    CHECK(law.d == Approx(2 * mass * w).epsilon(1e-12));
}

TEST_CASE("multiplier and offset are 1 and 0, and a multiplier of 0 holds the joint") {
    const RobotMimic plain = *parseRobot(following("<mimic joint=\"shoulder\"/>")).joints[1].mimic;
    CHECK(plain.multiplier == 1);
    CHECK(plain.offset == 0);
    const RobotElement held =
        parseRobot(following("<mimic joint=\"shoulder\" multiplier=\"0\" offset=\"0.3\"/>")).elements.at(0);
    CHECK_FALSE(held.gear);
    CHECK(std::get<SpringDamperLaw>(held.law).parameters().s_rel0 == 0.3);
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
