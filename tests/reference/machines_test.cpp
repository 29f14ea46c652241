// Machines that turn fast, for long: integrations in coordinates of their own, and the same machine stated in two ways.

#include <elasto/reference/reference.h>
#include <elasto/scene/load_scene.h>

#include <catch2/catch.hpp>

#include <cmath>
#include <string>

#include "problems.h"

namespace machines_test {

using namespace elasto;
using namespace elasto::test;
using Catch::WithinAbs;
using Eigen::Vector3d;

TEST_CASE("a slider-crank that meets a stop once a turn keeps to its equation") {
    // Crank r = 0.187, rod l = 0.331, at -50.64 rad/s from where the crank stands across the guide; the stop c = 4837
    // at x = 0.538 - 0.0963. Lagrange's equation of the crank's angle by solve_ivp (DOP853, 1e-13), contacts as events.
    // Sensitive: what the joints' openings would do if they were not closed is 4e-8 m.
    const Scene scene = parseScene(R"({"elasto": 1, "name": "crank", "gravity": [0, 0, 0], "bodies": [
        {"name": "crank", "mass": 0.535, "inertia": [0.00167, 0.0002229, 0.00167], "position": [0, 0.0935, 0],
         "velocity": [4.73484, 0, 0], "angularVelocity": [0, 0, -50.64]},
        {"name": "rod", "mass": 0.338, "inertia": [9.013e-05, 0.003131, 0.003131],
         "position": [0.1365576801208925, 0.0935, 0], "velocity": [9.46968, 0, 0],
         "orientation": [0, 0, -0.2957009179346494, 0.9552805698498247]},
        {"name": "piston", "mass": 3.09, "inertia": [0.00515, 0.00515, 0.00515],
         "position": [0.273115360241785, 0, 0], "velocity": [9.46968, 0, 0]}],
      "joints": [
        {"name": "main", "type": "hinge", "frame_a": {"body": "world"},
         "frame_b": {"body": "crank", "position": [0, -0.0935, 0]}},
        {"name": "pin", "type": "hinge", "frame_a": {"body": "crank", "position": [0, 0.0935, 0]},
         "frame_b": {"body": "rod", "position": [-0.1655, 0, 0]}},
        {"name": "eye", "type": "hinge", "frame_a": {"body": "rod", "position": [0.1655, 0, 0]},
         "frame_b": {"body": "piston"}},
        {"name": "guide", "type": "slider", "frame_a": {"body": "world", "position": [0.273115360241785, 0, 0]},
         "frame_b": {"body": "piston"}, "axis": [1, 0, 0]}],
      "elements": [{"name": "stop", "type": "ElastoGap", "frame_a": {"body": "world", "position": [0.538, 0, 0]},
        "frame_b": {"body": "piston"}, "axis": [-1, 0, 0], "c": 4837, "d": 0, "s_rel0": 0.0963}]})");
    const Trajectory found = solveReference(scene, std::vector<double>{0.5, 1, 1.5});
    const std::vector<double>& x = found.at("piston.r_0[1]");
    CHECK_THAT(x[0], WithinAbs(0.1845923572, 1e-9));
    CHECK_THAT(x[1], WithinAbs(0.4085658798, 1e-9));
    CHECK_THAT(x[2], WithinAbs(0.4242664512, 1e-9));
}

TEST_CASE("a heavy top on a ball joint moves as Lagrange's equations say") {
    // 0.5 kg, 0.06 m from the tip, I = 0.001 across and 0.0005 along its axis about the centre of mass, from 0.5 rad
    // off the vertical with 50 rad/s along its axis. With p the conserved turning about the vertical, in theta and phi:
    // phi' = (p - I3 w3 cos) / (I1 sin^2), theta'' = phi'^2 sin cos - I3 w3 phi' sin / I1 + m g l sin / I1 by solve_ivp
    // (DOP853, 1e-13).
    const Scene scene = parseScene(R"({"elasto": 1, "name": "top", "bodies": [
        {"name": "top", "mass": 0.5, "inertia": [0.001, 0.0005, 0.001], "centreOfMass": [0, 0.06, 0],
         "orientation": [0, 0, -0.24740395925452296, 0.968912421710645],
         "angularVelocity": [23.97127693021015, 43.87912809451863, 0]}], "elements": [],
      "joints": [{"name": "tip", "type": "ball", "frame_a": {"body": "world"}, "frame_b": {"body": "top"}}]})");
    const std::vector<double> times = {1, 2, 3};
    const double theta[] = {0.87657223514, 2.04471508643, 1.58523553230};
    const double phi[] = {7.22566254896, 13.75197897692, 19.11703553534};
    const ReferenceSolution solution = solveReference(referenceProblem(scene), times);
    for (std::size_t k = 0; k < times.size(); ++k) {
        const BodyState& state = solution.states[k].bodies[0];
        const Vector3d axis = state.orientation * Vector3d::UnitY();
        INFO("t = " << times[k]);
        CHECK_THAT(axis.x(), WithinAbs(std::sin(theta[k]) * std::cos(phi[k]), 1e-9));
        CHECK_THAT(axis.y(), WithinAbs(std::cos(theta[k]), 1e-9));
        CHECK_THAT(axis.z(), WithinAbs(-std::sin(theta[k]) * std::sin(phi[k]), 1e-9));
        CHECK_THAT(state.angularVelocity.dot(axis), WithinAbs(50, 1e-9));
    }
}

