// What one reads of a robot, against closed forms and Newton's law.

#include <elasto/robot/robot_world.h>

#include <catch2/catch.hpp>

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <string>

#include "plain_world.h"
#include "straight_robot.h"

using namespace elasto;
using namespace elasto::test;
using Eigen::Vector3d;

namespace {

constexpr double kFall = 10;  // [m/s2]

RobotScene readoutScene(const std::string& text, double rate) {
    RobotScene scene = sceneOfRobot(parseRobot(text));
    scene.gravity = {0, 0, -kFall};
    scene.rate = rate;
    return scene;
}

std::string linkText(const std::string& name, const std::string& place, const std::string& mass,
                     const std::string& moments, const std::string& shape = "") {
    std::string text = "<link name=\"" + name + "\"><inertial><origin xyz=\"" + place + "\"/><mass value=\"" + mass +
                       "\"/><inertia ixx=\"" + moments + "\" ixy=\"0\" ixz=\"0\" iyy=\"" + moments +
                       "\" iyz=\"0\" izz=\"" + moments + "\"/></inertial>";
    if (!shape.empty()) text += "<collision><geometry>" + shape + "</geometry></collision>";
    return text + "</link>";
}

std::string jointText(const std::string& name, const std::string& type, const std::string& parent,
                      const std::string& child, const std::string& origin, const std::string& axis,
                      const std::string& more = "") {
    return "<joint name=\"" + name + "\" type=\"" + type + "\"><parent link=\"" + parent + "\"/><child link=\"" +
           child + "\"/><origin xyz=\"" + origin + "\"/><axis xyz=\"" + axis + "\"/>" + more + "</joint>";
}

double read(const RobotWorld& world, const std::string& name) {
    for (const RobotSignal& signal : availableRobotSignals(world.scene())) {
        if (signal.name == name) return world.value(signal);
    }
    throw std::out_of_range(name);
}

Vector3d readVector(const RobotWorld& world, const std::string& name) {
    return {read(world, name + "[1]"), read(world, name + "[2]"), read(world, name + "[3]")};
}

/// What rounding leaves of a number of size 1, in momenta over a tick.
constexpr double kOfRounding = sizeof(btScalar) == 8 ? 1e-9 : 1e-5;

void checkNear(const Vector3d& value, const Vector3d& expected, double bound) {
    INFO(value.transpose() << " against " << expected.transpose());
    CHECK((value - expected).norm() <= bound);
}

/// A bar of 2 kg on a vertical axle, its centre 0.5 m out.
std::string spinner(const std::string& more = "") {
    return "<robot name=\"spinner\"><link name=\"world\"/>" + linkText("bar", "0.5 0 0", "2", "0.17") +
           jointText("axle", "continuous", "world", "bar", "0 0 1", "0 0 1", more) + "</robot>";
}

}  // namespace

TEST_CASE("a joint of a chain that hangs at rest bears the weight below it") {
    RobotWorld world(readoutScene("<robot name=\"chain\"><link name=\"world\"/>" +
                                      linkText("a", "0 0 -0.5", "3", "0.1") + linkText("b", "0 0 -0.5", "2", "0.1") +
                                      linkText("c", "0 0 -0.25", "1", "0.1") +
                                      jointText("ja", "continuous", "world", "a", "0 0 5", "0 1 0") +
                                      jointText("jb", "continuous", "a", "b", "0 0 -1", "1 0 0") +
                                      jointText("jc", "fixed", "b", "c", "0 0 -1", "1 0 0") + "</robot>",
                                  60));
    for (int i = 0; i < 30; ++i) world.step();
    checkNear(readVector(world, "ja.f"), {0, 0, 6 * kFall}, 60 * kOfRounding);
    checkNear(readVector(world, "jb.f"), {0, 0, 3 * kFall}, 60 * kOfRounding);
    checkNear(readVector(world, "jc.f"), {0, 0, 1 * kFall}, 60 * kOfRounding);
    for (const char* name : {"ja.t", "jb.t", "jc.t"})
        checkNear(readVector(world, name), Vector3d::Zero(), 60 * kOfRounding);
    checkNear(world.readouts().base().force, {0, 0, 6 * kFall}, 60 * kOfRounding);
    checkNear(readVector(world, "com.r_0"), {0, 0, 5 - (3 * 0.5 + 2 * 1.5 + 1 * 2.25) / 6}, 1e-5);
    checkNear(readVector(world, "c.a_imu"), {0, 0, kFall}, 60 * kOfRounding);
}

