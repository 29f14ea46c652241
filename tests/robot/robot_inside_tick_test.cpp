// Robots at instants inside ticks, and when contact of their elements begins and ends there.

#include <elasto/robot/robot_inside_tick.h>

#include <elasto/errors.h>

#include <catch2/catch.hpp>

#include <cmath>
#include <stdexcept>
#include <string>

using namespace elasto;

namespace {

constexpr bool kHasDoubles = sizeof(btScalar) == 8;
constexpr double kCloseInside = kHasDoubles ? 1e-9 : 1e-5;

/// A cart of 2 kg on a rail along x with a buffer at 0.5 m, that comes at 3 m/s.
SceneRobot bufferedCart(const std::string& prefix, double speed) {
    RobotScene scene = sceneOfRobot(parseRobot(R"(<robot name="cart" xmlns:elasto="urn:elasto"><link name="rail"/>
<link name="cart"><inertial><mass value="2"/><inertia ixx="0.02" ixy="0" ixz="0" iyy="0.02" iyz="0" izz="0.02"/></inertial></link>
<joint name="slide" type="prismatic"><parent link="rail"/><child link="cart"/><axis xyz="1 0 0"/>
<limit lower="-9" upper="0.5" effort="99" velocity="99"/></joint>
<elasto:gap joint="slide" side="upper" c="8000" d="0"/></robot>)"));
    scene.prefix = prefix;
    scene.v = {speed};
    return scene;
}

RobotScene bufferedCarts() {
    RobotScene scene;
    static_cast<SceneRobot&>(scene) = bufferedCart("a.", 3);
    scene.others.push_back(bufferedCart("b.", 2));
    scene.gravity.setZero();
    scene.duration = 1;
    return scene;
}

RobotSignal signalNamed(const RobotScene& scene, const std::string& name) {
    for (const RobotSignal& signal : availableRobotSignals(scene)) {
        if (signal.name == name) return signal;
    }
    throw std::out_of_range(name);
}

}  // namespace

TEST_CASE("contact times of robots are where their motion has them, at any rate") {
    for (const double rate : {31., 250.}) {
        INFO(rate);
        RobotWorld world(bufferedCarts(), rate);
        RobotContactTimes times(world);
        RobotInsideTick inside(world);
        std::vector<double> events;
        while (world.ticks() < world.ticksToEnd()) {
            const double start = world.time();
            inside.beforeTick();
            world.step();
            for (const double t : times.take()) {
                events.push_back(start + t);
                CHECK(t <= world.tickLength());
            }
        }
        // Each is in contact for half a period.
        const double half = M_PI * std::sqrt(2 / 8000.);
        REQUIRE(events.size() == 4);
        CHECK(events[0] == Approx(0.5 / 3).margin(kCloseInside));
        CHECK(events[1] == Approx(0.5 / 3 + half).margin(kCloseInside));
        CHECK(events[2] == Approx(0.25).margin(kCloseInside));
        CHECK(events[3] == Approx(0.25 + half).margin(kCloseInside));
    }
}

TEST_CASE("a robot at an instant inside the tick is where it was then") {
    RobotWorld world(bufferedCarts(), 10);
    RobotInsideTick inside(world);
    CHECK_THROWS_AS(inside.at(0), std::logic_error);
    inside.beforeTick();
    world.step();
    inside.beforeTick();
    world.step();  // from 0.1 to 0.2: a rebounds within
    const double omega = std::sqrt(8000 / 2.);
    const double t = 0.08, in = 0.1 + t - 0.5 / 3;
    CHECK(inside.at(t).robot(0).q(0) == Approx(0.5 + 3 / omega * std::sin(omega * in)).margin(kCloseInside));
    CHECK(inside.at(t).robot(1).q(0) == Approx(2 * (0.1 + t)).margin(kCloseInside));
    CHECK(inside.at(0).robot(1).q(0) == Approx(0.2).margin(kCloseInside));
    // The whole tick again has the same bits.
    CHECK(inside.at(world.tickLength()).robot(0).q(0) == world.robot(0).q(0));
    // Forces now, means of the tick.
    const std::vector<RobotSignal> signals = {signalNamed(world.scene(), "a.slide.upper.f"),
                                              signalNamed(world.scene(), "a.slide.upper.f_mean")};
    const std::vector<double> values = inside.values(signals, t);
    CHECK(values[0] == Approx(-8000 * 3 / omega * std::sin(omega * in)).epsilon(kHasDoubles ? 1e-7 : 1e-3));
    CHECK(values[1] == world.value(signals[1]));
    CHECK_THROWS_WITH(inside.at(0.11), Catch::Contains("t = 0.11") && Catch::Contains("from 0 to 0.1"));
    CHECK_THROWS_AS(inside.at(-1e-9), InvalidParameter);
}

TEST_CASE("contact times of one element alone are told by its name") {
    RobotWorld world(bufferedCarts(), 240);
    RobotContactTimes times(world, "b.slide.upper");
    std::size_t events = 0;
    while (world.ticks() < world.ticksToEnd()) {
        world.step();
        events += times.take().size();
    }
    CHECK(events == 2);
    CHECK_THROWS_WITH(RobotContactTimes(world, "slide.upper"), Catch::Contains("no element 'slide.upper'"));
}

TEST_CASE("servos of several robots go on as they did when a world is put back") {
    RobotScene scene = bufferedCarts();
    for (SceneRobot* robot : {static_cast<SceneRobot*>(&scene), &scene.others[0]}) {
        RobotServo servo;
        servo.target.value = 0.2;
        servo.stiffness = 50;
        servo.damping = 5;
        servo.integral = 30;
        servo.maxIntegral = 9;
        servo.control.rate = 70;
        servo.control.delay = 0.03;
        robot->servos.push_back(servo);
    }
    RobotWorld world(scene, 60);
    RobotInsideTick inside(world);
    for (int tick = 0; tick < 30; ++tick) {
        inside.beforeTick();
        world.step();
        RobotWorld& again = inside.at(world.tickLength());
        for (const std::size_t robot : {0U, 1U}) REQUIRE(again.robot(robot).q(0) == world.robot(robot).q(0));
    }
    CHECK_THROWS_WITH(world.setTicks(3, {RobotDrivesState()}), Catch::Contains("2, as many as robots"));
}