namespace {

/// A motor's wheel and its load, ratio -1/5 with play, hit to and fro by 0.3 N.m; on hinges, or on axes that factors
/// leave.
Scene gearTrain(bool isOnHinges) {
    const std::string held = R"("linearFactor": [0, 0, 0], "angularFactor": [0, 0, 1], )";
    return parseScene(R"({"elasto": 1, "name": "gears", "gravity": [0, 0, 0], "bodies": [
        {)" + (isOnHinges ? "" : held) +
                      R"("name": "motor", "mass": 1, "inertia": [0.002, 0.002, 0.002], "angularVelocity": [0, 0, 150]},
        {)" + (isOnHinges ? "" : held) +
                      R"("name": "load", "mass": 3, "inertia": [0.05, 0.05, 0.05], "position": [0.2, 0, 0],
         "angularVelocity": [0, 0, -30]}],
      "elements": [{"name": "mesh", "type": "ElastoBacklash", "frame_a": {"body": "motor"},
        "frame_b": {"body": "load"}, "gear": {"ratio": -0.2}, "c": 2000, "d": 0.5, "b": 0.01}],
      "loads": [{"name": "torque", "body": "motor", "torque": [0, 0, 0.3], "type": "table",
        "points": [[0, 1], [0.25, 1], [0.25, -1], [0.5, -1]]}], "joints": [)" +
                      (isOnHinges ? R"({"name": "h1", "type": "hinge", "frame_a": {"body": "world"},
          "frame_b": {"body": "motor"}}, {"name": "h2", "type": "hinge",
          "frame_a": {"body": "world", "position": [0.2, 0, 0]}, "frame_b": {"body": "load"}})"
                                  : "") +
                      "]}");
}

}  // namespace

TEST_CASE("gear pairs rattle on hinges as on fixed axes") {
    const std::vector<double> times = evenTimes(0.5, 50);
    const Trajectory hinged = solveReference(gearTrain(true), times);
    const Trajectory fixed = solveReference(gearTrain(false), times);
    for (const char* signal : {"mesh.phi_rel", "mesh.heat", "motor.w_a[3]", "load.w_a[3]"}) {
        for (std::size_t k = 0; k < times.size(); ++k) {
            INFO(signal << " at t = " << times[k]);
            CHECK_THAT(hinged.at(signal)[k], WithinAbs(fixed.at(signal)[k], 1e-8));
        }
    }
    CHECK(fixed.at("mesh.heat").back() > 0.005);
}

TEST_CASE("wheels of a gear that turn as its ratio says feel nothing of each other") {
    const Scene scene = parseScene(R"({"elasto": 1, "name": "coasting", "gravity": [0, 0, 0], "bodies": [
        {"name": "big", "mass": 1, "inertia": [0.004, 0.004, 0.008], "angularVelocity": [0, 0, 200]},
        {"name": "small", "mass": 0.3, "inertia": [0.001, 0.001, 0.002], "position": [0.15, 0, 0],
         "angularVelocity": [0, 0, -400]}],
      "elements": [{"name": "mesh", "type": "ElastoBacklash", "geometry": "rotation", "frame_a": {"body": "big"},
        "frame_b": {"body": "small"}, "gear": {"ratio": -2}, "c": 1e4, "d": 1, "b": 0.002}],
      "joints": [{"name": "a1", "type": "hinge", "frame_a": {"body": "world"}, "frame_b": {"body": "big"}},
        {"name": "a2", "type": "hinge", "frame_a": {"body": "world", "position": [0.15, 0, 0]},
         "frame_b": {"body": "small"}}]})");
    const Trajectory found = solveReference(scene, std::vector<double>{2});
    CHECK_THAT(found.at("mesh.phi_rel")[0], WithinAbs(0, 1e-9));
    CHECK(found.at("mesh.heat")[0] == 0);
    CHECK_THAT(found.at("big.w_a[3]")[0], WithinAbs(200, 1e-9));
}

}  // namespace machines_test