TEST_CASE("a clamp bears the moment of what sticks out") {
    RobotWorld world(readoutScene("<robot name=\"shelf\"><link name=\"world\"/>" +
                                      linkText("slide", "0 0 0", "1", "0.1") +
                                      linkText("board", "0 0.4 0", "2", "0.1") +
                                      jointText("rail", "prismatic", "world", "slide", "0 0 1", "1 0 0",
                                                R"(<limit lower="-5" upper="5" effort="9" velocity="9"/>)") +
                                      jointText("clamp", "fixed", "slide", "board", "0 0.3 0", "1 0 0") + "</robot>",
                                  240));
    for (int i = 0; i < 10; ++i) world.step();
    checkNear(readVector(world, "clamp.f"), {0, 0, 2 * kFall}, 100 * kOfRounding);
    checkNear(readVector(world, "clamp.t"), {2 * kFall * 0.4, 0, 0}, 100 * kOfRounding);
    checkNear(readVector(world, "rail.t"), {2 * kFall * 0.7, 0, 0}, 100 * kOfRounding);
    CHECK(std::abs(read(world, "rail.f_net")) < 100 * kOfRounding);
}

TEST_CASE("the axle of a spinning bar bears its centripetal force and its weight, whatever the tick") {
    for (const double rate : {30., 60., 1000.}) {
        RobotScene scene = readoutScene(spinner(), rate);
        scene.v = {20};
        RobotWorld world(scene);
        for (int i = 0; i < 20; ++i) world.step();
        const double size = 400 * rate / 30;  // differences over the tick are rounded so
        checkNear(readVector(world, "axle.f"), {-2 * 400 * 0.5, 0, 2 * kFall}, size * kOfRounding);
        // The middle of its way is taken on a parabola, not on the arc: (angle per tick / 2)^4 / 24 of the torque.
        const double offArc = 10 * std::pow(10 / rate, 4) / 24;
        checkNear(readVector(world, "axle.t"), {0, -2 * kFall * 0.5, 0}, offArc + size * kOfRounding);
        checkNear(readVector(world, "bar.a_imu"), {0, 0, kFall}, size * kOfRounding);
        checkNear(readVector(world, "bar.w_a"), {0, 0, 20}, 20 * kOfRounding);
        CHECK(read(world, "kineticEnergy") == Approx((0.17 + 2 * 0.25) / 2 * 400));
        CHECK(readVector(world, "bar.v_0").norm() < kOfRounding);
    }
}

TEST_CASE("the hinge of a pendulum bears what Newton's law says") {
    // g cos q + l w2 along the bar and m l2 / (I + m l2) less than its weight across, meaned over the tick.
    RobotScene scene =
        readoutScene("<robot name=\"pendulum\"><link name=\"world\"/>" + linkText("bob", "0 0 -0.5", "2", "0.17") +
                         jointText("hinge", "continuous", "world", "bob", "0 0 1", "0 1 0") + "</robot>",
                     240);
    scene.q = {1};
    RobotWorld world(scene);
    const auto forces = [&] {
        const double q = world.robot().q(0), v = world.robot().v(0);
        const double acceleration = -2 * kFall * 0.5 * std::sin(q) / (0.17 + 2 * 0.25);
        return Vector3d(-2 * 0.5 * acceleration - 2 * kFall * std::sin(q), 0,
                        2 * kFall * std::cos(q) + 2 * 0.5 * v * v);
    };
    double largest = 0;
    for (int i = 0; i < 240; ++i) {
        const Vector3d before = forces();
        world.step();
        const Vector3d expected = (before + forces()) / 2;
        checkNear(readVector(world, "hinge.f"), expected, 2e-3);  // [N]: second order in the tick, of 40 N
        largest = std::max(largest, expected.norm());
    }
    CHECK(largest > 30);
}

TEST_CASE("the net torque of a joint is what accelerates it, friction and damping in it") {
    RobotScene scene = readoutScene(spinner(R"(<dynamics friction="0.4" damping="0.3"/>)"), 60);
    scene.v = {5};
    RobotFunction wanted;
    wanted.value = -1;
    RobotServo servo{0, wanted, 30, 2, 100};
    servo.control.rate = 500;  // ticks are made in parts
    scene.servos.push_back(servo);
    RobotWorld world(scene);
    double before = world.robot().v(0);
    for (int i = 0; i < 30; ++i) {
        world.step();
        const double after = world.robot().v(0);
        const double accelerates = (0.17 + 2 * 0.25) * (after - before) / world.tickLength();
        CHECK(read(world, "axle.tau_net") == Approx(accelerates).epsilon(1e-6).margin(1e3 * kOfRounding));
        CHECK(read(world, "axle.t[3]") == read(world, "axle.tau_net"));
        before = after;
    }
}

