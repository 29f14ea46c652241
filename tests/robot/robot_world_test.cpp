#include <elasto/robot/robot_world.h>

#include <catch2/catch.hpp>

#include <algorithm>
#include <cmath>
#include <string>

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

TEST_CASE("a bump stop at a joint takes up a swing as its table says, and gives it back") {
    RobotScene scene = barScene(
        R"(<elasto:bump_stop name="bump" joint="hinge" side="upper" s_rel0="0.2" table="0 0, 0.1 5, 0.2 40" d="0"/>)");
    scene.gravity.setZero();
    scene.q = {0};
    scene.v = {2};
    scene.duration = 0.6;
    const ForceTable table({{0, 0}, {0.1, 5}, {0.2, 40}});
    const double start = 0.5 * kInertia * 4;  // J
    for (const double rate : {60., 1000.}) {
        INFO(rate);
        RobotWorld world(scene, rate);
        double farthest = 0;
        while (world.ticks() < world.ticksToEnd()) {
            world.step();
            const double q = valueOf(world, "hinge.phi"), w = valueOf(world, "hinge.w");
            const double stored = q > 0.2 ? table.energy(q - 0.2) : 0;
            CHECK(0.5 * kInertia * w * w + stored == Approx(start).epsilon(sizeof(btScalar) == 8 ? 1e-6 : 1e-4));
            CHECK(valueOf(world, "bump.storedEnergy") == Approx(stored).epsilon(1e-4).margin(1e-4 * start));
            farthest = std::max(farthest, q);
        }
        CHECK(farthest > 0.3);  // past the first point of the table
        CHECK(valueOf(world, "hinge.w") == Approx(-2).epsilon(1e-4));
    }
}

TEST_CASE("a series elastic actuator answers a step of its motor's torque as a second-order system") {
    RobotScene scene = barScene(R"(<elasto:sea joint="hinge" c="300" d="2" inertia="1e-4" ratio="50"/>)");
    scene.gravity.setZero();
    scene.loads.push_back({0, {}});
    scene.loads[0].value.value = 0.1;  // N.m at the motor: 5 at the joint
    scene.duration = 0.3;
    const double rotor = 1e-4 * 2500, sum = 1 / rotor + 1 / kInertia, omega = std::sqrt(300 * sum);
    const double decay = sum, damped = std::sqrt(omega * omega - decay * decay);  // d / 2 = 1
    const double end = -5 * kInertia / (rotor + kInertia) / 300;
    for (const double rate : {60., 240., 1000.}) {
        INFO(rate);
        RobotWorld world(scene, rate);
        double least = 0;
        while (world.ticks() < world.ticksToEnd()) {
            world.step();
            const double t = world.time();
            const double wanted =
                end * (1 - std::exp(-decay * t) * (std::cos(damped * t) + decay / damped * std::sin(damped * t)));
            const double is = valueOf(world, "hinge.sea.phi_rel");
            CHECK(is == Approx(wanted).epsilon(0).margin(sizeof(btScalar) == 8 ? 1e-10 : 1e-6));
            least = std::min(least, is);
        }
        CHECK(least < 1.3 * end);  // it overshoots
    }
}

TEST_CASE("an element at a joint shows the shares of its torque, as Modelica names them") {
    RobotScene scene =
        barScene(R"(<elasto:backlash joint="hinge" c="500" d="3" b="0.1" inertia="0.01" ratio="2" T="320"/>)");
    scene.duration = 1;
    RobotWorld world(scene);
    int contacts = 0, within = 0;
    while (world.ticks() < world.ticksToEnd()) {
        world.step();
        const auto of = [&](const char* signal) { return valueOf(world, std::string("hinge.backlash.") + signal); };
        const double phi_rel = of("phi_rel"), outside = phi_rel - std::clamp(phi_rel, -0.05, 0.05);
        CHECK(of("tau_c") == Approx(500 * outside).epsilon(1e-4).margin(1e-3));
        CHECK(of("tau_d") == Approx(3 * of("w_rel")).epsilon(1e-4).margin(1e-3));
        CHECK(of("tau") == Approx(of("tau_c") + of("tau_d_limited")).epsilon(1e-9).margin(1e-12));
        CHECK(of("flange_b.tau") == of("tau"));
        CHECK(of("flange_a.tau") == -of("tau"));
        CHECK(of("dissipatedPower") >= -1e-9);
        CHECK(of("TheatPort") == 320);
        (of("contact") == 1 ? contacts : within) += 1;
    }
    CHECK(contacts > 10);
    CHECK(within > 0);
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
        const double lost = kInertia / 2 * (4 - world.robot().v(0) * world.robot().v(0));
        CHECK(valueOf(world, "totalHeat") == Approx(lost).epsilon(1e-4));
        CHECK(valueOf(world, "hinge.damping.tau") == Approx(damping * world.robot().v(0)).epsilon(1e-6).margin(1e-12));
    }
}

