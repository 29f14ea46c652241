#include "random_numbers.h"
#include "row_fixture.h"

#include <catch2/catch.hpp>

#include <cmath>
#include <cstdio>

using namespace elasto;
using namespace elasto::test;
using Row = OracleState::Row;

namespace {

/// Families of laws of the grid.
enum class Family { GapBounded, GapNoPull, GapLinear, BacklashBounded, BacklashNoPull, BacklashLinear, SpringDamper };

const char* name(Family family) {
    switch (family) {
        case Family::GapBounded:
            return "ElastoGap";
        case Family::GapNoPull:
            return "gap, no pull";
        case Family::GapLinear:
            return "gap, linear";
        case Family::BacklashBounded:
            return "ElastoBacklash";
        case Family::BacklashNoPull:
            return "ElastoBacklash2";
        case Family::BacklashLinear:
            return "backlash, linear";
        default:
            return "SpringDamper";
    }
}

Law makeLaw(Family family, double c, double d, double play) {
    switch (family) {
        case Family::GapBounded:
            return ElastoGapLaw({.c = c, .d = d});
        case Family::GapNoPull:
            return ElastoGapLaw({.c = c, .d = d, .characteristic = GapCharacteristic::NoPull});
        case Family::GapLinear:
            return ElastoGapLaw({.c = c, .d = d, .characteristic = GapCharacteristic::Linear});
        case Family::BacklashBounded:
            return ElastoBacklashLaw({.c = c, .d = d, .b = play, .phi_rel0 = play / 2});
        case Family::BacklashNoPull:
            return ElastoBacklashLaw(
                {.c = c, .d = d, .b = play, .phi_rel0 = play / 2, .characteristic = BacklashCharacteristic::NoPull});
        case Family::BacklashLinear:
            return ElastoBacklashLaw(
                {.c = c, .d = d, .b = play, .phi_rel0 = play / 2, .characteristic = BacklashCharacteristic::Linear});
        default:
            return SpringDamperLaw({.c = c, .d = d});
    }
}

bool isTwoSided(Family family) {
    return family == Family::BacklashBounded || family == Family::BacklashNoPull || family == Family::BacklashLinear;
}

struct GridCase {
    RowProblem problem;
    double frequency;  ///< highest of the element, for the oracle's steps
};

/// Parameters over the whole range the plugin promises, starts in flight, in contact, resting and grazing. The lower
/// edge lies at s = 0.
GridCase randomCase(Family family, RandomNumbers& random) {
    double c = !isTwoSided(family) && random.chance(0.05) ? 0 : random.logarithmic(0, 9);
    const double m = random.logarithmic(-3, 3);
    double d = random.chance(0.25) ? 0 : random.logarithmic(-2, 5);
    if (random.chance(0.1)) d = 2 * std::sqrt(c * m) * (random.chance(0.5) ? 1 : 1 + random.uniform(-1e-7, 1e-7));
    const double h = 1 / random.uniform(30, 1000);
    const double frequency = std::sqrt(c / m) + 1e-3;
    const double speed = random.logarithmic(-4, 1.5);
    const double play = std::max(speed * h * random.uniform(0, 1), 1e-9);
    double v = random.uniform(-1, 1) * speed;
    double a = random.chance(0.15) ? 0 : random.uniform(-1, 1) * random.logarithmic(-1, 3);
    double s = 0;
    switch (random.below(5)) {
        case 0:
            s = random.uniform(0, 1) * std::max(speed * h, 1e-9);
            break;
        case 1:
            s = -random.uniform(0, 1) * speed / frequency;
            break;
        case 2:
            s = 0;
            break;
        case 3:  // resting, or nearly
            s = c > 0 ? -std::abs(a) * m / c * random.uniform(0.9, 1.1) : 0;
            v = 0;
            break;
        default:  // the turning point touches the edge
            a = std::abs(a);
            v = -std::abs(v);
            s = a > 0 ? v * v / (2 * a) * (1 + random.uniform(-1, 1) * 1e-9) : 1;
    }
    return {singleElement(makeLaw(family, c, d, play), 1 / m, a, s, v, h), frequency};
}

/// Errors of s, v, P and sigma, relative to what the tick's largest speed gives.
struct GridErrors {
    Errors s, v, P, sigma, heat;
    int tooDear = 0;
};

void compare(const GridCase& grid, GridErrors& errors) {
    const RowProblem& problem = grid.problem;
    const double h = problem.h;
    const auto oracle = integrate(problem.network, problem.start, h, std::min(h / 20, 0.5 / grid.frequency), 2000);
    if (!oracle) {
        ++errors.tooDear;
        return;
    }
    flow::RowState state = problem.state();
    flow::RowLog log;
    flow::solveClosedForm(problem.rows(), state, h, log);
    const double m = 1 / problem.network.W(0, 0);
    const double s0 = problem.start(Row::kS);
    const double v0 = problem.start(Row::kV);
    const double speed = std::max({std::abs(v0), std::abs(state.v(0)), std::abs(problem.network.a(0, 0)) * h, 1e-9});
    // Far from the edge the rounding of s itself counts.
    const double way = speed * h + 1e-3 * std::abs(s0);
    const double energy = m * speed * speed + storedEnergy(problem.network.laws[0], s0, 0);
    const double impulse = std::sqrt(2 * m * energy);
    errors.s.add(std::abs(state.s(0) - (*oracle)(Row::kS)) / way);
    errors.v.add(std::abs(state.v(0) - (*oracle)(Row::kV)) / speed);
    errors.P.add(std::abs(state.P(0) - (*oracle)(Row::kP)) / impulse);
    errors.sigma.add(std::abs(state.sigma(0) - (*oracle)(Row::kSigma)) / (m * way));
    errors.heat.add(std::abs(state.heat(0) - (*oracle)(Row::kHeat)) / energy);
    REQUIRE(state.heat(0) >= -1e-11 * energy);
    REQUIRE(state.t == h);
}

/// A ball of 0.2 kg above the ground.
RowProblem ball(double c, double d, double height, double h) {
    return singleElement(ElastoGapLaw({.c = c, .d = d}), 5, -9.80665, height, 0, h);
}

double energyOf(const RowProblem& problem, const flow::RowState& state) {
    const double m = 1 / problem.network.W(0, 0);
    return 0.5 * m * state.v(0) * state.v(0) - m * problem.network.a(0, 0) * state.s(0) +
           storedEnergy(problem.network.laws[0], state.s(0), 0);
}

}  // namespace

