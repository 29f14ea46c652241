#include "servo_stability.h"

#include <elasto/robot/load_robot.h>

#include <catch2/catch.hpp>

#include <string>
#include <vector>

namespace servo_stability_test {

using namespace elasto;
using namespace elasto::tools;

namespace {

constexpr double kInertia = 0.17 + 2 * 0.25;  // of the bar about its hinge
constexpr double kRate = 100;

RobotScene bar(const RobotServo& servo, const std::string& elements = "") {
    RobotScene scene = sceneOfRobot(parseRobot(R"(<robot name="bar" xmlns:elasto="urn:elasto"><link name="world"/>
<link name="bar"><inertial><origin xyz="0.5 0 0"/><mass value="2"/>
<inertia ixx="0.001" ixy="0" ixz="0" iyy="0.17" iyz="0" izz="0.17"/></inertial></link>
<joint name="hinge" type="continuous"><parent link="world"/><child link="bar"/><axis xyz="0 1 0"/></joint>)" +
                                               elements + "</robot>"));
    scene.rate = kRate;
    scene.servos = {servo};
    return scene;
}

bool isUnstable(const RobotServo& servo, const std::string& elements = "") {
    const std::vector<std::string> names = unstableServos(bar(servo, elements));
    CHECK((names.empty() || names == std::vector<std::string>{"hinge"}));
    return !names.empty();
}

RobotServo damper(double share, double delay = 0) {
    RobotServo servo;
    servo.mode = RobotServo::Mode::Velocity;
    servo.damping = share * kInertia * kRate;
    servo.control.delay = delay;
    return servo;
}

}  // namespace

// With b = damping / (rate I) and a force that holds for a period: v -> (1 - b) v.
TEST_CASE("a servo whose damping takes more than twice its rate away in a period is unstable") {
    CHECK_FALSE(isUnstable(damper(1.99)));
    CHECK(isUnstable(damper(2.01)));
    RobotServo often = damper(2.01);
    often.control.rate = 2 * kRate;
    CHECK_FALSE(isUnstable(often));
    RobotServo always = damper(20);
    always.control.isContinuous = true;
    CHECK_FALSE(isUnstable(always));
}

// A period late: v -> v - b v of the reading before, stable up to b = 1. Half of it late, half of it at once: up to 2.
TEST_CASE("a delay brings a servo nearer to its end") {
    CHECK_FALSE(isUnstable(damper(0.99, 1 / kRate)));
    CHECK(isUnstable(damper(1.02, 1 / kRate)));
    CHECK_FALSE(isUnstable(damper(1.98, 0.5 / kRate)));
    CHECK(isUnstable(damper(2.02, 0.5 / kRate)));
}

// What holds for a period is half a period late: a spring of k works like damping of -k / (2 rate).
TEST_CASE("a servo with too little damping for its stiffness is unstable") {
    RobotServo servo;
    servo.stiffness = 500;
    servo.damping = 500 / kRate / 2 + 0.2;
    CHECK_FALSE(isUnstable(servo));
    servo.damping -= 0.4;
    CHECK(isUnstable(servo));
}

TEST_CASE("behind an elastic gear a servo moves its rotor") {
    // Of 0.25 kg.m2 on the joint's side.
    const std::string gear = R"(<elasto:sea joint="hinge" c="300" d="0" inertia="1e-4" ratio="50"/>)";
    RobotServo servo = damper(0);
    servo.damping = 1.9 * 0.25 * kRate;
    CHECK_FALSE(isUnstable(servo, gear));
    servo.damping = 2.1 * 0.25 * kRate;
    CHECK(isUnstable(servo, gear));
    CHECK_FALSE(isUnstable(servo));
}

}  // namespace servo_stability_test
