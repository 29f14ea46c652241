// Bodies on paths and motors beside joints: jumps that joints hand on, speeds that are reached, motors that give way.

#include <elasto/errors.h>
#include <elasto/reference/reference.h>
#include <elasto/scene/load_scene.h>

#include <Eigen/LU>
#include <catch2/catch.hpp>

#include <cmath>
#include <limits>
#include <numbers>
#include <string>

#include "problems.h"

namespace drives_test {

using namespace elasto;
using namespace elasto::test;
using Catch::Contains;
using Catch::WithinAbs;
using Eigen::Vector3d;

namespace {

constexpr double kTurn = 2 * std::numbers::pi;

std::string hinge(const char* name, const char* a, const char* pointA, const char* b, const char* pointB) {
    return std::string(R"({"name": ")") + name + R"(", "type": "hinge", "frame_a": {"body": ")" + a +
           R"(", "position": )" + pointA + R"(}, "frame_b": {"body": ")" + b + R"(", "position": )" + pointB + "}}";
}

}  // namespace

TEST_CASE("a jump of a driven body goes through two hinges as an impact") {
    // Two slender bars of 1 kg and 1 m hang still on a body that starts with V = 0.6 m/s along x at 0.25 s. In the
    // bars' angles from -y, at rest: M (q') = -V (3/2, 1/2), M = (4/3, 1/2; 1/2, 1/3).
    const Scene scene = parseScene(
        R"({"elasto": 1, "name": "jump", "gravity": [0, 0, 0], "bodies": [
        {"name": "cart", "motion": "kinematic", "path": [{"time": 0.25, "position": [0, 0, 0]},
          {"time": 2.25, "position": [1.2, 0, 0]}]},
        {"name": "upper", "mass": 1, "inertia": [0.0833333333333333333, 0.01, 0.0833333333333333333],
         "position": [0, -0.5, 0]},
        {"name": "lower", "mass": 1, "inertia": [0.0833333333333333333, 0.01, 0.0833333333333333333],
         "position": [0, -1.5, 0]}], "elements": [], "joints": [)" +
        hinge("top", "cart", "[0, 0, 0]", "upper", "[0, 0.5, 0]") + "," +
        hinge("middle", "upper", "[0, -0.5, 0]", "lower", "[0, 0.5, 0]") + "]}");
    const std::vector<double> times = {0.25, 0.2500001, 2};
    const Trajectory found = solveReference(scene, times);
    CHECK_THAT(found.at("upper.w_a[3]")[0], WithinAbs(0, 1e-15));
    Eigen::Matrix2d mass;
    mass << 4. / 3, 0.5, 0.5, 1. / 3;
    const Eigen::Vector2d speeds = mass.inverse() * Eigen::Vector2d(-0.6 * 1.5, -0.6 * 0.5);
    CHECK_THAT(found.at("upper.w_a[3]")[1], WithinAbs(speeds[0], 1e-6));
    CHECK_THAT(found.at("lower.w_a[3]")[1], WithinAbs(speeds[1], 1e-6));
    // Nothing else acts along z, seen from the cart; its energy there stays.
    const auto energy = [&](std::size_t k) {
        double sum = 0;
        for (const char* bar : {"upper", "lower"}) {
            const std::string name = bar;
            const double vx = found.at(name + ".v_0[1]")[k] - 0.6, vy = found.at(name + ".v_0[2]")[k];
            sum += (vx * vx + vy * vy) / 2 + std::pow(found.at(name + ".w_a[3]")[k], 2) / 24;
        }
        return sum;
    };
    CHECK_THAT(energy(2), WithinAbs(energy(1), 1e-10));
    CHECK_THAT(energy(1), WithinAbs(speeds.dot(mass * speeds) / 2, 1e-6));
}

TEST_CASE("friction gives a part that its carrier jumps away from no more than its force") {
    // The carrier, fixed to a body that starts with 1 m/s at 0.1 s, leaves 2 kg behind, which 3 N pull after it: they
    // slip by 1/(2 * 1.5) m and go on together.
    const Scene scene = parseScene(R"({"elasto": 1, "name": "carried", "gravity": [0, 0, 0], "bodies": [
        {"name": "drive", "motion": "kinematic", "path": [{"time": 0.1, "position": [0, 0, 0]},
          {"time": 3.1, "position": [3, 0, 0]}]},
        {"name": "carrier", "mass": 1, "inertia": [1, 1, 1], "position": [0, 0.5, 0]},
        {"name": "part", "mass": 2, "inertia": [1, 1, 1], "position": [0, 1, 0]}],
      "elements": [{"name": "slot", "type": "SupportFriction", "F_Coulomb": 3, "frame_a": {"body": "carrier"},
        "frame_b": {"body": "part"}}],
      "joints": [{"name": "weld", "type": "fixed", "frame_a": {"body": "drive", "position": [0, 0.5, 0]},
         "frame_b": {"body": "carrier"}},
        {"name": "guide", "type": "slider", "frame_a": {"body": "carrier", "position": [0, 0.5, 0]},
         "frame_b": {"body": "part"}, "axis": [1, 0, 0]}]})");
    const Trajectory found = solveReference(scene, std::vector<double>{0.1, 0.4, 2});
    CHECK_THAT(found.at("guide.s_rel")[1], WithinAbs(-(0.3 - 1.5 * 0.3 * 0.3 / 2), 1e-9));
    CHECK_THAT(found.at("guide.s_rel")[2], WithinAbs(-1 / 3., 1e-9));
    CHECK_THAT(found.at("slot.heat")[2], WithinAbs(1, 1e-9));
    CHECK_THAT(found.at("part.v_0[1]")[2], WithinAbs(1, 1e-12));
}