TEST_CASE("closed form agrees with an independent integrator", "[slow]") {
    const Family family = GENERATE(Family::GapBounded, Family::GapNoPull, Family::GapLinear, Family::BacklashBounded,
                                   Family::BacklashNoPull, Family::BacklashLinear, Family::SpringDamper);
    RandomNumbers random(7);
    GridErrors errors;
    const int count = 1000;
    for (int i = 0; i < count; ++i) compare(randomCase(family, random), errors);
    std::printf("closed form, %s: %d of %d too dear for the oracle\n   s     %s\n   v     %s\n   heat  %s\n",
                name(family), errors.tooDear, count, errors.s.summary().c_str(), errors.v.summary().c_str(),
                errors.heat.summary().c_str());
    CHECK(errors.tooDear < count / 10);
    CHECK(errors.v.quantile(0.5) < 1e-13);
    CHECK(errors.v.quantile(0.99) < 1e-11);
    CHECK(errors.v.worst() < 1e-8);
    CHECK(errors.P.worst() < 1e-8);
    CHECK(errors.s.quantile(0.99) < 1e-10);
    CHECK(errors.s.worst() < 1e-8);
    CHECK(errors.sigma.worst() < 1e-8);
    CHECK(errors.heat.worst() < 1e-9);
}

TEST_CASE("closed form between bodies that nothing can accelerate", "[slow]") {
    const Family family = GENERATE(Family::GapBounded, Family::GapNoPull, Family::GapLinear, Family::BacklashBounded,
                                   Family::SpringDamper);
    RandomNumbers random(8);
    Errors P, sigma, heat;
    for (int i = 0; i < 300; ++i) {
        GridCase grid = randomCase(family, random);
        RowProblem& problem = grid.problem;
        problem.network.W.setZero();
        const auto oracle = integrate(problem.network, problem.start, problem.h, problem.h / 20, 2000);
        if (!oracle) continue;
        flow::RowState state = problem.state();
        flow::RowLog log;
        flow::solveClosedForm(problem.rows(), state, problem.h, log);
        const flow::HybridLaw law = problem.rows().laws[0];
        const double speed = std::abs(problem.start(Row::kV)) + problem.h * std::abs(problem.network.a(0, 0));
        const double way = std::abs(problem.start(Row::kS)) + speed * problem.h + 1e-100;
        const double force = law.c * way + law.d * speed + 1e-100;
        P.add(std::abs(state.P(0) - (*oracle)(Row::kP)) / (force * problem.h));
        sigma.add(std::abs(state.sigma(0) - (*oracle)(Row::kSigma)) / (force * problem.h * problem.h));
        heat.add(std::abs(state.heat(0) - (*oracle)(Row::kHeat)) / (force * way));
        REQUIRE(state.heat(0) >= -1e-15 * force * way);
    }
    std::printf("given motion, %s\n   P     %s\n   sigma %s\n   heat  %s\n", name(family), P.summary().c_str(),
                sigma.summary().c_str(), heat.summary().c_str());
    CHECK(P.count() > 250);
    CHECK(P.worst() < 1e-9);
    CHECK(sigma.worst() < 1e-9);
    CHECK(heat.worst() < 1e-9);
}

