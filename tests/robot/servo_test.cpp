// What servos do in ticks.

#include <elasto/errors.h>
#include <elasto/robot/robot_world.h>

#include <catch2/catch.hpp>

#include <algorithm>
#include <cmath>
#include <complex>
#include <memory>

#include "plain_world.h"

using namespace elasto;
using namespace elasto::test;

namespace {

constexpr double kArmInertia = 0.1;

/// An arm of 0.1 kg.m2 about its joint, balanced, with what else the joint has.
RobotScene armScene(const std::string& more = "", const std::string& elements = "") {
    RobotScene scene = sceneOfRobot(parseRobot(
        R"(<robot name="one" xmlns:elasto="urn:elasto"><link name="base"/><link name="arm"><inertial><mass value="1"/>
<inertia ixx="0.1" ixy="0" ixz="0" iyy="0.1" iyz="0" izz="0.1"/></inertial></link>
<joint name="j" type="continuous"><parent link="base"/><child link="arm"/><axis xyz="0 0 1"/>)" +
        more + "</joint>" + elements + "</robot>"));
    scene.duration = 1;
    return scene;
}

RobotServo positionServo(double position, double stiffness, double damping, double startTime = 0) {
    RobotServo servo;
    servo.target.value = position;
    servo.target.startTime = startTime;
    servo.stiffness = stiffness;
    servo.damping = damping;
    return servo;
}

double driveOf(const RobotWorld& world) {
    return world.value({RobotSignalKind::DriveTorque, 0, 0, "", ""});
}

double endOf(const RobotScene& scene, double rate) {
    RobotWorld world(scene, rate);
    while (world.ticks() < world.ticksToEnd()) world.step();
    return world.robot().q(0);
}

constexpr bool kIsDouble = sizeof(btScalar) == 8;

}  // namespace

TEST_CASE("a servo knows nothing of a jump before it, and pushes with no more than its stiffness then") {
    for (const bool isContinuous : {false, true}) {
        RobotScene scene = armScene();
        scene.servos.push_back(positionServo(0.5, 40, 4, 0.1));
        scene.servos[0].control.isContinuous = isContinuous;
        for (const double rate : {60.0, 240.0, 1000.0}) {
            INFO(isContinuous << " " << rate);
            RobotWorld world(scene, rate);
            double most = 0, furthest = 0;
            while (world.ticks() < world.ticksToEnd()) {
                if (world.time() < 0.1 - 1e-9) CHECK(driveOf(world) == 0);
                most = std::max(most, std::abs(driveOf(world)));
                world.step();
                if (world.time() < 0.1 + 1e-9) CHECK(world.robot().q(0) == 0);
                furthest = std::max(furthest, world.robot().q(0));
            }
            CHECK(most == Approx(20));
            CHECK(furthest <= 0.5 + kNear);  // critically damped
            CHECK(furthest > 0.4999);
        }
    }
}

TEST_CASE("a continuous servo is the spring and damper of its equation") {
    RobotScene scene = armScene();
    scene.servos.push_back(positionServo(0.5, 40, 4, 0.1));
    scene.servos[0].control.isContinuous = true;
    const double t = 0.2;  // since the jump; both poles are at -20 / s
    scene.duration = 0.1 + t;
    for (const double rate : {30.0, 60.0, 70.0, 240.0, 1000.0}) {  // at 70 Hz the jump is inside a tick
        RobotWorld world(scene, rate);
        while (world.ticks() < world.ticksToEnd()) world.step();
        const double since = world.time() - 0.1;
        const double expected = 0.5 * (1 - (1 + 20 * since) * std::exp(-20 * since));
        CHECK(world.robot().q(0) == Approx(expected).margin(kIsDouble ? 1e-7 : 1e-5));
    }
}

TEST_CASE("a continuous servo follows a moving target as its equation does") {
    RobotScene scene = armScene();
    scene.servos.push_back(positionServo(0.5, 40, 4));
    RobotServo& servo = scene.servos[0];
    servo.control.isContinuous = true;
    servo.target.type = TimeCourse::Type::Sine;
    servo.target.frequency = 2;
    servo.feedforward.value = 0.3;
    scene.duration = 4;  // what it began with has died out
    const std::complex<double> jw(0, 2 * M_PI * 2);
    const std::complex<double> response = (40.0 + 4.0 * jw) / (40.0 + 4.0 * jw + kArmInertia * jw * jw);
    for (const double rate : {60.0, 240.0}) {
        RobotWorld world(scene, rate);
        while (world.ticks() < world.ticksToEnd()) {
            world.step();
            if (world.time() < 3) continue;
            const double expected = 0.5 * std::imag(response * std::exp(jw * world.time())) + 0.3 / 40;
            CHECK(world.robot().q(0) == Approx(expected).margin(1e-5));
        }
    }
}

