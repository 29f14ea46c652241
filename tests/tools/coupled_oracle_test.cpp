// What is true of contacts, against closed forms.

#include "coupled_oracle.h"

#include <elasto/scene/load_scene.h>

#include <catch2/catch.hpp>

#include <cmath>
#include <numbers>

#include "tool_errors.h"

using namespace elasto;
using namespace elasto::tools;

namespace {

std::vector<double> evenTimes(double end, int n) {
    std::vector<double> times;
    for (int i = 0; i <= n; ++i) times.push_back(end * i / n);
    return times;
}

Scene asset(const std::string& name) {
    return loadScene(ELASTO_SOURCE_DIR "/assets/scenes/coupled/" + name + ".json");
}

}  // namespace

TEST_CASE("a sliding box slows down evenly, rebounds from a spring and stops for good") {
    const Scene scene = asset("slide_oracle");
    const double friction = 4.903325, c = 1e5, start = 4;
    const std::vector<double> times = evenTimes(2, 400);
    const std::vector<ReferenceState> states = solveSlide(scene, "box", friction, times);
    REQUIRE(states.size() == times.size());
    // Energies: to the spring, to its deepest point, back to it, and to rest.
    const double touch = start * start / 2 - friction * 1;
    const double deepest = (-friction + std::sqrt(friction * friction + 2 * c * touch)) / c;
    const double back = touch - 2 * friction * deepest;
    const double rest = 1 - back / friction;
    CHECK(states.back().bodies[0].position.x() == Approx(rest).epsilon(1e-9));
    CHECK(states.back().bodies[0].velocity.norm() == 0);
    const double touchTime = (start - std::sqrt(2 * touch)) / friction;
    for (std::size_t k = 0; k < times.size() && times[k] < touchTime; ++k) {
        CHECK(states[k].bodies[0].position.x() ==
              Approx(start * times[k] - friction * times[k] * times[k] / 2).margin(1e-11));
    }
    // Half a swing about either middle, which lies to the side of the friction.
    const double w = std::sqrt(c);
    const double in = std::numbers::pi / 2 - std::atan(friction / c / (std::sqrt(2 * touch) / w));
    const double out = std::acos(-friction / c / (deepest - friction / c));
    const double stop = touchTime + (in + out) / w + std::sqrt(2 * back) / friction;
    for (std::size_t k = 0; k < times.size(); ++k) {
        INFO("t = " << times[k]);
        const double left = stop - times[k];
        CHECK(states[k].time == times[k]);
        if (left < 0) CHECK(states[k].bodies[0].position.x() == states.back().bodies[0].position.x());
        if (left > 0 && times[k] > touchTime + (in + out) / w) {
            CHECK(states[k].bodies[0].position.x() == Approx(rest + friction * left * left / 2).epsilon(1e-9));
        }
    }
    CHECK(stop < 1.5);
}

TEST_CASE("a box that nothing pushes must slide at the start") {
    Scene scene = asset("slide_oracle");
    scene.bodies[0].velocity.setZero();
    const std::vector<double> times = {0, 1};
    CHECK_THROWS_WITH(solveSlide(scene, "box", 1, times), "body 'box' does not slide at the start");
}

TEST_CASE("crates that are in line never part") {
    const Scene scene = asset("crates_oracle");
    const std::vector<double> times = evenTimes(1, 60);
    const std::vector<ReferenceState> together = solveReference(referenceProblem(scene), times).states;
    const std::vector<ReferenceState> states = solveParting(scene, "touch", times);
    REQUIRE(states.size() == times.size());
    for (std::size_t k = 0; k < times.size(); ++k) {
        CHECK(states[k].bodies[0].position == together[k].bodies[0].position);
        CHECK(states[k].bodies[1].position == together[k].bodies[1].position);
    }
}

TEST_CASE("crates off centre part with the speeds of one impact", "[slow]") {
    Scene scene = asset("crates_off_centre_oracle");
    scene.elements[0].law = ElastoGapLaw({.c = 1e9, .d = 0});  // 0.14 ms, in which nothing else happens
    const double g = 9.80665, fall = std::sqrt(2 * g * 0.3);
    // One body of 2 kg hit under its left half: centres at 0 and 0.3 m, so that its own is at 0.15 m.
    const double inertia = 2.0 / 6 + 2 * (0.15 * 0.15 + 0.5 * 0.5);
    const double mass = 1 / (1 / 2.0 + 0.15 * 0.15 / inertia);
    const double turning = -0.15 * 2 * fall * mass / inertia;
    const std::vector<double> times = evenTimes(0.6, 36);
    const std::vector<ReferenceState> states = solveParting(scene, "touch", times);
    const ReferenceState& end = states.back();
    CHECK(end.bodies[0].angularVelocity.z() == Approx(turning).epsilon(1e-3));
    CHECK(end.bodies[1].angularVelocity.z() == Approx(turning).epsilon(1e-3));
    // Apart: each flies freely, at the same turning.
    const ReferenceState& before = states[states.size() - 2];
    const double step = end.time - before.time;
    for (const std::size_t body : {0U, 1U}) {
        CHECK(end.bodies[body].angularVelocity.z() == Approx(before.bodies[body].angularVelocity.z()).epsilon(1e-10));
        CHECK(end.bodies[body].velocity.y() == Approx(before.bodies[body].velocity.y() - g * step).epsilon(1e-10));
        CHECK(end.bodies[body].velocity.x() == Approx(before.bodies[body].velocity.x()).epsilon(1e-10));
    }
    const double apart = (end.bodies[1].position - end.bodies[0].position).norm();
    CHECK(apart > std::hypot(0.3, 1) + 0.01);
}

TEST_CASE("boxes that would meet again are refused", "[slow]") {
    Scene scene = asset("crates_off_centre_oracle");
    // Parted at the first rebound, the lower one has come back by then.
    const std::vector<double> times = evenTimes(1.6, 96);
    CHECK_THROWS_WITH(solveParting(scene, "touch", times), Catch::Contains("meet again"));
    scene.joints.clear();
    CHECK_THROWS_WITH(solveParting(scene, "touch", times), Catch::Contains("fixed joint of that name"));
}

TEST_CASE("the motor's stall is where the arm's torques balance", "[slow]") {
    const Scene scene = asset("motor_stall_oracle");
    const std::vector<double> times = {0, 1, 2};
    const Trajectory found = solveReference(scene, times);
    const double f = -found.at("gap.f")[2];
    const double angle = found.at("shoulder.phi_rel")[2];
    CHECK(f * 0.5 * std::cos(angle) == Approx(20).epsilon(1e-9));
    CHECK(f == Approx(1e5 * (-0.02 - 0.5 * std::sin(angle))).epsilon(1e-9));
}

TEST_CASE("signals of states are those of the scene", "[slow]") {
    const Scene scene = asset("motor_stall_oracle");
    const std::vector<double> times = {0, 0.5};
    const std::vector<ReferenceState> states = solveReference(referenceProblem(scene), times).states;
    const Trajectory all = solveReference(scene, times);
    const Trajectory picked = signalsOf(scene, states, {"gap.s_rel", "shoulder.phi_rel", "arm.v_0[2]"});
    for (const std::string& signal : picked.signals) CHECK(picked.at(signal) == all.at(signal));
    CHECK_THROWS_AS(signalsOf(scene, states, {"gap.x"}), InputError);
}
