#include "row_random_network.h"

#include <catch2/catch.hpp>

#include <cmath>
#include <cstdio>

namespace row_passive_test {

using namespace elasto;
using namespace elasto::test;

namespace {

struct Run {
    flow::RowState state;
    flow::RowLog log;
    double energyHandedOut = 0;
};

Run solve(const flow::RowNetwork& rows, const flow::RowState& start, double h) {
    Run run{start, {}, 0};
    flow::solvePassive(rows, run.state, h, run.log);
    run.energyHandedOut = flow::energyHandedOut(rows, start.v, flow::storedEnergy(rows, start), run.state);
    return run;
}

/// Energies exchanged in the tick, to measure gains by.
double scale(const flow::RowState& start, const flow::RowNetwork& rows, const flow::RowState& end) {
    return end.P.cwiseAbs().dot(start.v.cwiseAbs() + end.v.cwiseAbs()) + flow::storedEnergy(rows, start) + 1e-12;
}

}  // namespace

TEST_CASE("passive steps never gain energy, and book what is lost as heat", "[slow]") {
    const bool changing = GENERATE(false, true);
    RandomNumbers random(31);
    double gain = 0;
    for (int i = 0; i < 3000; ++i) {
        const RandomNetwork network =
            randomNetwork(random, {.mostElements = 7, .mostStiff = 9, .mostDamped = 1e5, .changingLoads = changing});
        const flow::RowNetwork rows = network.problem.rows();
        const flow::RowState start = network.problem.state();
        const Run run = solve(rows, start, network.problem.h);
        REQUIRE(run.state.t == network.problem.h);
        REQUIRE(run.state.s.allFinite());
        REQUIRE(run.state.v.allFinite());
        REQUIRE(run.state.P.allFinite());
        const double energies = scale(start, rows, run.state);
        gain = std::max(gain, run.energyHandedOut / energies);
        REQUIRE(run.state.heat.minCoeff() >= 0);
        REQUIRE(run.state.heat.sum() == Approx(std::max(-run.energyHandedOut, 0.0)).margin(1e-9 * energies));
        // The motion is that of the impulses.
        const double h = network.problem.h;
        const Eigen::VectorXd v =
            start.v + rows.a * Eigen::Vector3d(h, h * h / 2, h * h * h / 3) - rows.W.times(run.state.P);
        const Eigen::VectorXd s = start.s + h * start.v +
                                  rows.a * Eigen::Vector3d(h * h / 2, h * h * h / 6, h * h * h * h / 12) -
                                  rows.W.times(run.state.sigma);
        REQUIRE((v - run.state.v).cwiseAbs().maxCoeff() < 1e-9 * network.speed);
        REQUIRE((s - run.state.s).cwiseAbs().maxCoeff() < 1e-9 * (network.speed * h + start.s.cwiseAbs().maxCoeff()));
    }
    std::printf("passive, %s loads: largest gain %.1e of the energies\n", changing ? "changing" : "constant", gain);
    CHECK(gain < 1e-9);
}

TEST_CASE("passive steps hold what rests") {
    const double c = GENERATE(1e3, 1e9);
    const Law law = ElastoGapLaw({.c = c, .d = 5, .n = GENERATE(1.0, 1.5), .s_ref = 0.01});
    const double weight = 0.2 * 9.80665;
    const auto* gap = std::get_if<ElastoGapLaw>(&law);
    const double n = gap->parameters().n;
    const double y = 0.01 * std::pow(weight / (c * 0.01), 1 / n);
    const RowProblem problem = singleElement(law, 5, -9.80665, -y, 0, 1.0 / 60);
    const Run run = solve(problem.rows(), problem.state(), problem.h);
    CHECK(run.state.s(0) == Approx(-y).epsilon(1e-9));
    CHECK(std::abs(run.state.v(0)) < 1e-11);
    CHECK(run.state.P(0) == Approx(-weight * problem.h).epsilon(1e-9));
}

TEST_CASE("passive steps make an impact plastic and free flight exact") {
    const Law law = ElastoGapLaw({.c = 1e9, .d = 0});
    const RowProblem falling = singleElement(law, 5, -9.80665, 1, -1, 0.1);
    Run run = solve(falling.rows(), falling.state(), 0.1);
    CHECK(run.state.s(0) == Approx(1 - 0.1 - 0.0490332));
    CHECK(run.state.P(0) == 0);
    CHECK(run.state.heat(0) == 0);

    const RowProblem impact = singleElement(law, 5, -9.80665, 0.01, -1, 0.1);
    run = solve(impact.rows(), impact.state(), 0.1);
    CHECK(std::abs(run.state.v(0)) < 1e-3);
    CHECK(std::abs(run.state.s(0)) < 1e-6);
    CHECK(run.state.heat(0) == Approx(0.1 + 0.2 * 9.80665 * 0.01).epsilon(1e-3));
    REQUIRE(run.log.events.size() == 1);
    CHECK(run.log.events[0].begin);
}

TEST_CASE("passive steps of power laws and of laws that would pull") {
    RandomNumbers random(33);
    for (int i = 0; i < 500; ++i) {
        const double n = 1 + random.uniform(0, 2);
        const auto characteristic =
            random.chance(0.5) ? GapCharacteristic::LankaraniNikravesh : GapCharacteristic::BoundedDamper;
        RowProblem problem = singleElement(ElastoGapLaw({.c = random.logarithmic(2, 9),
                                                         .d = random.logarithmic(-1, 6),
                                                         .n = n,
                                                         .s_ref = 0.01,
                                                         .characteristic = characteristic}),
                                           random.logarithmic(-2, 3), random.uniform(-20, 20),
                                           random.uniform(-1e-3, 1e-3), random.uniform(-2, 2), 1.0 / 60);
        const flow::RowState start = problem.state();
        const Run run = solve(problem.rows(), start, problem.h);
        REQUIRE(run.state.s.allFinite());
        REQUIRE(run.energyHandedOut <= 1e-9 * scale(start, problem.rows(), run.state));
        REQUIRE(run.state.heat(0) >= 0);
    }
}

TEST_CASE("passive steps take over in the middle of a tick") {
    // Seven Taylor steps, then the rest: impulses and energy belong to the whole tick.
    RowProblem problem = singleElement(SpringDamperLaw({.c = 1e9, .d = 3}), 10, 0, 0.001, 1, 1.0 / 60);
    problem.network.a.row(0) << 5, 300, -9000;
    const flow::RowNetwork rows = problem.rows();
    const flow::RowState start = problem.state();
    Run run{start, {}, 0};
    FlowSettings settings;
    settings.maxSteps = 7;
    flow::solveTaylor(rows, run.state, problem.h, settings, run.log);
    REQUIRE(run.state.t < problem.h);
    flow::solvePassive(rows, run.state, problem.h, run.log);
    CHECK(run.state.t == problem.h);
    CHECK(run.log.steps > 7);
    const double h = problem.h;
    CHECK(run.state.v(0) ==
          Approx(start.v(0) + 5 * h + 150 * h * h - 3000 * h * h * h - 10 * run.state.P(0)).margin(1e-9));
    CHECK(run.state.s(0) ==
          Approx(start.s(0) + h + 2.5 * h * h + 50 * h * h * h - 750 * h * h * h * h - 10 * run.state.sigma(0))
              .margin(1e-12));
    const double G = flow::energyHandedOut(rows, start.v, flow::storedEnergy(rows, start), run.state);
    CHECK(G < 0);
    CHECK(run.state.heat(0) == Approx(-G).epsilon(1e-6));
}

TEST_CASE("repair takes exactly what was handed out") {
    const RowProblem problem = singleElement(ElastoGapLaw({.c = 1e5, .d = 0}), 5, -9.80665, 0.001, -1, 1.0 / 60);
    const flow::RowNetwork rows = problem.rows();
    flow::RowState state = problem.state();
    const Eigen::VectorXd v0 = state.v;
    const double energy0 = flow::storedEnergy(rows, state);
    flow::RowLog log;
    flow::solveClosedForm(rows, state, problem.h, log);
    REQUIRE(std::abs(flow::energyHandedOut(rows, v0, energy0, state)) < 1e-14);
    CHECK(flow::repairEnergy(rows, v0, energy0, state) < 1e-14);

    // A little too fast out of the impact.
    state.P(0) -= 1e-4;
    state.v(0) += 5e-4;
    const double s = state.s(0);
    const double G = flow::energyHandedOut(rows, v0, energy0, state);
    REQUIRE(G > 1e-5);
    CHECK(flow::repairEnergy(rows, v0, energy0, state) == Approx(G));
    CHECK(std::abs(flow::energyHandedOut(rows, v0, energy0, state)) < 1e-14);
    CHECK(state.s(0) == s);
}

}  // namespace row_passive_test
