// Dry friction of bodies that joints hold: closed forms, and integrations in coordinates of their own.

#include <elasto/reference/reference.h>
#include <elasto/scene/load_scene.h>

#include <catch2/catch.hpp>

#include <cmath>
#include <numbers>
#include <string>

#include "problems.h"

namespace friction_beside_joints_test {

using namespace elasto;
using namespace elasto::test;
using Catch::WithinAbs;

namespace {

constexpr double kPi = std::numbers::pi;
constexpr double kGravity = 9.80665;

/// A pin 0.1 m from a disc's hinge in a slot along x with Coulomb friction of 5 N; no gravity.
Scene pinOnDisc(const std::string& spin, const std::string& joint) {
    return parseScene(R"({"elasto": 1, "name": "pin", "gravity": [0, 0, 0], "duration": 10, "bodies": [
        {"name": "disc", "mass": 1, "inertia": [0.01, 0.01, 0.01], "angularVelocity": [0, 0, )" +
                      spin + R"(]}],
      "elements": [{"name": "slot", "type": "SupportFriction", "F_Coulomb": 5, "frame_a": {"body": "world"},
        "frame_b": {"body": "disc", "position": [0.1, 0, 0]}}],
      "joints": [{"name": "hinge", "type": "hinge", "frame_a": {"body": "world"}, "frame_b": {"body": "disc"})" +
                      joint + "}]}");
}

}  // namespace

TEST_CASE("friction reverses at the dead points of a disc that a motor turns") {
    // x = 0.1 cos(40 t): the way is 0.2 m per half turn, heat is 5 N times the way.
    const Scene scene = pinOnDisc("40", R"(, "motor": {"velocity": 40, "maxTorque": 1e5})");
    const std::vector<double> times = evenTimes(2, 40);
    const Trajectory found = solveReference(scene, times);
    for (std::size_t k = 0; k < times.size(); ++k) {
        const double halfTurns = std::floor(40 * times[k] / kPi);
        const double way = 0.1 * (2 * halfTurns + 1 - std::cos(40 * times[k] - kPi * halfTurns));
        INFO("t = " << times[k]);
        CHECK_THAT(found.at("slot.heat")[k], WithinAbs(5 * way, 1e-8));
        CHECK_THAT(found.at("slot.s_rel")[k], WithinAbs(0.1 * std::cos(40 * times[k]), 1e-9));
    }
}

TEST_CASE("a disc is braked by the pin over dead points, and stops where its energy ends") {
    const double w = 23;
    const Scene scene = pinOnDisc("23", "");
    const Trajectory found = solveReference(scene, std::vector<double>{2.});
    const double way = 0.01 * w * w / 2 / 5;  // energy / force
    const double halfTurns = std::floor(way / 0.2);
    const double angle = kPi * halfTurns + std::acos(1 - (way - 0.2 * halfTurns) / 0.1);
    CHECK_THAT(found.at("hinge.phi_rel")[0], WithinAbs(std::remainder(angle, 2 * kPi), 1e-8));
    CHECK_THAT(found.at("hinge.w_rel")[0], WithinAbs(0, 1e-9));
    CHECK_THAT(found.at("slot.heat")[0], WithinAbs(0.01 * w * w / 2, 1e-9));
}

TEST_CASE("a bar with friction in its hinge stays where it first turns") {
    // From rest at 1.2 rad above -y: m g L/2 (cos q1 - cos q0) = tau (q0 + q1) tells where it turns, at -q1.
    const double m = 2, length = 0.8, q0 = 1.2, tau = 3.5;
    const Scene scene = parseScene(R"({"elasto": 1, "name": "bar", "bodies": [
        {"name": "bar", "mass": 2, "inertia": [0.1066666666666666667, 0.01, 0.1066666666666666667],
         "centreOfMass": [0, -0.4, 0],
         "orientation": [0, 0, 0.564642473395035357, 0.825335614909678297]}],
      "elements": [{"name": "bearing", "type": "BearingFriction", "tau_Coulomb": 3.5,
        "frame_a": {"body": "world"}, "frame_b": {"body": "bar"}, "axis": [0, 0, 1]}],
      "joints": [{"name": "hinge", "type": "hinge", "frame_a": {"body": "world"}, "frame_b": {"body": "bar"}}]})");
    const double weight = m * kGravity * length / 2;
    double low = 0, high = q0;
    for (int k = 0; k < 100; ++k) {
        const double q = (low + high) / 2;
        (weight * (std::cos(q) - std::cos(q0)) > tau * (q0 + q) ? low : high) = q;
    }
    REQUIRE(weight * std::sin(low) < tau);
    REQUIRE(low > 0.1);
    const Trajectory found = solveReference(scene, std::vector<double>{5.});
    CHECK_THAT(found.at("hinge.phi_rel")[0], WithinAbs(-low, 1e-9));
    CHECK_THAT(found.at("bearing.heat")[0], WithinAbs(tau * (q0 + low), 1e-9));
    CHECK_THAT(found.at("bearing.tau")[0], WithinAbs(weight * std::sin(low), 1e-8));
}

TEST_CASE("a motor and a bearing that hold the same hinge give way together") {
    // 5 N.m of the motor at rest and 2 N.m of friction against 12 sin(2 pi t) on 0.1 kg.m^2; with A = 2 pi they give
    // way at t0 = asin(7/12) / A, and until it stops w(t) = (12 (cos A t0 - cos A t) / A - 7 (t - t0)) / 0.1.
    const Scene scene = parseScene(R"({"elasto": 1, "name": "held twice", "gravity": [0, 0, 0], "bodies": [
        {"name": "wheel", "mass": 1, "inertia": [0.1, 0.1, 0.1]}],
      "elements": [{"name": "bearing", "type": "BearingFriction", "tau_Coulomb": 2, "frame_a": {"body": "world"},
        "frame_b": {"body": "wheel"}, "axis": [0, 0, 1]}],
      "joints": [{"name": "hinge", "type": "hinge", "frame_a": {"body": "world"}, "frame_b": {"body": "wheel"},
        "motor": {"velocity": 0, "maxTorque": 5}}],
      "loads": [{"name": "load", "body": "wheel", "torque": [0, 0, 12], "type": "sine", "frequency": 1}]})");
    const double a = 2 * kPi;
    const double t0 = std::asin(7. / 12) / a;
    const std::vector<double> times = {t0 / 2, t0 - 1e-6, t0 + 1e-6, 0.25, 0.3};
    const Trajectory found = solveReference(scene, times);
    const std::vector<double>& w = found.at("hinge.w_rel");
    CHECK_THAT(w[1], WithinAbs(0, 1e-12));
    CHECK_THAT(found.at("bearing.tau")[0], WithinAbs(12 * std::sin(a * t0 / 2) * 2 / 7, 1e-10));
    CHECK(w[2] > 0);
    for (const std::size_t k : {3U, 4U}) {
        const double t = times[k];
        CHECK_THAT(w[k], WithinAbs((12 * (std::cos(a * t0) - std::cos(a * t)) / a - 7 * (t - t0)) / 0.1, 1e-9));
    }
}

