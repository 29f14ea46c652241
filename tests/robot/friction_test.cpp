// Friction and brakes in the joints of robots.

#include <elasto/robot/robot_world.h>
#include <elasto/scene/file_error.h>

#include <catch2/catch.hpp>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <string>

namespace robot_friction_test {

using namespace elasto;

namespace {

constexpr double kInertia = 0.17 + 2 * 0.25;

/// A bar of 2 kg and 1 m that turns about a vertical axis, or slides along x.
std::string barRobot(const std::string& elements, const std::string& dynamics = "",
                     const std::string& type = "continuous") {
    return R"(<robot name="bar" xmlns:elasto="urn:elasto"><link name="world"/><link name="bar">
<inertial><origin xyz="0.5 0 0"/><mass value="2"/><inertia ixx="0.001" ixy="0" ixz="0" iyy="0.17" iyz="0" izz="0.17"/></inertial>
</link><joint name="hinge" type=")" +
           type + R"("><parent link="world"/><child link="bar"/><axis xyz=")" +
           (type == "prismatic" ? "1 0 0" : "0 0 1") +
           R"("/><limit lower="-100" upper="100" effort="100" velocity="10"/>)" + dynamics + "</joint>" + elements +
           "</robot>";
}

double valueOf(const RobotWorld& world, const std::string& name) {
    for (const RobotSignal& signal : availableRobotSignals(world.scene())) {
        if (signal.name == name) return world.value(signal);
    }
    throw std::out_of_range(name);
}

void run(RobotWorld& world, double seconds) {
    for (long tick = std::lround(seconds * world.rate()); tick > 0; --tick) world.step();
}

/// Speed of the hinge after a second behind a drive, the first of the elements.
double driven(const std::string& elements) {
    RobotScene scene = sceneOfRobot(parseRobot(barRobot(elements)));
    scene.loads.push_back({0, {}});
    scene.loads[0].value.value = 0.05;  // 5 N.m behind a gear of 100
    RobotWorld world(scene, 240);
    run(world, 1);
    return valueOf(world, "hinge.w");
}

}  // namespace

TEST_CASE("a robot's joint that rubs comes to rest where Coulomb's law says, at any rate") {
    const double rate = GENERATE(60., 240., 1000.);
    RobotScene scene = sceneOfRobot(
        parseRobot(barRobot(R"(<elasto:friction joint="hinge" tau_Coulomb="1.5"/>)", R"(<dynamics friction="9"/>)")));
    scene.v = {3};
    RobotWorld world(scene, rate);
    run(world, 2);
    const double way = 0.5 * kInertia * 9 / 1.5;  // what <dynamics> says of friction does not count
    CHECK(valueOf(world, "hinge.phi") == Approx(way).epsilon(1e-6));
    CHECK(std::abs(valueOf(world, "hinge.w")) < 1e-6);
    CHECK(valueOf(world, "hinge.friction.heat") == Approx(1.5 * way).epsilon(1e-5));
    CHECK(valueOf(world, "hinge.friction.contact") == 1);
    CHECK(valueOf(world, "totalHeat") == Approx(1.5 * way).epsilon(1e-5));
}

TEST_CASE("a sliding joint's friction is a force, with Stribeck's curve") {
    const std::string element =
        R"(<elasto:friction name="guide" joint="hinge" F_Coulomb="4" F_prop="0.5" F_Stribeck="2" fexp="6" peak="1.2"/>)";
    RobotScene scene = sceneOfRobot(parseRobot(barRobot(element, "", "prismatic")));
    scene.v = {2};
    RobotWorld world(scene, 60);
    CHECK(valueOf(world, "guide.f") == Approx(4 + 0.5 * 2 + 2 * std::exp(-12.)).epsilon(1e-6));
    double v = 2, x = 0;  // by small steps
    for (const double dt = 1e-6; v > 0;) {
        const double a = -(4 + 0.5 * v + 2 * std::exp(-6 * v)) / 2;
        x += dt * (v + dt / 2 * a);
        v += dt * a;
    }
    run(world, 3);
    CHECK(valueOf(world, "guide.s_rel") == Approx(x).epsilon(1e-5));
}