TEST_CASE("closed form keeps the energy of an undamped ball") {
    const double c = GENERATE(1e3, 1e6, 1e9);
    const double rate = GENERATE(60.0, 240.0);
    const RowProblem problem = ball(c, 0, 0.3, 1 / rate);
    const flow::RowNetwork rows = problem.rows();
    flow::RowState state = problem.state();
    const double start = energyOf(problem, state);
    double rise = 0;
    double height = 0;
    for (int tick = 0; tick < 100000; ++tick) {
        const Eigen::VectorXd s0 = state.s;
        const Eigen::VectorXd v0 = state.v;
        flow::RowLog log;
        flow::solveClosedForm(rows, state, problem.h, log);
        REQUIRE(state.heat(0) == 0);
        writeEnd(rows, state, s0, v0);
        rise = std::max(rise, energyOf(problem, state) / start - 1);
        if (tick > 99000) height = std::max(height, state.s(0));
    }
    std::printf("undamped ball, c = %g, %g Hz: energy rises by %.1e\n", c, rate, rise);
    CHECK(rise < 1e-9);
    CHECK(height > 0.29);  // still bouncing
}

TEST_CASE("closed form: a damped ball comes to rest, and its energy is heat") {
    const double rate = GENERATE(60.0, 240.0, 1000.0);
    const RowProblem problem = ball(1e6, 5, 0.3, 1 / rate);
    const flow::RowNetwork rows = problem.rows();
    flow::RowState state = problem.state();
    const double start = energyOf(problem, state);
    double heat = 0;
    double mean = 0;
    flow::RowLog log;
    for (int tick = 0; tick < 100 * rate; ++tick) {
        const Eigen::VectorXd s0 = state.s;
        const Eigen::VectorXd v0 = state.v;
        flow::solveClosedForm(rows, state, problem.h, log);
        heat += state.heat(0);
        mean = state.P(0) / problem.h;
        writeEnd(rows, state, s0, v0);
        REQUIRE(heat + energyOf(problem, state) == Approx(start).epsilon(1e-12));
    }
    CHECK(state.s(0) == Approx(-0.2 * 9.80665 / 1e6).epsilon(1e-9));
    CHECK(std::abs(state.v(0)) < 1e-12);
    CHECK(mean == Approx(-0.2 * 9.80665).epsilon(1e-12));
}

TEST_CASE("closed form reports contacts with time and approach speed") {
    const RowProblem problem = ball(1e6, 5, 0.3, 0.5);
    flow::RowState state = problem.state();
    flow::RowLog log;
    flow::solveClosedForm(problem.rows(), state, problem.h, log);
    REQUIRE(log.events.size() >= 2);
    const double fall = std::sqrt(2 * 0.3 / 9.80665);
    CHECK(log.events[0].begin);
    CHECK(log.events[0].time == Approx(fall).epsilon(1e-14));
    CHECK(log.events[0].speed == Approx(9.80665 * fall).epsilon(1e-14));
    CHECK_FALSE(log.events[1].begin);
    CHECK(log.events[1].time > log.events[0].time);
    CHECK(log.events[1].speed < log.events[0].speed);
    CHECK(log.steps >= 4);
}

