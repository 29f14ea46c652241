#include "robot_equilibrium.h"

#include <elasto/errors.h>
#include <elasto/robot/load_robot.h>

#include <catch2/catch.hpp>

#include <cmath>
#include <string>

namespace robot_equilibrium_test {

using namespace elasto;
using namespace elasto::tools;
using Catch::Matchers::Contains;

namespace {

constexpr double kGravity = 9.80665;

/// A bar of 2 kg and 1 m on a horizontal axis; at 0 it is level, q > 0 is down.
RobotScene bar(const std::string& elements, const std::string& type = "continuous",
               const std::string& limit = "<limit lower=\"-1\" upper=\"0.4\" effort=\"100\" velocity=\"10\"/>") {
    return sceneOfRobot(parseRobot(R"(<robot name="bar" xmlns:elasto="urn:elasto"><link name="world"/><link name="bar">
<inertial><origin xyz="0.5 0 0"/><mass value="2"/><inertia ixx="0.001" ixy="0" ixz="0" iyy="0.17" iyz="0" izz="0.17"/></inertial>
</link><joint name="hinge" type=")" +
                                   type + R"("><parent link="world"/><child link="bar"/><axis xyz="0 1 0"/>)" + limit +
                                   "</joint>" + elements + "</robot>"));
}

double weightAt(double q) {
    return 2 * kGravity * 0.5 * std::cos(q);
}

RobotServo servoTo(double position, double stiffness) {
    RobotServo servo;
    servo.target.value = position;
    servo.stiffness = stiffness;
    servo.damping = 1;
    return servo;
}

}  // namespace

TEST_CASE("a bar that nothing holds rests below its axis") {
    RobotScene scene = bar("");
    scene.q[0] = -1.2;
    const RobotEquilibrium rest = findRobotEquilibrium(scene);
    REQUIRE(rest.found);
    CHECK(rest.scene.q[0] == Approx(M_PI / 2).epsilon(1e-12));
    CHECK(rest.unbalanced < 1e-12);
}

TEST_CASE("a bar rests on its limit, or on the stop that stands there") {
    const RobotEquilibrium hard = findRobotEquilibrium(bar("", "revolute"));
    REQUIRE(hard.found);
    CHECK(hard.scene.q[0] == 0.4);
    const double c = GENERATE(1e2, 1e4, 1e8);
    const RobotEquilibrium soft = findRobotEquilibrium(
        bar("<elasto:gap joint=\"hinge\" side=\"upper\" c=\"" + std::to_string(c) + "\" d=\"5\"/>", "revolute"));
    REQUIRE(soft.found);
    const double q = soft.scene.q[0];
    CHECK(c * (q - 0.4) == Approx(weightAt(q)).epsilon(1e-6));
    CHECK(soft.s[0] == Approx(-q));
    CHECK(soft.f[0] == Approx(-weightAt(q)).epsilon(1e-6));
}

TEST_CASE("a series elastic actuator rests where its servo, its spring and the weight agree") {
    for (const bool isCompensated : {false, true}) {
        RobotScene scene = bar(R"(<elasto:sea joint="hinge" c="300" d="2" b="0.02" inertia="1e-4" ratio="50"/>)");
        scene.servos = {servoTo(-0.3, 2000)};
        scene.servos[0].gravity = isCompensated;
        const RobotEquilibrium rest = findRobotEquilibrium(scene);
        REQUIRE(rest.found);
        const double q = rest.scene.q[0], wind = rest.s[0], motor = q - wind;
        CHECK(300 * (wind - 0.01) == Approx(weightAt(q)).epsilon(1e-9));
        CHECK(2000 * (-0.3 - motor) == Approx(isCompensated ? 0 : -weightAt(q)).margin(1e-8));
        CHECK(rest.f[0] == Approx(weightAt(q)).epsilon(1e-9));
        REQUIRE(rest.scene.robot.elements[0].drive->start);
        CHECK(*rest.scene.robot.elements[0].drive->start == wind);
    }
}

TEST_CASE("a load on a motor holds a bar by its gear") {
    RobotScene scene = bar(R"(<elasto:backlash joint="hinge" c="1e4" d="5" inertia="1e-4" ratio="20"/>)");
    scene.loads.push_back({0, {}});
    scene.loads[0].value.value = -0.4;  // 8 N.m behind the gear; the motor goes with the bar
    const RobotEquilibrium rest = findRobotEquilibrium(scene);
    REQUIRE(rest.found);
    CHECK(weightAt(rest.scene.q[0]) == Approx(8).epsilon(1e-9));
    CHECK(rest.scene.q[0] > 0);  // further up it would fall
    CHECK(rest.f[0] == Approx(8).epsilon(1e-9));
}

TEST_CASE("friction holds nothing in the search, a damper in series neither") {
    RobotScene scene = bar(R"(<elasto:friction joint="hinge" tau_Coulomb="90"/>
<elasto:series joint="hinge" c="50" d="5"/><elasto:spring joint="hinge" c="40" d="1"/>)");
    const RobotEquilibrium rest = findRobotEquilibrium(scene);
    REQUIRE(rest.found);
    const double q = rest.scene.q[0];
    CHECK(40 * q == Approx(weightAt(q)).epsilon(1e-9));
    CHECK(rest.f[1] == 0);
    CHECK(std::get<SpringDamperSeriesLaw>(rest.scene.robot.elements[1].law).parameters().s_damper_start == Approx(q));
}

TEST_CASE("a robot that cannot rest is told of by its joint") {
    RobotScene scene = bar("");
    scene.loads.push_back({0, {}});
    scene.loads[0].value.value = 30;
    const RobotEquilibrium rest = findRobotEquilibrium(scene);
    CHECK_FALSE(rest.found);
    CHECK_THAT(rest.reason,
               Contains("no resting start: nothing balances a torque of") && Contains("N.m on joint 'hinge'"));
    scene.loads.clear();
    scene.servos = {servoTo(0, 100)};
    scene.servos[0].integral = 1;
    CHECK_THROWS_WITH(findRobotEquilibrium(scene),
                      Contains("servo of joint 'hinge'") && Contains("leave integral away"));
    scene.servos.clear();
    scene.base = RobotScene::Base::Free;
    CHECK_THROWS_WITH(findRobotEquilibrium(scene), Contains("robot 'bar'") && Contains("its base is free"));
    CHECK_THROWS_WITH(findRobotEquilibrium(bar("", "planar", "")), Contains("joint 'hinge' is planar"));
}

}  // namespace robot_equilibrium_test