namespace {

/// 4 kg on a leg with a spring, and a foot of 1 kg.
std::string hopper() {
    return "<robot name=\"hopper\">" + linkText("body", "0 0 0", "4", "0.1", R"(<box size="0.3 0.3 0.1"/>)") +
           linkText("foot", "0 0 0", "1", "0.02", R"(<box size="0.3 0.3 0.1"/>)") +
           jointText("leg", "prismatic", "body", "foot", "0 0 -0.5", "0 0 1",
                     R"(<limit lower="-0.3" upper="0.3" effort="9" velocity="9"/>)") +
           R"(<elasto:spring joint="leg" c="2000" d="60"/></robot>)";
}

}  // namespace

TEST_CASE("the foot of a hopper that stands bears its weight") {
    for (const double rate : {60., 240.}) {
        RobotScene scene = readoutScene(hopper(), rate);
        scene.pose.position = {0.2, 0, 0.6};
        scene.ground = true;
        RobotWorld world(scene);
        const double mass = 5;
        Vector3d momentum = readVector(world, "com.p");
        bool hasLanded = false;
        for (int i = 0; i < 3 * rate; ++i) {
            world.step();
            const Vector3d after = readVector(world, "com.p");
            const Vector3d force = (after - momentum) / world.tickLength() + Vector3d(0, 0, mass * kFall);
            checkNear(readVector(world, "foot.contact.f_0"), force, 1e-6 * mass * kFall + rate * 10 * kOfRounding);
            hasLanded = hasLanded || force.z() > 1;
            momentum = after;
        }
        CHECK(hasLanded);
        const double bound = sizeof(btScalar) == 8 ? 1e-4 : 5e-2;  // what is left of its landing
        CHECK(read(world, "foot.contact.f_n") == Approx(mass * kFall).margin(bound));
        CHECK(read(world, "foot.contact.f_t") < bound);
        checkNear(readVector(world, "foot.contact.r_0"), {0.2, 0, 0}, 1e-3);
        checkNear(readVector(world, "leg.f"), {0, 0, -4 * kFall}, bound);
        CHECK(read(world, "leg.f_net") == Approx(-4 * kFall).margin(bound));
        checkNear(readVector(world, "body.a_imu"), {0, 0, kFall}, bound);
        CHECK(read(world, "body.contact.f_n") == 0);
    }
}

TEST_CASE("an accelerometer in free fall reads nothing in the centre of mass, and centripetal acceleration beside it") {
    for (const double rate : {60., 240.}) {
        RobotScene scene =
            readoutScene("<robot name=\"stone\">" + linkText("stone", "0.2 0 0", "3", "0.1") + "</robot>", rate);
        scene.base = RobotScene::Base::Free;
        scene.velocity = {3, 4, 5};
        scene.angularVelocity = {0, 8, 0};
        RobotWorld world(scene);
        for (int i = 0; i < 20; ++i) world.step();
        checkNear(readVector(world, "stone.a_imu"), {64 * 0.2, 0, 0}, rate * 20 * kOfRounding);
        checkNear(readVector(world, "stone.w_a"), {0, 8, 0}, 100 * kOfRounding);
        const LinkReadout link = world.plugin().readout(world.robot().multiBody())->links[0];
        checkNear(link.centralForce, Vector3d::Zero(), rate * 20 * kOfRounding);
        checkNear(link.force, Vector3d::Zero(), rate * 60 * kOfRounding);
    }
}

TEST_CASE("nothing holds the base of a robot that tumbles, and its momentum is gravity's") {
    RobotScene scene = readoutScene(kCrookedRobot, 240);
    scene.base = RobotScene::Base::Free;
    scene.angularVelocity = {1, -2, 1.5};
    scene.velocity = {0.5, 1, 2};
    scene.q = {0.3, -1.2, 0, 0.4, 2};
    scene.v = {1, -2, 0, 0.6, 4};
    RobotWorld world(scene);
    const Vector3d spin = readVector(world, "com.L"), momentum = readVector(world, "com.p");
    const double mass = world.readouts().motion().mass;
    CHECK(mass == Approx(8.3));
    CHECK(spin.norm() > 0.5);
    for (int i = 0; i < 120; ++i) {
        world.step();
        // [N, N.m], of 80 N and inner forces of some 20: second order in the tick
        checkNear(world.readouts().base().force, Vector3d::Zero(), 0.05);
        checkNear(world.readouts().base().torque, Vector3d::Zero(), 0.05);
    }
    checkNear(readVector(world, "com.L"), spin, sizeof(btScalar) == 8 ? 1e-6 : 1e-4);
    checkNear(readVector(world, "com.p"), momentum + Vector3d(0, 0, -kFall * mass * world.time()),
              sizeof(btScalar) == 8 ? 1e-6 : 1e-3);
    CHECK(read(world, "kineticEnergy") == Approx(world.plugin().energy().kinetic).epsilon(1e-6));
}