TEST_CASE("a brake of a robot scene holds a joint as its course says, in each episode") {
    const std::filesystem::path folder =
        std::filesystem::temp_directory_path() / ("elasto_brake_" + std::to_string(sizeof(btScalar)));
    std::filesystem::create_directories(folder);
    std::ofstream(folder / "bar.urdf") << barRobot(R"(<elasto:friction joint="hinge" tau_Coulomb="5"/>)");
    const auto sceneWith = [&](const std::string& brake) {
        return parseRobotScene(R"({"elasto": 1, "name": "bar", "robot": "bar.urdf", "rate": 60,
            "loads": [{"joint": "hinge", "type": "constant", "torque": 4}], "brakes": [)" +
                                   brake + "]}",
                               folder / "bar.json");
    };
    // Released at a time inside a tick.
    RobotWorld world(sceneWith(R"({"element": "*.friction", "type": "constant", "endTime": 0.505})"));
    for (int episode = 0; episode < 2; ++episode) {
        run(world, 0.5);
        CHECK(valueOf(world, "hinge.phi") == Approx(0).margin(1e-12));
        CHECK(valueOf(world, "hinge.friction.tau") == Approx(4).epsilon(1e-6));
        run(world, 0.5);
        CHECK(valueOf(world, "hinge.w") == Approx(4 / kInertia * 0.495).epsilon(1e-6));
        world.restart();
    }
    const auto refusal = [&](const std::string& brake) -> std::string {
        try {
            sceneWith(brake);
        } catch (const std::exception& refused) {
            return refused.what();
        }
        return "";
    };
    CHECK_THAT(
        refusal(R"({"element": "elbow.friction", "type": "constant"})"),
        Catch::Contains("/brakes/0/element: \"elbow.friction\" is not allowed: it fits no elasto:friction of the "
                        "robot. Elements of friction: hinge.friction"));
    CHECK_THAT(
        refusal(R"({"element": "*", "type": "constant"}, {"element": "hinge.*", "type": "constant"})"),
        Catch::Contains("/brakes/1/element: \"hinge.*\" is not allowed: \"hinge.friction\" has a brake already"));
    CHECK_THAT(refusal(R"({"element": "*", "type": "table", "points": [[1, 0], [0, 1]]})"),
               Catch::Contains("/brakes/0/points/1/0"));
    std::filesystem::remove_all(folder);
}

TEST_CASE("a drive behind play meets the friction of its joint") {
    const auto turned = [](const std::string& friction) {
        return driven(R"(<elasto:backlash joint="hinge" c="2e4" d="30" b="0.01" inertia="1e-4" ratio="100"/>)" +
                      friction);
    };
    const double inertia = kInertia + 1e-4 * 1e4;
    CHECK(turned("") == Approx(5 / inertia).epsilon(0.05));  // but for the play
    CHECK(turned(R"(<elasto:friction joint="hinge" tau_Coulomb="3"/>)") == Approx(2 / inertia).epsilon(0.1));
    CHECK(turned(R"(<elasto:friction joint="hinge" tau_Coulomb="5.5"/>)") == Approx(0).margin(1e-6));
}

TEST_CASE("a robot's motor that rubs coasts in its play for J w / tau, on joints that turn and slide") {
    const std::string type = GENERATE("continuous", "prismatic");
    const double rate = GENERATE(60., 240.);
    CAPTURE(type, rate);
    const double inertia = 1e-4, tau = 0.02, w = 100;
    RobotScene scene = sceneOfRobot(parseRobot(barRobot(
        R"(<elasto:friction joint="hinge" side="motor" tau_Coulomb="0.02"/>
<elasto:backlash joint="hinge" c="2e4" d="30" b="10" inertia="1e-4" ratio="100"/>)",
        "", type)));
    RobotWorld world(scene, rate);
    world.robot().motorOf(0)->setMotor(0, w);
    run(world, 0.6);
    const double way = inertia * w * w / (2 * tau);
    CHECK(valueOf(world, "hinge.motor.phi") == Approx(way).epsilon(1e-6));
    CHECK(std::abs(valueOf(world, "hinge.motor.w")) < 1e-6);
    CHECK(valueOf(world, "hinge.motor.friction.phi_rel") == Approx(way).epsilon(1e-6));
    CHECK(valueOf(world, "hinge.motor.friction.contact") == 1);
    CHECK(valueOf(world, "hinge.motor.friction.heat") == Approx(tau * way).epsilon(1e-5));
    CHECK(valueOf(world, "totalHeat") == Approx(tau * way).epsilon(1e-5));
    CHECK(valueOf(world, (type == "prismatic" ? "hinge.s" : "hinge.phi")) == 0);
    world.robot().setJoint(0, 0.5, 0);  // begins anew
    CHECK(valueOf(world, "hinge.motor.friction.phi_rel") == Approx(50));
    CHECK(valueOf(world, "hinge.motor.friction.heat") == 0);
}

TEST_CASE("a drive that rubs before its gear loses the ratio times its friction, beside that of the joint") {
    const auto turned = [](const std::string& friction) {
        return driven(R"(<elasto:sea joint="hinge" c="2e4" d="30" inertia="1e-4" ratio="100"/>)" + friction);
    };
    const double inertia = kInertia + 1e-4 * 1e4;
    const std::string motor = R"(<elasto:friction joint="hinge" side="motor" tau_Coulomb="0.02"/>)";
    CHECK(turned(motor) == Approx(3 / inertia).epsilon(0.005));
    CHECK(turned(motor + R"(<elasto:friction joint="hinge" tau_Coulomb="1"/>)") == Approx(2 / inertia).epsilon(0.005));
    CHECK(turned(R"(<elasto:friction joint="hinge" side="motor" tau_Coulomb="0.055"/>)") == Approx(0).margin(1e-9));
}

TEST_CASE("what is on a motor stands behind it in a description made by hand") {
    RobotDescription robot = parseRobot(barRobot(R"(<elasto:friction joint="hinge" side="motor" tau_Coulomb="0.02"/>
<elasto:sea joint="hinge" c="2e4" d="30" inertia="1e-4"/>)"));
    std::swap(robot.elements[0], robot.elements[1]);
    CHECK_THROWS_WITH(Robot(robot), Catch::Contains("element 'hinge.motor.friction' is on the motor of joint 'hinge'; "
                                                    "the element that has this motor must stand before it"));
}

}  // namespace robot_friction_test