TEST_CASE("what a sampled servo does depends on its rate and delay, and not on the tick") {
    for (const std::string& elements :
         {std::string(),
          std::string(R"(<elasto:backlash joint="j" c="5e2" d="1" b="0.02" inertia="1e-3" ratio="5"/>)")}) {
        RobotScene scene = armScene(R"(<dynamics damping="0.01" friction="0.2"/>)", elements);
        scene.servos.push_back(positionServo(0.5, 20, 2, 0.101));
        RobotServo& servo = scene.servos[0];
        servo.control = {false, 500, 0.003};
        servo.maxEffort = 5;
        servo.integral = 10;
        servo.maxIntegral = 1;
        scene.duration = 0.6;
        const double right = endOf(scene, 1000);
        CHECK(std::abs(right) > 0.05);
        const double near = kIsDouble ? 1e-6 : 1e-4;
        for (const double rate : {60.0, 240.0, 130.0}) {
            INFO(elements << rate);
            CHECK(endOf(scene, rate) == Approx(right).margin(near));
        }
        servo.control.delay = 0.02;
        CHECK(std::abs(endOf(scene, 1000) - right) > 1e-3);
        servo.control = {false, 50, 0.003};
        CHECK(std::abs(endOf(scene, 1000) - right) > 1e-3);
    }
}

TEST_CASE("a delayed servo acts when its delay is over") {
    RobotScene scene = armScene();
    scene.servos.push_back({});
    RobotServo& servo = scene.servos[0];
    servo.mode = RobotServo::Mode::Effort;
    servo.target.value = 2;
    servo.control = {false, 100, 0.025};
    for (const double rate : {60.0, 1000.0}) {
        RobotWorld world(scene, rate);
        while (world.ticks() < world.ticksToEnd()) world.step();
        CHECK(world.robot().v(0) == Approx(2 / kArmInertia * (1 - 0.025)).epsilon(kIsDouble ? 1e-9 : 1e-5));
    }
}

TEST_CASE("a drive keeps the largest rate of its joint") {
    RobotScene scene = armScene(R"(<limit effort="0" velocity="1.5"/>)");
    scene.servos.push_back(positionServo(2, 400, 20));
    scene.servos[0].maxVelocity = 1.5;
    for (const double rate : {60.0, 240.0, 1000.0}) {
        RobotWorld world(scene, rate);
        double fastest = 0;
        while (world.ticks() < world.ticksToEnd()) {
            world.step();
            fastest = std::max(fastest, world.robot().v(0));
        }
        CHECK(fastest <= 1.5 * (1 + 10 * kNear));
        CHECK(fastest > 1.499);
        CHECK(world.robot().q(0) > 1.2);  // 1.5 rad/s most of the time
    }
}

TEST_CASE("a velocity servo with an integral part reaches its rate against a load") {
    RobotScene scene = armScene();
    scene.servos.push_back({});
    RobotServo& servo = scene.servos[0];
    servo.mode = RobotServo::Mode::Velocity;
    servo.target.value = 3;
    servo.damping = 2;
    RobotFunction load;
    load.value = -1;
    scene.loads.push_back({0, load});
    scene.duration = 3;
    const auto rateAtEnd = [&] {
        RobotWorld world(scene);
        while (world.ticks() < world.ticksToEnd()) world.step();
        return world.robot().v(0);
    };
    CHECK(rateAtEnd() == Approx(3 - 1. / 2));
    servo.integral = 10;
    servo.maxIntegral = 5;
    CHECK(rateAtEnd() == Approx(3).epsilon(1e-4));
    servo.maxIntegral = 0.4;
    CHECK(rateAtEnd() == Approx(3 - 0.6 / 2));
}

