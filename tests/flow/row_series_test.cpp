#include "random_numbers.h"
#include "row_fixture.h"

#include <catch2/catch.hpp>

#include <cmath>
#include <cstdio>

using namespace elasto;
using namespace elasto::test;
using Row = OracleState::Row;

TEST_CASE("series closed form agrees with an independent integrator", "[slow]") {
    RandomNumbers random(11);
    Errors s, v, z, P, sigma, heat;
    int tooDear = 0;
    for (int i = 0; i < 1000; ++i) {
        const double c = random.logarithmic(0, 7);
        const double m = random.logarithmic(-2, 3);
        double d = random.logarithmic(-1, 5);
        if (random.chance(0.1)) d = 0.5 * std::sqrt(c * m) * (1 + random.uniform(-1, 1) * 1e-7);  // critical
        const double W = random.chance(0.1) ? 0 : 1 / m;
        const double h = 1 / random.uniform(30, 1000);
        const double speed = random.logarithmic(-3, 1);
        const double a = random.uniform(-1, 1) * random.logarithmic(-1, 3);
        const Law law = SpringDamperSeriesLaw({.c = c, .d = d, .s_unstretched = 0.1});
        const RowProblem problem = singleElement(law, W, a, 0.1 + random.uniform(-1, 1) * speed * h,
                                                 random.uniform(-1, 1) * speed, h, random.uniform(-1, 1) * speed * h);
        const auto oracle = integrate(problem.network, problem.start, h,
                                      std::min({h / 10, 0.5 / std::sqrt(c * W + 1), 0.5 * d / c}), 3000);
        if (!oracle) {
            ++tooDear;
            continue;
        }
        flow::RowState state = problem.state();
        flow::RowLog log;
        flow::solveSeries(problem.rows(), state, h, log);
        const double largest = speed + std::abs(a) * h;
        const double force = std::min(c * largest * h, d * largest) + c * speed * h;
        s.add(std::abs(state.s(0) - (*oracle)(Row::kS)) / (largest * h));
        v.add(std::abs(state.v(0) - (*oracle)(Row::kV)) / largest);
        z.add(std::abs(state.z(0) - (*oracle)(Row::kZ)) / (largest * h));
        P.add(std::abs(state.P(0) - (*oracle)(Row::kP)) / (force * h));
        sigma.add(std::abs(state.sigma(0) - (*oracle)(Row::kSigma)) / (force * h * h));
        heat.add(std::abs(state.heat(0) - (*oracle)(Row::kHeat)) / (force * largest * h));
    }
    std::printf(
        "series: %d too dear for the oracle\n   s     %s\n   v     %s\n   z     %s\n   P     %s\n   sigma %s\n"
        "   heat  %s\n",
        tooDear, s.summary().c_str(), v.summary().c_str(), z.summary().c_str(), P.summary().c_str(),
        sigma.summary().c_str(), heat.summary().c_str());
    CHECK(s.count() > 600);
    for (Errors* errors : {&s, &v, &z, &P, &sigma, &heat}) CHECK(errors->quantile(0.5) < 1e-12);
    // The oracle's own 1e-13 per step adds up over its thousands of steps.
    CHECK(s.worst() < 5e-9);
    CHECK(v.worst() < 5e-9);
    CHECK(z.worst() < 5e-9);
    CHECK(P.worst() < 5e-9);
    CHECK(sigma.worst() < 5e-9);
    CHECK(heat.worst() < 5e-9);
}

TEST_CASE("series closed form: parts that are missing") {
    const double h = 0.02;
    flow::RowLog log;
    SECTION("no damper: no force, the damper takes up the length") {
        const RowProblem problem =
            singleElement(SpringDamperSeriesLaw({.c = 100, .d = 0, .s_unstretched = 0.5}), 2, -10, 0.8, 1, h, 0.1);
        flow::RowState state = problem.state();
        flow::solveSeries(problem.rows(), state, h, log);
        CHECK(state.P(0) == 0);
        CHECK(state.heat(0) == 0);
        CHECK(state.s(0) == Approx(0.8 + h - 5 * h * h));
        CHECK(state.z(0) == state.s(0) - 0.5);
    }
    SECTION("no spring: no force, the damper stays") {
        const RowProblem problem =
            singleElement(SpringDamperSeriesLaw({.c = 0, .d = 5, .s_unstretched = 0.5}), 2, -10, 0.8, 1, h, 0.1);
        flow::RowState state = problem.state();
        flow::solveSeries(problem.rows(), state, h, log);
        CHECK(state.P(0) == 0);
        CHECK(state.z(0) == 0.1);
    }
}

TEST_CASE("series closed form: stiff limits are a damper and a spring") {
    const double h = 1.0 / 60;
    flow::RowLog log;
    // Against a spring of 1e9 N/m the damper alone acts: v decays with d W.
    const RowProblem damper = singleElement(SpringDamperSeriesLaw({.c = 1e9, .d = 20}), 2, 0, 0, 1, h);
    flow::RowState state = damper.state();
    flow::solveSeries(damper.rows(), state, h, log);
    CHECK(state.v(0) == Approx(std::exp(-40 * h)).epsilon(1e-5));
    CHECK(state.heat(0) == Approx(0.25 * (1 - std::exp(-80 * h))).epsilon(1e-5));
    // Against a damper of 1e9 N.s/m the spring alone acts.
    const RowProblem spring = singleElement(SpringDamperSeriesLaw({.c = 200, .d = 1e9}), 2, 0, 0, 1, h);
    state = spring.state();
    flow::solveSeries(spring.rows(), state, h, log);
    CHECK(state.v(0) == Approx(std::cos(20 * h)).epsilon(1e-6));
    CHECK(std::abs(state.heat(0)) < 1e-7);
}
