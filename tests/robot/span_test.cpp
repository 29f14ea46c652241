// Springs and ropes between links, from files, in a world.

#include <elasto/robot/robot_world.h>

#include <catch2/catch.hpp>

#include <cmath>
#include <string>

using namespace elasto;

namespace {

/// 2 kg that slide along x without gravity; its origin of mass is 0.3 m beside the link's frame, turned.
RobotScene slider(const std::string& element, double x, double v) {
    RobotScene scene = sceneOfRobot(parseRobot(
        R"(<robot name="slider"><link name="rail"/><link name="cart"><inertial><origin xyz="0.1 0.3 0" rpy="0.4 0 1"/>
<mass value="2"/><inertia ixx="0.01" ixy="0" ixz="0" iyy="0.02" iyz="0" izz="0.02"/></inertial></link>
<joint name="slide" type="prismatic"><parent link="rail"/><child link="cart"/><axis xyz="1 0 0"/>
<limit lower="-9" upper="9" effort="9" velocity="9"/></joint>)" +
        element + "</robot>"));
    scene.gravity.setZero();
    scene.q = {x};
    scene.v = {v};
    scene.duration = 1;
    return scene;
}

constexpr double kRounding = sizeof(btScalar) == 8 ? 1e-9 : 3e-5;

}  // namespace

TEST_CASE("a spring between links pulls along the line of its points") {
    for (const double rate : {60., 240.}) {
        INFO(rate);
        // Along the rail: x - 0.4 is a cosine of sqrt(c / m).
        RobotWorld along(
            slider(R"(<elasto:line link_a="rail" link_b="cart" xyz_b="-0.1 0 0" c="50" d="0" s_unstretched="0.3"/>)",
                   0.6, 0),
            rate);
        while (along.ticks() < along.ticksToEnd()) along.step();
        CHECK(along.robot().q(0) == Approx(0.4 + 0.2 * std::cos(5)).epsilon(0).margin(kRounding));
        // Across it: what the spring has given is in the speed. The line is sqrt(x^2 + h^2) long.
        RobotWorld across(
            slider(
                R"(<elasto:line name="s" link_a="rail" link_b="cart" xyz_a="0 0.5 0" c="50" d="0" s_unstretched="0.2"/>)",
                0.6, 0),
            rate);
        const auto energy = [](double x) { return 25 * std::pow(std::hypot(x, 0.5) - 0.2, 2); };
        double least = 1;
        while (across.ticks() < across.ticksToEnd()) {
            across.step();
            const double x = across.robot().q(0), v = across.robot().v(0);
            CHECK(v * v + energy(x) == Approx(energy(0.6)).epsilon(sizeof(btScalar) == 8 ? 1e-6 : 1e-4));
            CHECK(across.robot().element("s").s_rel() == Approx(std::hypot(x, 0.5)).epsilon(1e-6));
            least = std::min(least, x);
        }
        CHECK(least < -0.55);  // it has swung to the other side
    }
}

TEST_CASE("a rope between links holds what flies away, and lets it come back") {
    for (const double rate : {60., 240.}) {
        INFO(rate);
        // From 0.5 m at 2 m/s: taut at 1 m after 0.25 s, thrown back after half a swing of sqrt(5000 / 2) = 50 rad/s.
        RobotWorld world(
            slider(R"(<elasto:rope link_a="rail" link_b="cart" c="5000" d="0" s_unstretched="1"/>)", 0.5, 2), rate);
        while (world.ticks() < world.ticksToEnd()) world.step();
        CHECK(world.robot().q(0) == Approx(1 - 2 * (0.75 - M_PI / 50)).epsilon(0).margin(10 * kRounding));
        CHECK(world.robot().v(0) == Approx(-2).epsilon(1e-5));
    }
}

TEST_CASE("what a rope has slipped is forgotten in a new episode") {
    RobotWorld world(
        slider(R"(<elasto:rope name="r" link_a="rail" link_b="cart" c="5000" d="0" s_unstretched="1" f_max="20"/>)",
               0.5, 2),
        240);
    const auto run = [&] {
        for (int i = 0; i < 120; ++i) world.step();
        return world.robot().q(0);
    };
    const double first = run();
    CHECK(world.robot().element("r").saveState().s_damper > 0.05);
    world.robot().setJoint(0, 0.5, 2);
    CHECK(world.robot().element("r").saveState().s_damper == 0);
    CHECK(run() == first);
}

TEST_CASE("a spring of length 0 balances an arm at every angle") {
    // c a b = m g l, with a = b = 0.2 m and m l = 2 kg 0.3 m (Carwardine's balance of lamps).
    RobotScene scene = sceneOfRobot(parseRobot(
        R"(<robot name="lamp"><link name="base"/><link name="arm"><inertial><origin xyz="0.3 0 0"/><mass value="2"/>
<inertia ixx="0.001" ixy="0" ixz="0" iyy="0.02" iyz="0" izz="0.02"/></inertial></link>
<joint name="j" type="continuous"><parent link="base"/><child link="arm"/><axis xyz="0 -1 0"/></joint>
<elasto:line link_a="base" link_b="arm" xyz_a="0 0 0.2" xyz_b="0.2 0 0" c="147.09975" d="0"/></robot>)"));
    scene.duration = 2;
    for (const double angle : {-1.2, 0.4, 1.1}) {
        scene.q = {angle};
        RobotWorld world(scene, 60);
        while (world.ticks() < world.ticksToEnd()) world.step();
        CHECK(world.robot().q(0) == Approx(angle).epsilon(0).margin(kRounding));
    }
    // Without the spring it falls.
    scene.robot.elements.clear();
    RobotWorld falling(scene, 60);
    while (falling.time() < 0.3) falling.step();
    CHECK(falling.robot().q(0) < 0.9);
}
