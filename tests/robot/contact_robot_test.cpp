// Robots that touch: wheels that slip, tools that wipe, fingers that hold.

#include <elasto/robot/robot_world.h>

#include <BulletCollision/CollisionShapes/btBoxShape.h>
#include <BulletDynamics/Dynamics/btRigidBody.h>

#include <catch2/catch.hpp>

#include <algorithm>
#include <cmath>
#include <string>

#include "plain_world.h"

using namespace elasto;
using namespace elasto::test;

namespace {

std::string inertial(double mass, double x, double y, double z) {
    return "<inertial><mass value=\"" + std::to_string(mass) + "\"/><inertia ixx=\"" + std::to_string(x) +
           "\" ixy=\"0\" ixz=\"0\" iyy=\"" + std::to_string(y) + "\" iyz=\"0\" izz=\"" + std::to_string(z) +
           "\"/></inertial>";
}

/// A base of 20 kg on four wheels with geared motors.
std::string roverText(const std::string& wheel) {
    std::string text = R"(<robot name="rover" xmlns:elasto="urn:elasto"><link name="base">)" +
                       inertial(20, 0.3, 0.45, 0.65) + "</link>";
    const double places[4][2] = {{0.2, 0.25}, {0.2, -0.25}, {-0.2, 0.25}, {-0.2, -0.25}};
    for (int i = 0; i < 4; ++i) {
        const std::string n = std::to_string(i);
        text += "<link name=\"wheel" + n + "\">" + inertial(1, 0.003, 0.005, 0.003) +
                R"(<collision><origin rpy="1.5707963267948966 0 0"/><geometry>)" + wheel +
                "</geometry></collision></link><joint name=\"axle" + n +
                "\" type=\"continuous\"><parent link=\"base\"/><child link=\"wheel" + n + "\"/><origin xyz=\"" +
                std::to_string(places[i][0]) + " " + std::to_string(places[i][1]) +
                R"( -0.05"/><axis xyz="0 1 0"/></joint><elasto:backlash joint="axle)" + n +
                R"(" c="2000" d="4" b="0" inertia="2e-5" ratio="30"/>)";
    }
    return text + "</robot>";
}

constexpr double kWeight = 9.80665;

}  // namespace

TEST_CASE("wheels that slip push with friction times their pressure, at any rate") {
    const std::string wheel =
        GENERATE(std::string(R"(<sphere radius="0.1"/>)"), std::string(R"(<cylinder radius="0.1" length="0.06"/>)"));
    const double hz = GENERATE(60., 240.);
    CAPTURE(wheel, hz);
    RobotScene scene = sceneOfRobot(parseRobot(roverText(wheel)));
    scene.ground = true;
    scene.friction = 0.8;
    scene.pose.position = {0, 0, 0.15};
    scene.rate = hz;
    scene.duration = 0.5;
    RobotWorld world(scene);
    for (int joint = 0; joint < 4; ++joint) {
        world.robot().motorOf(joint)->setMotorTorque([](double t) { return 0.25 + 0.01 * std::sin(t); });
    }
    const auto speed = [&] { return static_cast<double>(world.robot().multiBody().getBaseVel().x()); };
    while (world.time() < 0.1) world.step();  // gears wind up
    const double start = world.time(), before = speed();
    while (world.ticks() < world.ticksToEnd()) world.step();
    CHECK((speed() - before) / (world.time() - start) == Approx(0.8 * 0.8 * kWeight).epsilon(1e-4));
    CHECK(world.plugin().totals().approximateTicks == 0);
    CHECK(world.plugin().totals().failedTicks == 0);
}

TEST_CASE("a rover that stands stays where it is") {
    RobotScene scene = sceneOfRobot(parseRobot(roverText(R"(<sphere radius="0.1"/>)")));
    scene.ground = true;
    scene.friction = 0.8;
    scene.pose.position = {0, 0, 0.15};
    scene.rate = 60;
    scene.duration = 5;
    RobotWorld world(scene);
    while (world.ticks() < world.ticksToEnd()) world.step();
    const btVector3 at = world.robot().multiBody().getBasePos();
    CHECK(static_cast<double>(at.x()) == Approx(0).margin(1e-6));
    CHECK(static_cast<double>(at.y()) == Approx(0).margin(1e-6));
    CHECK(static_cast<double>(at.z()) == Approx(0.15).margin(1e-5));
}