TEST_CASE("a bead sticks in the slot of a disc until it turns too fast") {
    // Bead m = 0.4 at r = 0.2, friction F = 2 along the slot; both turn with 0.05 + m r^2 under 0.3 N.m. It gives way
    // where m r w^2 = F, at 1.1 s; then r'' = r w^2 - F/m, w' = (0.3 - 2 m r r' w)/(0.05 + m r^2) by solve_ivp (DOP853,
    // 1e-13), until r' = 0 at 2.34 s, where it sticks again.
    const Scene scene = parseScene(R"({"elasto": 1, "name": "bead", "gravity": [0, 0, 0], "bodies": [
        {"name": "disc", "mass": 1, "inertia": [0.048, 0.048, 0.048]},
        {"name": "bead", "mass": 0.4, "inertia": [0.002, 0.002, 0.002], "position": [0.2, 0, 0]}],
      "elements": [{"name": "slot", "type": "SupportFriction", "F_Coulomb": 2, "frame_a": {"body": "disc"},
        "frame_b": {"body": "bead"}}],
      "joints": [{"name": "hinge", "type": "hinge", "frame_a": {"body": "world"}, "frame_b": {"body": "disc"}},
        {"name": "guide", "type": "slider", "frame_a": {"body": "disc"}, "frame_b": {"body": "bead"},
         "axis": [1, 0, 0]}],
      "loads": [{"name": "drive", "body": "disc", "torque": [0, 0, 0.3], "type": "constant"}]})");
    const Trajectory found = solveReference(scene, std::vector<double>{1.0999, 1.1001, 2, 2.5});
    const double before = 0.4 * 0.2 * std::pow(0.3 / 0.066 * 1.0999, 2);
    CHECK_THAT(found.at("slot.f")[0], WithinAbs(before, 1e-8));
    CHECK(found.at("slot.v_rel")[1] > 0);
    CHECK_THAT(found.at("slot.s_rel")[2], WithinAbs(0.832315135418, 1e-9));
    CHECK_THAT(std::remainder(found.at("hinge.phi_rel")[2] - 6.544421550413, 2 * kPi), WithinAbs(0, 1e-9));
    CHECK_THAT(found.at("slot.s_rel")[3], WithinAbs(0.983134897113, 1e-9));
    CHECK_THAT(found.at("slot.v_rel")[3], WithinAbs(0, 1e-11));
}

}  // namespace friction_beside_joints_test
