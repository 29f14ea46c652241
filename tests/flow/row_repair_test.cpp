// Energy that a solution of rows has handed out is taken back.

#include "row_random_network.h"

#include <catch2/catch.hpp>

#include <cmath>

using namespace elasto;
using namespace elasto::test;

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