TEST_CASE("a load on a joint acts as the function of time that it is") {
    RobotScene scene = barScene("");
    scene.gravity.setZero();
    RobotFunction sine;
    sine.type = TimeCourse::Type::Sine;
    sine.value = 3;
    scene.loads.push_back({0, sine});
    scene.duration = 0.25;
    RobotWorld world(scene, 60);
    CHECK(valueOf(world, "hinge.drive.tau") == Approx(3 * std::sin(2 * M_PI / 120)));
    run(world);
    CHECK(world.robot().v(0) == Approx(3 / (2 * M_PI) / kInertia).epsilon(1e-4));
}

TEST_CASE("a robot's world that is restored goes on with its loads and servos") {
    RobotScene scene = barScene("");
    RobotFunction wanted;
    wanted.type = TimeCourse::Type::Sine;
    wanted.value = 0.5;
    wanted.frequency = 1.5;
    scene.servos.push_back({0, wanted, 400, 40, 100});
    RobotWorld world(scene, 60);
    const auto go = [&](int ticks) {
        std::vector<double> angles;
        for (int i = 0; i < ticks; ++i) {
            world.step();
            angles.push_back(world.robot().q(0));
        }
        return angles;
    };
    go(20);
    const WorldSnapshot saved = world.plugin().saveWorld();
    const std::vector<double> first = go(50);
    world.plugin().restoreWorld(saved);
    world.setTicks(20);
    CHECK(world.time() == Approx(20. / 60));
    CHECK(go(50) == first);
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

TEST_CASE("behind its motor a joint is late by half the backlash, whichever way it turns") {
    RobotScene scene =
        barScene(R"(<elasto:backlash joint="hinge" c="1e5" d="100" b="0.02" inertia="1e-4" ratio="-50"/>)",
                 "<dynamics damping=\"10\"/>");
    scene.gravity.setZero();
    RobotFunction wanted;
    wanted.type = TimeCourse::Type::Sine;
    wanted.value = 0.2;
    wanted.frequency = 0.5;
    scene.servos.push_back({0, wanted, 500, 20, 100});
    RobotWorld world(scene);
    std::vector<double> lags;  // where the motor passes 0
    for (double before = 0; world.time() < 4;) {
        world.step();
        const double motor = valueOf(world, "hinge.motor.phi") / -50;
        if (world.time() > 0.5 && before * motor < 0) {
            lags.push_back((motor - valueOf(world, "hinge.phi")) * (motor > before ? 1 : -1));
        }
        before = motor;
    }
    REQUIRE(lags.size() == 3);
    // Half the play, and what the joint's damping of 10 N.m.s/rad winds up in the gear.
    const double windUp = 10 * 0.2 * 2 * M_PI * 0.5 / 1e5;
    for (const double lag : lags) CHECK(lag == Approx(0.01 + windUp).epsilon(0.01));
    CHECK(valueOf(world, "hinge.motor.w") == Approx(-50 * world.robot().v(0)).epsilon(0.05));
}

TEST_CASE("a motor that is pushed carries its joint along through the gear") {
    RobotScene scene = barScene(R"(<elasto:series joint="hinge" c="2e3" d="1e5" inertia="2e-3" ratio="20"/>)");
    scene.gravity.setZero();
    RobotFunction torque;
    torque.value = 0.05;
    scene.loads.push_back({0, torque});
    scene.duration = 0.5;
    RobotWorld world(scene);
    CHECK(valueOf(world, "hinge.drive.tau") == 0.05);
    run(world);
    // Of the whole: the rotor turns 20 times as fast. The spring swings a little about that.
    const double momentum = kInertia * world.robot().v(0) + 2e-3 * 20 * valueOf(world, "hinge.motor.w");
    CHECK(momentum == Approx(20 * 0.05 * 0.5).epsilon(sizeof(btScalar) == 8 ? 1e-8 : 1e-5));
    CHECK(world.robot().v(0) == Approx(20 * 0.05 * 0.5 / (kInertia + 400 * 2e-3)).epsilon(0.02));
}

TEST_CASE("a body that floats turns back while its motor spins up a wheel") {
    RobotScene scene = sceneOfRobot(parseRobot(R"(<robot name="satellite"><link name="body">
<inertial><mass value="5"/><inertia ixx="0.1" ixy="0" ixz="0" iyy="0.1" iyz="0" izz="0.1"/></inertial></link>
<link name="wheel"><inertial><mass value="0.5"/><inertia ixx="0.005" ixy="0" ixz="0" iyy="0.005" iyz="0" izz="0.01"/></inertial>
</link><joint name="j" type="continuous"><parent link="body"/><child link="wheel"/><axis xyz="0 0 1"/></joint>
<elasto:backlash joint="j" c="5000" d="5" b="0" inertia="0.01" ratio="1"/></robot>)"));
    scene.gravity.setZero();
    RobotFunction torque;
    torque.value = 1;
    scene.loads.push_back({0, torque});
    scene.duration = 1;
    RobotWorld world(scene, GENERATE(60., 240., 1000.));
    run(world);
    // Rotor and wheel, 0.01 kg.m2 each, gain what the body, of 0.1, loses: 50 rad/s against -10. The gear is wound up
    // by the wheel's 0.5 N.m, half of that to each side.
    const double near = sizeof(btScalar) == 8 ? 1e-6 : 1e-5;
    CHECK(valueOf(world, "j.w") == Approx(60).epsilon(near));
    CHECK(valueOf(world, "j.motor.w") == Approx(60).epsilon(near));
    CHECK(valueOf(world, "j.phi") == Approx(30 - 0.5 / 5000 / 2).epsilon(near));
    CHECK(valueOf(world, "j.motor.phi") == Approx(30 + 0.5 / 5000 / 2).epsilon(near));
    CHECK(valueOf(world, "j.backlash.tau") == Approx(-0.5).epsilon(1e-5));
    CHECK(std::abs(valueOf(world, "body.q[3]")) == Approx(std::sin(2.5)).epsilon(near));
}

TEST_CASE("the arm that comes with Elasto has hysteresis, and none without backlash", "[slow]") {
    const auto tipWhereTheMotorTurnsBackThroughZero = [](const std::string& name) {
        RobotWorld world(loadRobotScene(ELASTO_SOURCE_DIR "/assets/robots/" + name));
        double before = 1;
        while (world.time() < 1.5 || before > 0) {
            world.step();
            before = valueOf(world, "yaw.motor.phi");
        }
        return valueOf(world, "tip.r_0[2]");
    };
    // 0.001 rad, half the play of the yaw, at a reach of 0.93 m; friction of 4 N.m winds up the gear by 1e-4 rad.
    CHECK(tipWhereTheMotorTurnsBackThroughZero("arm6.json") == Approx(0.00102).epsilon(0.02));
    CHECK(tipWhereTheMotorTurnsBackThroughZero("arm6_without_backlash.json") == Approx(9.5e-5).epsilon(0.2));
}

TEST_CASE("the leg that comes with Elasto lands and stands, and its series element creeps as its law says", "[slow]") {
    RobotScene scene = loadRobotScene(ELASTO_SOURCE_DIR "/assets/robots/leg.json");
    const double d = std::get<SpringDamperSeriesLaw>(scene.robot.elements.at(0).law).parameters().d;
    RobotWorld world(scene);
    double creep = 0;
    double lowest = 1;
    while (world.time() < 1) {
        world.step();
        creep += valueOf(world, "knee.series.tau_mean") / d * world.tickLength();
        lowest = std::min(lowest, valueOf(world, "lift.s"));
    }
    CHECK(valueOf(world, "knee.series.phi_damper") == Approx(creep).epsilon(1e3 * kNear));
    CHECK(creep < -1e-3);
    CHECK(lowest < 0.43);  // it gave way to the impact
    CHECK(valueOf(world, "lift.s") == Approx(0.4565).margin(2e-3));
    CHECK(std::abs(valueOf(world, "lift.v")) < 2e-3);
    CHECK(valueOf(world, "toe.r_0[3]") == Approx(0.025 * (1 - std::cos(0.53))).margin(1e-3));
    CHECK(std::abs(valueOf(world, "knee.motor.w")) < 0.1);
    CHECK(valueOf(world, "hip.upper.contact") == 0);
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