TEST_CASE("closed form skips whole periods of an undamped rattle") {
    // 80 000 bounces in a tick; and a rattle in a narrow play.
    const double bounce = 1e-7;
    const RowProblem bouncing = ball(1e9, 0, 9.80665 / 2 * bounce * bounce, 1.0 / 60);
    const RowProblem rattling = singleElement(ElastoBacklashLaw({.c = 1e9, .d = 0, .b = 1e-6}), 1, 0.3, 0, 0.5, 0.01);
    for (const RowProblem& problem : {bouncing, rattling}) {
        flow::RowState state = problem.state();
        flow::RowLog log;
        flow::solveClosedForm(problem.rows(), state, problem.h, log);
        CHECK(log.steps < 20);
        // The oracle would need hours; the energy and the whole number of periods must do.
        flow::RowState start = problem.state();
        CHECK(energyOf(problem, state) == Approx(energyOf(problem, start)).epsilon(1e-9));
        CHECK(state.heat(0) == 0);
    }
}

TEST_CASE("closed form: a skipped rattle ends where an unskipped one does") {
    // The same motion in one tick and in 200 short ones that skip nothing.
    const Law law = ElastoBacklashLaw({.c = 1e6, .d = 0, .b = 1e-3});
    const RowProblem whole = singleElement(law, 1, 0.3, 0, 0.5, 0.1);
    flow::RowState once = whole.state();
    flow::RowLog log;
    flow::solveClosedForm(whole.rows(), once, whole.h, log);
    CHECK(log.steps < 20);
    flow::RowState many = whole.state();
    flow::RowLog longLog;
    for (int k = 1; k <= 200; ++k) flow::solveClosedForm(whole.rows(), many, k * whole.h / 200, longLog);
    CHECK(longLog.events.size() > 30);
    CHECK(once.s(0) == Approx(many.s(0)).margin(1e-12));
    CHECK(once.v(0) == Approx(many.v(0)).margin(1e-9));
    CHECK(once.P(0) == Approx(many.P(0)).margin(1e-9));
    CHECK(once.sigma(0) == Approx(many.sigma(0)).margin(1e-12));
}

TEST_CASE("closed form: a rattle beyond all bounds loses energy but never gains") {
    // A milligram at 10 m/s in a play of a tenth of a micrometre: 100 000 impacts in the tick.
    const double a = GENERATE(0.0, 5.0, -5.0);
    const RowProblem problem =
        singleElement(ElastoBacklashLaw({.c = 1e9, .d = 1e-6, .b = 1e-7}), 1e6, a, 0, 10, 1.0 / 60);
    flow::RowState state = problem.state();
    flow::RowLog log;
    flow::solveClosedForm(problem.rows(), state, problem.h, log);
    CHECK(log.steps == 2001);
    CHECK(state.v(0) == 0);
    CHECK(std::abs(state.s(0)) < 1e-6);
    CHECK(state.heat(0) == Approx(5e-5).epsilon(1e-6));
    CHECK(energyOf(problem, state) + state.heat(0) == Approx(5e-5).epsilon(1e-12));
    if (a != 0) {
        const flow::HybridLaw law = problem.rows().laws[0];
        CHECK(forceInPhase(law, state.phases[0], state.s(0), 0, 0) == Approx(1e-6 * a).epsilon(1e-3));
    }
}

TEST_CASE("closed form: bounded damper without a spring is no element at all") {
    const RowProblem problem = ball(0, 5, 0.01, 0.1);
    flow::RowState state = problem.state();
    flow::RowLog log;
    flow::solveClosedForm(problem.rows(), state, problem.h, log);
    CHECK(state.P(0) == 0);
    CHECK(state.sigma(0) == 0);
    CHECK(state.v(0) == Approx(-0.980665));
    CHECK(log.events.empty());
}
