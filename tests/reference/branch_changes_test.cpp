// Changes of branch that a root finder between steps does not see by itself, and laws that jump.

#include <elasto/reference/reference.h>

#include <catch2/catch.hpp>

#include <cmath>

#include "problems.h"

using namespace elasto;
using namespace elasto::test;
using Catch::WithinAbs;

namespace {

int countBegins(const ReferenceSolution& solution) {
    int count = 0;
    for (const ReferenceEvent& event : solution.events) count += event.begin ? 1 : 0;
    return count;
}

}  // namespace

TEST_CASE("two carts that would pass through each other between two steps meet") {
    // Free flight is solved exactly, so that the integrator's steps grow without limit.
    ReferenceProblem problem;
    problem.network.bodies = {ball(3, {-1, 0, 0}, {2, 0, 0}), ball(1, {1, 0, 0}, {-1, 0, 0})};
    problem.network.elements = {
        between(ElastoGapLaw({.c = 2e4, .d = 0, .s_rel0 = 0.2}), Geometry::AlongLine, 0, {0.2, 0, 0}, 1, {-0.2, 0, 0})};
    const std::vector<double> times = {0, 2};
    const ReferenceSolution solution = solveReference(problem, times);
    REQUIRE(countBegins(solution) == 1);
    CHECK_THAT(solution.events[0].time, WithinAbs((2 - 0.4 - 0.2) / 3, 1e-12));
    // Elastic impact.
    CHECK_THAT(solution.states[1].bodies[0].velocity.x(), WithinAbs(0.5, 1e-9));
    CHECK_THAT(solution.states[1].bodies[1].velocity.x(), WithinAbs(3.5, 1e-9));
}

TEST_CASE("a graze at the top of a throw is not missed") {
    const double g = 9.80665;
    for (double overlap : {1e-3, 1e-6, 1e-9}) {
        INFO("overlap " << overlap);
        // Thrown up along x from 0 to 1 m; a soft ceiling is a little lower.
        ReferenceProblem problem;
        problem.network.bodies = {ball(1, {0, 0, 0}, {std::sqrt(2 * g), 0, 0}, {-g, 0, 0})};
        problem.network.elements = {
            between(ElastoGapLaw({.c = 1, .d = 0}), Geometry::AlongAxis, 0, {0, 0, 0}, kWorld, {1 - overlap, 0, 0})};
        const std::vector<double> times = {0, 0.9};
        const ReferenceSolution solution = solveReference(problem, times);
        REQUIRE(countBegins(solution) == 1);
        REQUIRE(solution.events.size() == 2);
        const double top = std::sqrt(2 / g);
        const double half = std::sqrt(2 * overlap / g);
        CHECK_THAT(solution.events[0].time, WithinAbs(top - half, 1e-4 * half + 1e-13 / half));
        CHECK_THAT(solution.events[1].time, WithinAbs(top + half, 0.1 * half));
    }
    SECTION("and none is made up") {
        ReferenceProblem problem;
        problem.network.bodies = {ball(1, {0, 0, 0}, {std::sqrt(2 * g), 0, 0}, {-g, 0, 0})};
        problem.network.elements = {
            between(ElastoGapLaw({.c = 1, .d = 0}), Geometry::AlongAxis, 0, {0, 0, 0}, kWorld, {1 + 1e-9, 0, 0})};
        const std::vector<double> times = {0, 0.9};
        CHECK(solveReference(problem, times).events.empty());
    }
}

TEST_CASE("contact that starts exactly at the edge") {
    const std::vector<double> times = evenTimes(0.5, 50);
    ReferenceProblem problem;
    problem.network.bodies = {ball(1, {0, 0, 0})};
    SECTION("pressed: it sinks in") {
        problem.network.bodies[0].force.constant = {-10, 0, 0};
        problem.network.elements = {fromOrigin(ElastoGapLaw({.c = 1e4, .d = 0}))};
        const ReferenceSolution solution = solveReference(problem, times);
        CHECK(countBegins(solution) >= 1);
        for (const ReferenceState& state : solution.states)
            CHECK_THAT(state.elements[0].s, WithinAbs(-1e-3 * (1 - std::cos(100 * state.time)), 1e-11));
    }
    SECTION("at rest without a force: nothing happens") {
        problem.network.elements = {fromOrigin(ElastoGapLaw({.c = 1e4, .d = 10}))};
        const ReferenceSolution solution = solveReference(problem, times);
        CHECK(solution.events.empty());
        CHECK(solution.states.back().elements[0].s == 0);
    }
    SECTION("moving away: free") {
        problem.network.bodies[0].velocity = {1, 0, 0};
        problem.network.elements = {fromOrigin(ElastoGapLaw({.c = 1e4, .d = 10}))};
        const ReferenceSolution solution = solveReference(problem, times);
        CHECK(solution.events.empty());
        CHECK_THAT(solution.states.back().elements[0].s, WithinAbs(0.5, 1e-13));
    }
    SECTION("moving in: contact at once") {
        problem.network.bodies[0].velocity = {-1, 0, 0};
        problem.network.elements = {fromOrigin(ElastoGapLaw({.c = 1e4, .d = 0}))};
        const ReferenceSolution solution = solveReference(problem, times);
        REQUIRE(solution.events.size() == 2);
        CHECK_THAT(solution.events[0].time, WithinAbs(0, 1e-12));
        CHECK_THAT(solution.events[1].time, WithinAbs(3.141592653589793 / 100, 1e-10));
    }
}