TEST_CASE("a motor's reaction passes through the joint that carries its carrier") {
    // The rotor of the second joint rides on the first link: it is part of what hangs on the first axle.
    RobotScene scene = readoutScene(
        "<robot name=\"wheel\"><link name=\"world\"/>" + linkText("disc", "0 0 0", "2", "0.5") +
            linkText("rim", "0 0 0", "1", "0.3") + jointText("axle", "continuous", "world", "disc", "0 0 1", "0 0 1") +
            jointText("drive", "continuous", "disc", "rim", "0 0 0.1", "0 0 1") +
            R"(<elasto:spring joint="drive" c="50" d="1" inertia="0.01" ratio="5"/></robot>)",
        240);
    RobotFunction push;
    push.value = 0.4;
    scene.loads.push_back({1, push});
    RobotWorld world(scene);
    for (int i = 0; i < 60; ++i) {
        world.step();
        // Nothing holds the axle.
        CHECK(std::abs(read(world, "axle.tau_net")) < 240 * kOfRounding);
        CHECK(std::abs(read(world, "com.L[3]")) < 10 * kOfRounding);
    }
    CHECK(std::abs(world.robot().v(0)) > 0.05);
}

TEST_CASE("nothing holds the base of a robot that stands on the ground and turns a wheel") {
    RobotScene scene =
        readoutScene("<robot name=\"cart\">" + linkText("cart", "0 0 0", "5", "0.1", R"(<box size="0.6 0.6 0.2"/>)") +
                         linkText("wheel", "0.05 0 0", "1", "0.02") +
                         jointText("drive", "continuous", "cart", "wheel", "0.1 0 0.2", "0 0 1") +
                         R"(<elasto:spring joint="drive" c="50" d="1" inertia="0.01" ratio="5"/></robot>)",
                     240);
    scene.pose.position = {0, 0, 0.1};
    scene.ground = true;
    RobotFunction push;
    push.value = 0.4;
    scene.loads.push_back({0, push});
    RobotWorld world(scene);
    double most = 0;
    for (int i = 0; i < 240; ++i) {
        const Vector3d before = readVector(world, "com.L");
        world.step();
        // [N, N.m], of a weight of 60 N and a wheel that pulls with its unbalance: second order in the tick
        checkNear(world.readouts().base().force, Vector3d::Zero(), 2e-3 + 240 * kOfRounding);
        checkNear(world.readouts().base().torque, Vector3d::Zero(), 2e-3 + 240 * kOfRounding);
        const LinkReadout cart = world.plugin().readout(world.robot().multiBody())->links[0];
        const Vector3d toCart = cart.end.position - readVector(world, "com.r_0");
        const double moment = cart.contactTorque.z() + toCart.cross(cart.contactForce).z();
        CHECK(moment == Approx((readVector(world, "com.L") - before).z() * 240).margin(2e-3 + 2400 * kOfRounding));
        most = std::max(most, std::abs(moment));
    }
    CHECK(most > 0.5);
    CHECK(readVector(world, "wheel.w_a").z() > 5);
}

TEST_CASE("readouts begin anew with the robot") {
    RobotScene scene = readoutScene(spinner(), 60);
    scene.v = {3};
    RobotWorld world(scene);
    checkNear(readVector(world, "bar.w_a"), {0, 0, 3}, 1e-6);
    CHECK(readVector(world, "axle.f").isZero(0));
    world.step();
    const Vector3d first = readVector(world, "axle.f");
    CHECK(first.norm() > 1);
    world.step();
    world.restart();
    CHECK(readVector(world, "axle.f").isZero(0));
    world.step();
    CHECK(readVector(world, "axle.f") == first);
}

TEST_CASE("forces are no columns by themselves, and none of a robot that Bullet moves") {
    RobotScene scene = readoutScene(spinner(), 60);
    for (const RobotSignal& signal : recordedRobotSignals(scene)) {
        CHECK(signal.kind != RobotSignalKind::JointForce);
        CHECK(signal.kind != RobotSignalKind::KineticEnergy);
    }
    scene.record.push_back({"axle.f*", ""});
    CHECK(recordedRobotSignals(scene).size() == 3);
    scene.solver = RobotScene::Solver::Bullet;
    CHECK_THROWS(recordedRobotSignals(scene));
    scene.record = {{"bar.v_0*", ""}, {"com.*", ""}};
    CHECK(recordedRobotSignals(scene).size() == 12);
    RobotWorld world(scene);
    scene.v = {2};
    RobotWorld turning(scene);
    turning.step();
    checkNear(readVector(turning, "com.p"), {0, 2., 0}, 0.2);
}
