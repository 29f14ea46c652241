#include <elasto/robot/robot_world.h>

#include <catch2/catch.hpp>

#include <algorithm>

#include "plain_world.h"

using namespace elasto;
using namespace elasto::test;

namespace {

/// A bar of 2 kg and 1 m on a horizontal axis, with a range and whatever else.
RobotScene barScene(const std::string& elements, const std::string& dynamics = "") {
    RobotScene scene = sceneOfRobot(parseRobot(R"(<robot name="bar"><link name="world"/><link name="bar">
<inertial><origin xyz="0.5 0 0"/><mass value="2"/><inertia ixx="0.001" ixy="0" ixz="0" iyy="0.17" iyz="0" izz="0.17"/></inertial>
</link><joint name="hinge" type="revolute"><parent link="world"/><child link="bar"/><axis xyz="0 1 0"/>
<limit lower="-1" upper="0.4" effort="100" velocity="10"/>)" +
                                               dynamics + "</joint>" + elements + "</robot>"));
    scene.gravity = {0, 0, -10};
    return scene;
}

double valueOf(const RobotWorld& world, const std::string& name) {
    for (const RobotSignal& signal : availableRobotSignals(world.scene())) {
        if (signal.name == name) return world.value(signal);
    }
    throw std::out_of_range(name);
}

void run(RobotWorld& world) {
    while (world.ticks() < world.ticksToEnd()) world.step();
}

constexpr double kInertia = 0.17 + 2 * 0.25;

}  // namespace

TEST_CASE("a bar comes to rest on its stop where torque and gravity balance") {
    RobotScene scene = barScene(R"(<elasto:gap joint="hinge" side="both" c="1e3" d="20"/>)");
    scene.duration = 6;
    RobotWorld world(scene);
    CHECK(world.world().getNumMultiBodyConstraints() == 2);  // no limit of Bullet's
    run(world);
    const double q = valueOf(world, "hinge.phi");
    CHECK(1e3 * (q - 0.4) == Approx(2 * 10 * 0.5 * std::cos(q)).epsilon(1e-3));
    CHECK(valueOf(world, "hinge.upper.phi_rel") == Approx(-q));
    CHECK(valueOf(world, "hinge.upper.tau") == Approx(-10 * std::cos(q)).epsilon(1e-3));
    CHECK(valueOf(world, "hinge.upper.contact") == 1);
    CHECK(valueOf(world, "hinge.lower.contact") == 0);
    CHECK(valueOf(world, "totalHeat") > 0.5);
}

TEST_CASE("damping of a joint is what the URDF says, however large") {
    for (const double damping : {0.5, 50.0, 5000.0}) {
        RobotScene scene = barScene("", "<dynamics damping=\"" + std::to_string(damping) + "\"/>");
        scene.gravity.setZero();
        scene.v = {2};
        scene.duration = 0.1;
        RobotWorld world(scene);
        run(world);
        const double decay = damping / kInertia;
        CHECK(world.robot().v(0) == Approx(2 * std::exp(-decay * 0.1)).epsilon(1e-5).margin(1e3 * kNear));
        CHECK(world.robot().q(0) == Approx(2 / decay * (1 - std::exp(-decay * 0.1))).epsilon(1e-5));
    }
}

TEST_CASE("a load on a joint acts with its mean over each tick") {
    RobotScene scene = barScene("");
    scene.gravity.setZero();
    RobotFunction sine;
    sine.type = SceneLoad::Type::Sine;
    sine.value = 3;
    scene.loads.push_back({0, sine});
    scene.duration = 0.25;
    RobotWorld world(scene, 60);
    CHECK(valueOf(world, "hinge.drive.tau") == Approx(3 * std::sin(2 * M_PI / 120)));
    run(world);
    CHECK(world.robot().v(0) == Approx(3 / (2 * M_PI) / kInertia).epsilon(1e-4));
}

TEST_CASE("a servo holds a joint, up to its effort") {
    RobotScene scene = barScene("");
    RobotFunction wanted;
    wanted.value = -0.5;
    scene.servos.push_back({0, wanted, 400, 40, 100});
    scene.duration = 4;
    RobotWorld world(scene);
    run(world);
    const double q = world.robot().q(0);
    CHECK(400 * (-0.5 - q) == Approx(-10 * std::cos(q)).epsilon(1e-3));

    scene.servos[0].maxEffort = 4;  // less than gravity's torque
    RobotWorld weak(scene);
    CHECK(valueOf(weak, "hinge.drive.tau") == -4);
    run(weak);
    CHECK(weak.robot().q(0) == Approx(0.4).margin(0.01));  // fell onto the limit
}

TEST_CASE("a robot stands on the ground") {
    RobotScene scene = sceneOfRobot(parseRobot(R"(<robot name="box"><link name="box">
<inertial><mass value="2"/><inertia ixx="0.01" ixy="0" ixz="0" iyy="0.01" iyz="0" izz="0.01"/></inertial>
<collision><geometry><box size="0.2 0.2 0.2"/></geometry></collision></link></robot>)"));
    scene.pose.position = {0, 0, 0.15};
    scene.ground = true;
    scene.duration = 2;
    RobotWorld world(scene);
    run(world);
    CHECK(valueOf(world, "box.r_0[3]") == Approx(0.1).margin(2e-3));
}

TEST_CASE("a robot's run does not depend on Bullet's iterations") {
    std::vector<double> ends;
    for (const int iterations : {1, 10, 50}) {
        RobotScene scene = barScene(R"(<elasto:gap joint="hinge" side="both" c="1e5" d="20"/>)");
        scene.solverIterations = iterations;
        scene.duration = 1;
        RobotWorld world(scene);
        run(world);
        ends.push_back(world.robot().q(0));
    }
    CHECK(ends[0] == ends[1]);
    CHECK(ends[0] == ends[2]);
}

TEST_CASE("rates and durations of robot worlds are checked") {
    CHECK_THROWS_WITH(RobotWorld(barScene(""), 0),
                      "RobotWorld: rate = 0 is not allowed; rate must be > 0 and <= 1e+06");
    RobotScene scene = barScene("");
    scene.duration = 1e-9;
    CHECK_THROWS_WITH(RobotWorld(scene).ticksToEnd(), Catch::StartsWith("scene 'bar': duration = 1e-09"));
}