TEST_CASE("the linear characteristic throws back as a damped half period") {
    // It pulls before it lets go, so that contact ends where the spring is at its length again.
    const double m = 2;
    const double c = 1e5;
    const double d = 60;
    ReferenceProblem problem;
    problem.network.bodies = {ball(m, {0.01, 0, 0}, {-3, 0, 0})};
    const double decay = d / (2 * m);
    const double omega = std::sqrt(c / m - decay * decay);
    const double lasts = 3.141592653589793 / omega;
    const std::vector<double> times = {0, 0.02};  // before a backlash meets its other side
    SECTION("of a gap") {
        problem.network.elements = {
            fromOrigin(ElastoGapLaw({.c = c, .d = d, .characteristic = GapCharacteristic::Linear}))};
    }
    SECTION("of a backlash, on its lower side") {
        problem.network.bodies[0].inverseInertia.setConstant(1 / m);
        problem.network.bodies[0].angularVelocity = {-3, 0, 0};
        FlowElement lash = fromOrigin(
            ElastoBacklashLaw({.c = c, .d = d, .b = 0.02, .characteristic = BacklashCharacteristic::Linear}));
        lash.geometry = Geometry::AboutAxis;
        problem.network.elements = {lash};
    }
    const ReferenceSolution solution = solveReference(problem, times);
    REQUIRE(solution.events.size() == 2);
    CHECK_THAT(solution.events[0].time, WithinAbs(0.01 / 3, 1e-12));
    CHECK_THAT(solution.events[1].time - solution.events[0].time, WithinAbs(lasts, 1e-10));
    CHECK_THAT(solution.events[1].speed, WithinAbs(3 * std::exp(-decay * lasts), 1e-10));
    const double lost = m / 2 * (9 - std::pow(solution.events[1].speed, 2));
    CHECK_THAT(solution.states[1].elements[0].heat, WithinAbs(lost, 1e-9));
}

TEST_CASE("a characteristic without pulling lets go where spring and damper cancel") {
    const double c = 1e4;
    const double d = 40;
    ReferenceProblem problem;
    problem.network.bodies = {ball(1, {0, 0, 0}, {-2, 0, 0})};
    problem.network.elements = {
        fromOrigin(ElastoGapLaw({.c = c, .d = d, .characteristic = GapCharacteristic::NoPull}))};
    // y = v/w exp(-k t) sin w t, force zero where c y + d y' = 0; then it leaves with the speed it has there.
    const double decay = d / 2;
    const double omega = std::sqrt(c - decay * decay);
    const double zero = (3.141592653589793 - std::atan2(d * omega, c - d * decay)) / omega;
    const double speed =
        2 * std::exp(-decay * zero) * (decay / omega * std::sin(omega * zero) - std::cos(omega * zero));
    const std::vector<double> times = {0, 0.2};
    const ReferenceSolution solution = solveReference(problem, times);
    CHECK_THAT(solution.states[1].bodies[0].velocity.x(), WithinAbs(speed, 1e-9));
    // The spring relaxes without a force: its energy is lost too.
    CHECK_THAT(solution.states[1].elements[0].heat, WithinAbs(2 - speed * speed / 2, 1e-9));
}

TEST_CASE("Modelica's loss power of a clipped backlash leaves out what its spring loses") {
    ReferenceProblem problem;
    problem.network.bodies = {ball(1, {0, 0, 0})};
    problem.network.bodies[0].inverseInertia.setConstant(1);
    problem.network.bodies[0].angularVelocity = {2, 0, 0};
    FlowElement lash = fromOrigin(ElastoBacklashLaw({.c = 1e4, .d = 150, .b = 0.02}));
    lash.geometry = Geometry::AboutAxis;
    problem.network.elements = {lash};
    bool clipped = false;
    for (const ReferenceState& state : solveReference(problem, evenTimes(0.1, 1000)).states) {
        const ReferenceElementState& element = state.elements[0];
        if (!(element.force.contact && element.force.f == 0 && element.force.f_c != 0)) continue;
        clipped = true;
        CHECK(element.lossPower == 0);
        CHECK(element.dissipatedPower == Approx(-element.force.f_c * element.v));
        CHECK(element.dissipatedPower > 0);
    }
    CHECK(clipped);
}

TEST_CASE("a kinematic body that changes its velocity changes the branch at once") {
    // A plate rests on a spring stop that carries its weight; the stop then drops with 2 m/s.
    const double c = 1e5;
    const double d = 500;
    const ElastoGapLaw law({.c = c, .d = d});
    ReferenceProblem problem;
    problem.network.bodies = {ball(1, {-10 / c, 0, 0}, {0, 0, 0}, {-10, 0, 0}), FlowBody{}};
    problem.network.elements = {between(law, Geometry::AlongAxis, 1, {0, 0, 0}, 0, {0, 0, 0})};
    problem.drives.resize(2);
    problem.drives[1].motion = [](double t) {
        BodyState state;
        state.position.x() = -2 * std::max(0., t - 0.1);
        state.velocity.x() = t < 0.1 ? 0 : -2;
        return state;
    };
    problem.breaks = {0.1};
    const std::vector<double> times = {0.09, 0.1 + 1e-9, 0.1 + 1e-5, 0.11};
    const ReferenceSolution solution = solveReference(problem, times);
    CHECK_THAT(solution.states[0].elements[0].force.f, WithinAbs(-10, 1e-9));
    // The damper would pull: no force, though still in contact.
    CHECK(solution.states[1].elements[0].force.f == 0);
    CHECK(solution.states[1].elements[0].force.contact);
    CHECK(solution.states[2].elements[0].force.f == 0);
    REQUIRE(solution.events.size() == 1);
    CHECK_THAT(solution.events[0].time, WithinAbs(0.1 + 10 / c / 2, 1e-7));
}