TEST_CASE("gravity compensation holds an arm where it is") {
    RobotScene scene = sceneOfRobot(parseRobot(R"(<robot name="two" xmlns:elasto="urn:elasto"><link name="base"/>
<link name="a"><inertial><origin xyz="0.5 0 0"/><mass value="2"/><inertia ixx="0.01" ixy="0" ixz="0" iyy="0.1" iyz="0" izz="0.1"/></inertial></link>
<link name="b"><inertial><origin xyz="0.3 0 0"/><mass value="1"/><inertia ixx="0.01" ixy="0" ixz="0" iyy="0.05" iyz="0" izz="0.05"/></inertial></link>
<joint name="j1" type="continuous"><parent link="base"/><child link="a"/><axis xyz="0 1 0"/></joint>
<joint name="j2" type="continuous"><parent link="a"/><child link="b"/><origin xyz="1 0 0"/><axis xyz="0 1 0"/></joint>
<elasto:spring joint="j2" c="2e3" d="20" inertia="1e-3" ratio="10"/></robot>)"));
    scene.q = {0.4, 0.7};
    for (int joint : {0, 1}) {
        scene.servos.push_back({});
        scene.servos.back().joint = joint;
        scene.servos.back().mode = RobotServo::Mode::Effort;
        scene.servos.back().gravity = true;
    }
    RobotWorld world(scene);
    const double second = 9.80665 * 0.3 * std::cos(1.1);
    const double first = second + 9.80665 * (2 * 0.5 + 1) * std::cos(0.4);
    CHECK(world.value({RobotSignalKind::DriveTorque, 0, 0, "", ""}) == Approx(-first).epsilon(kIsDouble ? 1e-9 : 1e-5));
    CHECK(world.value({RobotSignalKind::DriveTorque, 1, 0, "", ""}) == Approx(-second / 10).epsilon(1e-5));
    while (world.time() < 0.2) world.step();
    // The spring of the drive gives way by 1.3 / 2000 rad first.
    CHECK(world.robot().q(0) == Approx(0.4).margin(2e-3));
    CHECK(world.robot().q(1) == Approx(0.7).margin(4e-3));
}

TEST_CASE("a world that is restored goes on with what its servos remember") {
    RobotScene scene = armScene();
    scene.servos.push_back(positionServo(0.5, 40, 4, 0.1));
    scene.servos[0].control = {false, 70, 0.03};
    scene.servos[0].integral = 20;
    scene.servos[0].maxIntegral = 5;
    RobotWorld world(scene, 60);
    const auto go = [&](int ticks) {
        std::vector<double> angles;
        for (int i = 0; i < ticks; ++i) {
            world.step();
            angles.push_back(world.robot().q(0));
        }
        return angles;
    };
    go(11);
    const WorldSnapshot saved = world.plugin().saveWorld();
    const std::vector<RobotDrivesState> drives = world.drivesStates();
    const std::vector<double> first = go(30);
    world.plugin().restoreWorld(saved);
    world.setTicks(11, drives);
    CHECK(go(30) == first);
    CHECK_THROWS_AS(world.setTicks(11, std::vector<RobotDrivesState>()), InvalidParameter);
}

TEST_CASE("in a tick that is made in parts, mean torques are of the whole") {
    RobotScene scene = armScene("", R"(<elasto:spring joint="j" c="30" d="0.5"/>)");
    scene.servos.push_back(positionServo(0.5, 40, 4, 0.05));
    scene.servos[0].control = {false, 500, 0};
    scene.duration = 0.5;
    const auto impulse = [&](double rate) {
        RobotWorld world(scene, rate);
        double sum = 0;
        while (world.ticks() < world.ticksToEnd()) {
            world.step();
            sum += world.value({RobotSignalKind::ElementMeanForce, 0, 0, "", ""}) * world.tickLength();
        }
        return sum;
    };
    CHECK(std::abs(impulse(500)) > 0.1);
    CHECK(impulse(60) == Approx(impulse(500)).epsilon(kIsDouble ? 1e-7 : 1e-4));
}

TEST_CASE("servos of a program are checked as those of a file") {
    const auto refusal = [](const RobotServo& servo, const std::string& elements = "") -> std::string {
        RobotScene scene = armScene("", elements);
        scene.servos.push_back(servo);
        try {
            const RobotWorld world(scene);
        } catch (const InvalidParameter& refused) {
            return refused.what();
        }
        return "";
    };
    CHECK(refusal(positionServo(1, -1, 0)) ==
          "servo of joint 'j': stiffness = -1 is not allowed; stiffness must be finite and >= 0");
    RobotServo servo = positionServo(1, 1, 1);
    servo.control.rate = 0;
    CHECK(refusal(servo) == "servo of joint 'j': rate = 0 is not allowed; rate must be > 0 and <= 1e+06");
    servo.control = {false, 1e3, 11};
    CHECK(refusal(servo) ==
          "servo of joint 'j': delay = 11 is not allowed; delay must be at most 10000 times the time between readings");
    servo.control = {true, {}, 0};
    CHECK(refusal(servo).empty());
    CHECK_THAT(refusal(servo, R"(<elasto:spring joint="j" c="1" d="1" inertia="1"/>)"),
               Catch::StartsWith("servo of joint 'j': it is continuous"));
    servo.maxEffort = 1;
    CHECK_THAT(refusal(servo), Catch::StartsWith("servo of joint 'j': it is continuous"));
}

TEST_CASE("servos of many joints follow one table, whose rows are inside ticks") {
    RobotScene scene = sceneOfRobot(parseRobot(R"(<robot name="two"><link name="base"/>
<link name="a"><inertial><mass value="1"/><inertia ixx="0.1" ixy="0" ixz="0" iyy="0.1" iyz="0" izz="0.1"/></inertial></link>
<link name="b"><inertial><mass value="2"/><inertia ixx="0.1" ixy="0" ixz="0" iyy="0.1" iyz="0" izz="0.1"/></inertial></link>
<joint name="turn" type="continuous"><parent link="base"/><child link="a"/><axis xyz="0 0 1"/></joint>
<joint name="slide" type="prismatic"><parent link="base"/><child link="b"/><axis xyz="1 0 0"/><limit lower="-1" upper="1" effort="0" velocity="0"/></joint></robot>)"));
    const auto moves = std::make_shared<const JointTrajectory>(
        parseJointTrajectory("time,turn,slide\n0,0,0\n0.333,1,0.2\n0.5,0.5,0.3\n0.777,0.5,-0.1\n", "moves.csv",
                             JointTrajectory::Interpolation::Linear));
    for (const int joint : {0, 1}) {
        RobotServo servo = positionServo(1, 900, 60);
        servo.joint = joint;
        servo.target.trajectory = moves;
        servo.target.column = static_cast<std::size_t>(joint);
        servo.control.isContinuous = true;
        scene.servos.push_back(servo);
    }
    scene.duration = 0.7;
    std::vector<double> turns, slides;
    for (const double rate : {30.0, 60.0, 240.0, 1000.0}) {
        RobotWorld world(scene, rate);
        while (world.ticks() < world.ticksToEnd()) world.step();
        turns.push_back(world.robot().q(0));
        slides.push_back(world.robot().q(1));
    }
    const double near = kIsDouble ? 1e-7 : 1e-5;
    for (std::size_t i = 0; i < 3; ++i) {
        CHECK(turns[i] == Approx(turns[3]).margin(near));
        CHECK(slides[i] == Approx(slides[3]).margin(near));
    }
    // They lag by what settles in some hundredths of a second.
    CHECK(turns[3] == Approx(0.5).margin(2e-2));
    CHECK(slides[3] == Approx(0.3 - 0.4 * 0.2 / 0.277).margin(2e-2));
}

TEST_CASE("a target that jumps in a table, through a gear, asks for no torque before") {
    RobotScene scene = armScene("", R"(<elasto:spring joint="j" c="1e4" d="10" inertia="1e-3" ratio="-10"/>)");
    scene.servos.push_back(positionServo(1, 40, 8));
    scene.servos[0].target.type = TimeCourse::Type::Table;
    scene.servos[0].target.points = {{0.2, 0}, {0.2, 0.5}};
    for (const double rate : {60.0, 240.0, 1000.0}) {
        RobotWorld world(scene, rate);
        double most = 0;
        while (world.ticks() < world.ticksToEnd()) {
            if (world.time() < 0.2 - 1e-9) CHECK(driveOf(world) == 0);
            most = std::max(most, std::abs(driveOf(world)));
            world.step();
        }
        CHECK(most == Approx(40 * 0.5 / 10));
    }
}

TEST_CASE("a program gives servos targets in the place of the scene's") {
    for (const bool isContinuous : {false, true}) {
        RobotScene scene = armScene();
        scene.servos.push_back(positionServo(0.2, 40, 4));
        scene.servos[0].control.isContinuous = isContinuous;
        RobotScene other = scene;
        other.servos[0].target.value = 0.7;
        RobotWorld driven(scene), usual(other);
        CHECK(driven.drives().target(0, 0) == 0.2);
        driven.drives().setTarget(0, 0.7);
        driven.restart();  // which keeps it, and reads it
        CHECK(driven.drives().target(0, 0) == 0.7);
        for (int tick = 0; tick < 50; ++tick) {
            driven.step();
            usual.step();
        }
        CHECK(driven.robot().q(0) == usual.robot().q(0));  // to the bit
        CHECK(driveOf(driven) == driveOf(usual));
        // Without a target of its own the scene's counts again: the arm comes back.
        driven.drives().setTarget(0, std::nullopt);
        CHECK(driven.drives().target(0, 0) == 0.2);
        while (driven.time() < 3) driven.step();
        CHECK(driven.robot().q(0) == Approx(0.2).epsilon(1e-4));
        CHECK_THROWS_WITH(driven.drives().setTarget(0, NAN), Catch::Contains("servo of joint 'j': target = nan"));
        CHECK(driven.drives().target(0, 0) == 0.2);
    }
    RobotWorld free(armScene());
    CHECK_THROWS_WITH(free.drives().setTarget(0, 1), Catch::Contains("joint 'j' has no servo"));
    CHECK_THROWS_WITH(free.drives().target(0, 1), Catch::Contains("joint 'j' has no servo"));
}