TEST_CASE("a tool that a drive presses on the floor wipes it and never enters it") {
    const double hz = GENERATE(60., 90.);
    CAPTURE(hz);
    RobotScene scene = sceneOfRobot(parseRobot(R"(<robot name="wipe" xmlns:elasto="urn:elasto"><link name="base"/>
<link name="a"><inertial><origin xyz="0.2 0 0"/><mass value="2"/><inertia ixx="0.002" ixy="0" ixz="0" iyy="0.03" iyz="0" izz="0.03"/></inertial></link>
<joint name="shoulder" type="revolute"><parent link="base"/><child link="a"/><origin xyz="0 0 0.5"/><axis xyz="0 1 0"/><limit lower="-2" upper="2" effort="80" velocity="5"/><dynamics damping="0.5" friction="0.4"/></joint>
<link name="b"><inertial><origin xyz="0.2 0 0"/><mass value="1"/><inertia ixx="0.001" ixy="0" ixz="0" iyy="0.015" iyz="0" izz="0.015"/></inertial><collision><origin xyz="0.4 0 0"/><geometry><sphere radius="0.03"/></geometry></collision></link>
<joint name="elbow" type="revolute"><parent link="a"/><child link="b"/><origin xyz="0.4 0 0"/><axis xyz="0 1 0"/><limit lower="-0.5" upper="2.5" effort="60" velocity="5"/><dynamics damping="0.3" friction="0.2"/></joint>
<elasto:backlash joint="shoulder" c="3000" d="6" b="0.004" inertia="1e-5" ratio="50"/>
<elasto:backlash joint="elbow" c="2000" d="4" b="0.006" inertia="8e-6" ratio="40"/></robot>)"));
    scene.ground = true;
    scene.friction = 0.6;
    scene.rate = hz;
    scene.duration = 2;
    scene.q = {0.25, 0.75};
    RobotWorld world(scene);
    world.robot().motorOf(0)->setMotorTorque([](double t) { return 0.5 + 0.2 * std::sin(3 * t); });
    world.robot().motorOf(1)->setMotorTorque([](double t) { return 0.2 * std::sin(4 * t); });
    double lowest = 1;
    while (world.ticks() < world.ticksToEnd()) {
        world.step();
        const double q = world.robot().q(0), both = q + world.robot().q(1);
        lowest = std::min(lowest, 0.47 - 0.4 * std::sin(q) - 0.4 * std::sin(both));
    }
    CHECK(lowest > -1e-5);
    CHECK(lowest < 1e-3);
}

TEST_CASE("a box that drives grip is shaken and neither turns nor slips") {
    RobotScene scene =
        sceneOfRobot(parseRobot(R"(<robot name="grip" xmlns:elasto="urn:elasto"><link name="w"/>)"
                                "<link name=\"palm\">" +
                                inertial(2, 0.01, 0.01, 0.01) + R"(</link>
<joint name="lift" type="prismatic"><parent link="w"/><child link="palm"/><axis xyz="0 0 1"/><limit lower="-5" upper="5" effort="1000" velocity="5"/></joint>
<link name="fl">)" + inertial(0.1, 1e-4, 1e-4, 1e-4) +
                                R"(<collision><geometry><box size="0.02 0.06 0.06"/></geometry></collision></link>
<joint name="left" type="prismatic"><parent link="palm"/><child link="fl"/><origin xyz="-0.03 0 0"/><axis xyz="1 0 0"/><limit lower="-0.1" upper="0.1" effort="100" velocity="1"/></joint>
<link name="fr">)" + inertial(0.1, 1e-4, 1e-4, 1e-4) +
                                R"(<collision><geometry><box size="0.02 0.06 0.06"/></geometry></collision></link>
<joint name="right" type="prismatic"><parent link="palm"/><child link="fr"/><origin xyz="0.03 0 0"/><axis xyz="-1 0 0"/><limit lower="-0.1" upper="0.1" effort="100" velocity="1"/></joint>
<elasto:backlash joint="left" c="2e4" d="20" b="0.0005" inertia="1e-6" ratio="1000"/>
<elasto:backlash joint="right" c="2e4" d="20" b="0.0005" inertia="1e-6" ratio="1000"/></robot>)"));
    scene.gravity = {0, 0, -kWeight};
    scene.friction = 0.8;
    scene.rate = 240;
    scene.duration = 2;
    RobotWorld world(scene);
    btBoxShape shape(btVector3(btScalar(0.02), btScalar(0.03), btScalar(0.03)));
    btVector3 moments;
    shape.calculateLocalInertia(btScalar(0.5), moments);
    btRigidBody box(btScalar(0.5), nullptr, &shape, moments);
    box.setFriction(btScalar(0.8));
    box.setActivationState(DISABLE_DEACTIVATION);
    world.world().addRigidBody(&box);
    world.robot().motorOf(1)->setMotorTorque(0.01);
    world.robot().motorOf(2)->setMotorTorque(0.01);
    // After 0.2 s the palm is shaken by 4 m/s2 at 2 Hz.
    world.plugin().addJointLoad({world.robot().multiBody(), world.robot().bulletLinkOfJoint(0), [](double t) {
                                     const double shaken = t < 0.2 ? 0 : 4 * std::sin(4 * M_PI * (t - 0.2));
                                     return 2.7 * (kWeight + shaken);
                                 }});
    double held = 0, least = 1, most = -1;
    while (world.ticks() < world.ticksToEnd()) {
        world.step();
        const double place = static_cast<double>(box.getCenterOfMassPosition().z()) - world.robot().q(0);
        if (world.time() < 0.25) held = place;
        least = std::min(least, world.time() < 0.25 ? 1 : place);
        most = std::max(most, world.time() < 0.25 ? -1 : place);
    }
    CHECK(least == Approx(held).margin(1e-5));
    CHECK(most == Approx(held).margin(1e-5));
    CHECK(static_cast<double>(box.getOrientation().getAngle()) < 1e-3);
    world.world().removeRigidBody(&box);
}
