// The reference's friction against closed forms: CVODE with events of its own.

#include <elasto/errors.h>
#include <elasto/reference/reference.h>
#include <catch2/catch.hpp>

#include <array>
#include <cmath>

using namespace elasto;

namespace {

ReferenceProblem sliding(const FrictionParameters& friction, double v) {
    ReferenceProblem problem;
    problem.network.bodies = {FlowBody::sphere(2, 0.1)};
    problem.network.bodies[0].inverseInertia.setZero();
    problem.network.bodies[0].velocity.x() = v;
    problem.network.elements = {{.law = FrictionLaw(friction), .geometry = Geometry::AlongAxis, .b = 0}};
    return problem;
}

}  // namespace

TEST_CASE("the reference's brake stops at the right instant, holds and lets go") {
    ReferenceProblem problem = sliding({.F_Coulomb = 40}, 0.5);
    problem.f_normalized = {[](double t) { return 0.2 + 3 * t; }};
    const double stops = (-0.2 + std::sqrt(0.04 + 6 * 0.5 * 2 / 40)) / 3;
    const std::array times = {stops - 1e-9, stops + 1e-9, 2.};
    const ReferenceSolution solution = solveReference(problem, times);
    CHECK_FALSE(solution.states[0].elements[0].force.contact);
    CHECK(solution.states[1].elements[0].force.contact);
    CHECK(solution.states[2].bodies[0].velocity.x() == Approx(0).margin(1e-12));
    CHECK(solution.states[2].elements[0].heat == Approx(0.25).epsilon(1e-9));
}

TEST_CASE("the reference's friction gives way at its peak, and slides with less") {
    ReferenceProblem problem = sliding({.F_Coulomb = 3, .peak = 1.4}, 0);
    problem.drives.resize(1);
    problem.drives[0].force = [](double t) { return Eigen::Vector3d(40 * t, 0, 0); };
    const double t0 = 1.4 * 3 / 40, w = 0.2;
    const std::array times = {t0 - 1e-9, t0 + 1e-9, t0 + w};
    const ReferenceSolution solution = solveReference(problem, times);
    CHECK(solution.states[0].elements[0].force.contact);
    CHECK(solution.states[0].elements[0].force.f == Approx(4.2).epsilon(1e-6));
    CHECK_FALSE(solution.states[1].elements[0].force.contact);
    const double v = (1.2 * w + 20 * w * w) / 2;
    CHECK(solution.states[2].bodies[0].velocity.x() == Approx(v).epsilon(1e-9));
    CHECK(solution.states[2].elements[0].force.f == 3);
}

TEST_CASE("the reference's hard stop takes all speed, and its impulse is the element's") {
    const ReferenceProblem problem = sliding({.F_Coulomb = 3, .s_max = 0.1}, 2);
    const std::array times = {1.};
    const ReferenceSolution solution = solveReference(problem, times);
    CHECK(solution.states[0].bodies[0].position.x() == Approx(0.1).epsilon(1e-9));
    CHECK(solution.states[0].elements[0].impulse == Approx(4).epsilon(1e-9));
    CHECK(solution.states[0].elements[0].heat == Approx(0.3).epsilon(1e-9));
}

TEST_CASE("the reference passes a hit on to what sticks elsewhere on the bodies") {
    // b slides in a's slot and hits its end: both go on together, and the friction of a, that stuck, slides.
    ReferenceProblem problem;
    for (const double v : {0., 3.}) {
        problem.network.bodies.push_back(FlowBody::sphere(2, 0.1));
        problem.network.bodies.back().inverseInertia.setZero();
        problem.network.bodies.back().velocity.x() = v;
    }
    problem.network.elements = {
        {.law = FrictionLaw({.F_Coulomb = 4}), .geometry = Geometry::AlongAxis, .b = 0},
        {.law = FrictionLaw({.F_Coulomb = 1, .s_max = 0.2}), .geometry = Geometry::AlongAxis, .a = 0, .b = 1}};
    const std::array times = {0.15, 5.};
    const ReferenceSolution solution = solveReference(problem, times);
    const double hit = std::sqrt(9 - 2 * 0.5 * 0.2);  // b's speed where it hits; a has stood still
    const double both = hit / 2;
    const double way = both * both * 4 / (2 * 4);
    const double t = (3 - hit) / 0.5;
    CHECK(solution.states[0].bodies[0].velocity.x() == Approx(both - (0.15 - t)).epsilon(1e-9));
    CHECK(solution.states[1].bodies[0].position.x() == Approx(way).epsilon(1e-9));
    CHECK(solution.states[1].elements[0].heat == Approx(4 * way).epsilon(1e-9));
}

TEST_CASE("the reference's clutch without strength holds nothing, from time 0 on and where its ends are equally fast") {
    ReferenceProblem problem = sliding({.F_Coulomb = 3}, 0);
    problem.drives.resize(1);
    problem.f_normalized = {[](double) { return 0.; }};
    // Comes to rest, and goes on, at t = 1.
    problem.drives[0].force = [](double t) { return Eigen::Vector3d(1 - 2 * t, 0, 0); };
    const std::array times = {0., 0.5, 1., 1 + 1e-9, 2.};
    const ReferenceSolution solution = solveReference(problem, times);
    for (const ReferenceState& state : solution.states) {
        INFO("t = " << state.time);
        CHECK(state.elements[0].force.f == 0);
        CHECK(state.elements[0].impulse == 0);
        CHECK(state.bodies[0].velocity.x() == Approx((state.time - state.time * state.time) / 2).margin(1e-12));
    }
}