TEST_CASE("what hangs on a body that turns on its path is kept on its circle") {
    // The path turns the frame by 3 rad/s; its centre of mass and the joint are beside the frame's origin.
    Scene scene = parseScene(R"({"elasto": 1, "name": "turning", "gravity": [0, 0, 0], "bodies": [
        {"name": "table", "motion": "kinematic", "path": [
          {"time": 0, "position": [0, 0, 0]},
          {"time": 1, "position": [0, 0, 0], "orientation": [0, 0, 0.997494986604054431, 0.0707372016677029101]},
          {"time": 2, "position": [0, 0, 0], "orientation": [0, 0, 0.141120008059867222, -0.989992496600445457]}]},
        {"name": "part", "mass": 2, "inertia": [0.1, 0.2, 0.3], "position": [0.7, 0, 0],
         "velocity": [0, 2.1, 0], "angularVelocity": [0, 0, 3]}], "elements": [],
      "joints": [{"name": "weld", "type": "fixed", "frame_a": {"body": "table", "position": [0.7, 0, 0]},
         "frame_b": {"body": "part"}}]})");
    scene.bodies[0].centreOfMass = {0.2, 0.1, 0};
    const std::vector<double> times = evenTimes(2, 20);
    const Trajectory found = solveReference(scene, times);
    for (std::size_t k = 0; k < times.size(); ++k) {
        INFO("t = " << times[k]);
        CHECK_THAT(found.at("part.r_0[1]")[k], WithinAbs(0.7 * std::cos(3 * times[k]), 1e-10));
        CHECK_THAT(found.at("part.r_0[2]")[k], WithinAbs(0.7 * std::sin(3 * times[k]), 1e-10));
    }
}

TEST_CASE("a motor gives all it has until its speed is reached, and again where it is too weak") {
    // Flywheel of 0.5 kg.m^2, 4 rad/s wanted with 2 N.m: reached after 1 s and 2 rad. From 2 s on 5 N.m turn it back.
    const Scene scene = parseScene(R"({"elasto": 1, "name": "flywheel", "gravity": [0, 0, 0], "duration": 3,
      "bodies": [{"name": "wheel", "mass": 1, "inertia": [0.5, 0.5, 0.5]}], "elements": [],
      "joints": [{"name": "hinge", "type": "hinge", "frame_a": {"body": "world"}, "frame_b": {"body": "wheel"},
        "motor": {"velocity": 4, "maxTorque": 2}}],
      "loads": [{"name": "load", "body": "wheel", "torque": [0, 0, -5], "type": "constant", "startTime": 2}]})");
    const Trajectory found = solveReference(scene, std::vector<double>{0.5, 1.5, 2, 3});
    CHECK_THAT(found.at("wheel.w_a[3]")[0], WithinAbs(2, 1e-10));
    CHECK_THAT(found.at("wheel.w_a[3]")[1], WithinAbs(4, 1e-10));
    CHECK_THAT(std::remainder(found.at("hinge.phi_rel")[2] - 6, kTurn), WithinAbs(0, 1e-9));
    CHECK_THAT(found.at("wheel.w_a[3]")[3], WithinAbs(4 - 6, 1e-9));
    CHECK_THAT(std::remainder(found.at("hinge.phi_rel")[3] - (6 + 4 - 3), kTurn), WithinAbs(0, 1e-9));
}

namespace {

ReferenceProblem wheelWithMotor(double maxForce) {
    ReferenceProblem problem;
    problem.network.bodies = {FlowBody::rigid(1, {0.5, 0.5, 0.5})};
    problem.network.bodies[0].linearFactor.setZero();
    problem.network.bodies[0].angularFactor = {0, 0, 1};
    ReferenceMotor motor;
    motor.b = 0;
    motor.velocity = 4;
    motor.maxForce = maxForce;
    problem.motors = {motor};
    return problem;
}

}  // namespace

TEST_CASE("a motor without a bound prescribes the speed at once") {
    const double kInfinite = std::numeric_limits<double>::infinity();
    const ReferenceSolution solution = solveReference(wheelWithMotor(kInfinite), std::vector<double>{1e-9, 1.});
    for (const ReferenceState& state : solution.states)
        CHECK_THAT(state.bodies[0].angularVelocity.z(), WithinAbs(4, 1e-12));
    const ReferenceSolution none = solveReference(wheelWithMotor(0), std::vector<double>{1.});
    CHECK(none.states[0].bodies[0].angularVelocity.z() == 0);
}

TEST_CASE("prescribed motions that contradict each other are an error, not a solution") {
    ReferenceProblem problem = wheelWithMotor(std::numeric_limits<double>::infinity());
    problem.motors.push_back(problem.motors[0]);
    CHECK(solveReference(problem, std::vector<double>{1.}).states.size() == 1);
    problem.motors[1].velocity = 5;
    CHECK_THROWS_WITH(solveReference(problem, std::vector<double>{1.}), Contains("contradict"));
    CHECK_THROWS_AS(solveReference(problem, std::vector<double>{1.}), ReferenceError);
}

}  // namespace drives_test
