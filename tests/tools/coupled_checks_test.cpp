#include "coupled_checks.h"

#include <catch2/catch.hpp>

#include "tool_errors.h"

using namespace elasto;
using namespace elasto::tools;
using Catch::Matchers::Contains;

namespace {

CoupledRun run(std::vector<double> first, std::vector<double> second) {
    CoupledRun run;
    run.signals = {{0, 1, 2, 3}, {"a.r_0[1]", "b.r_0[1]"}, {std::move(first), std::move(second)}};
    return run;
}

CoupledCheck check(tools::CoupledMeasure measure, double from = 0) {
    CoupledCheck check;
    check.measure = measure;
    check.signals = {"*.r_0[1]"};
    check.from = from;
    return check;
}

}  // namespace

TEST_CASE("NRMSE is that of the worst signal, from the time on that counts") {
    CoupledRun one = run({0, 1, 2, 3}, {0, 1, 2, 3});
    one.oracle = one.signals;
    CHECK(evaluate(check(tools::CoupledMeasure::Nrmse), one).value == 0);
    one.signals.columns[1] = {0, 1, 2.3, 3};
    const CoupledValue worst = evaluate(check(tools::CoupledMeasure::Nrmse), one);
    CHECK(worst.value == Approx(100 * 0.15 / 3));
    CHECK(worst.signal == "b.r_0[1]");
    CHECK(evaluate(check(tools::CoupledMeasure::Nrmse, 2), one).value == Approx(100 * std::sqrt(0.09 / 2) / 1));
    CHECK(evaluate(check(tools::CoupledMeasure::Nrmse, 3), one).value == 0);
}

TEST_CASE("mean force and ripple are shares of what is expected") {
    CoupledCheck force = check(tools::CoupledMeasure::MeanForce, 1);
    CoupledCheck ripple = check(tools::CoupledMeasure::Ripple, 1);
    force.expected = ripple.expected = -100;
    const CoupledRun one = run({0, -100, -100, -100}, {0, -101, -100, -102});
    CHECK(evaluate(force, one).value == Approx(1));
    CHECK(evaluate(force, one).signal == "b.r_0[1]");
    CHECK(evaluate(ripple, one).value == Approx(2));
    CHECK_FALSE(needsOracle(force));
    SECTION("without a number it is what the oracle has") {
        force.expected.reset();
        CHECK(needsOracle(force));
        CoupledRun two = one;
        two.oracle = two.signals;
        two.oracle.columns[0] = {5, -50, -50, -50};
        CHECK(evaluate(force, two).value == Approx(100));
    }
}

TEST_CASE("drift is in millimetres from the first row that counts") {
    const CoupledRun one = run({5, 1, 1.002, 1}, {0, 1, 1, 0.999});
    CHECK(evaluate(check(tools::CoupledMeasure::Drift, 1), one).value == Approx(2));
    CHECK(evaluate(check(tools::CoupledMeasure::Drift, 2), one).value == Approx(2));
    CHECK(evaluate(check(tools::CoupledMeasure::Drift, 3), one).value == 0);
    CHECK(evaluate(check(tools::CoupledMeasure::Drift), one).value == Approx(4000));
}

TEST_CASE("speeds are compared at the end, with the largest of them") {
    CoupledRun one = run({9, 9, 9, 0.01}, {9, 9, 9, 2});
    one.oracle = run({0, 0, 0, 0.03}, {0, 0, 0, 2}).signals;
    const CoupledValue worst = evaluate(check(tools::CoupledMeasure::Speeds), one);
    CHECK(worst.value == Approx(1));
    CHECK(worst.signal == "a.r_0[1]");
}

TEST_CASE("the energy's rise is that of one tick") {
    CoupledRun one = run({0, 0, 0, 0}, {0, 0, 0, 0});
    one.energy = {10, 9, 9.5, 2};
    CHECK(evaluate(check(tools::CoupledMeasure::EnergyRise), one).value == Approx(0.5));
    CHECK(evaluate(check(tools::CoupledMeasure::EnergyRise), one).signal == "at 2 s");
    one.energy = {10, 9, 8, 7};
    CHECK(evaluate(check(tools::CoupledMeasure::EnergyRise), one).value == Approx(-1));
}

TEST_CASE("a hand-over costs what is beyond the run without elements") {
    CoupledRun one = run({7, 0.1, -0.5, 0.9}, {0, 0, 0, 0});
    one.isHanded = {false, false, true, false};
    one.withoutElements = run({9, 0.2, 0.1, -0.4}, {0, 0, 0, 0}).signals;
    CHECK(evaluate(check(tools::CoupledMeasure::HandOver, 1), one).value ==
          Approx(0.1));  // 0.4 faster in a tick instead of 0.3
    one.withoutElements = run({9, 0, 0.45, 0}, {0, 0, 0, 0}).signals;
    CHECK(evaluate(check(tools::CoupledMeasure::HandOver, 1), one).value == Approx(0.05));  // at 0.5 instead of 0.45
    CHECK(evaluate(check(tools::CoupledMeasure::HandOver, 1), one).signal == "a.r_0[1]");
    one.withoutElements = run({9, 0, 2, 0}, {0, 0, 0, 0}).signals;
    CHECK(evaluate(check(tools::CoupledMeasure::HandOver, 1), one).value == 0);
    one.isHanded = {true, true, false, false};  // before it counts
    CHECK_THROWS_WITH(evaluate(check(tools::CoupledMeasure::HandOver, 1), one), "no network changes hands");
}

TEST_CASE("what is not finite is never small") {
    CoupledRun one = run({0, std::nan(""), 0, 0}, {0, 0, 0, 0});
    CHECK(std::isinf(evaluate(check(tools::CoupledMeasure::Drift), one).value));
}

TEST_CASE("a check that speaks of nothing is refused") {
    const CoupledRun one = run({0, 0, 0, 0}, {0, 0, 0, 0});
    CoupledCheck none = check(tools::CoupledMeasure::Drift);
    none.signals = {"c.r_0[1]"};
    CHECK_THROWS_WITH(evaluate(none, one), "'c.r_0[1]' fits no signal of the scene");
    CHECK_THROWS_WITH(evaluate(check(tools::CoupledMeasure::Drift, 4), one), Contains("ends before from = 4 s"));
}
