// The laws as an automaton must be the public laws, on every branch and on both sides.

#include "random_numbers.h"

#include "law/hybrid_law.h"

#include <catch2/catch.hpp>

#include <cmath>

using namespace elasto;
using namespace elasto::flow;
using elasto::test::RandomNumbers;

namespace {

std::vector<Law> allLaws() {
    std::vector<Law> laws;
    for (const double d : {0.0, 3.0}) {
        for (const double n : {1.0, 1.5, 2.0, 2.7}) {
            for (const auto characteristic : {GapCharacteristic::BoundedDamper, GapCharacteristic::Linear,
                                              GapCharacteristic::NoPull, GapCharacteristic::LankaraniNikravesh}) {
                laws.push_back(ElastoGapLaw(
                    {.c = 40, .d = d, .s_rel0 = 0.2, .n = n, .s_ref = 0.3, .characteristic = characteristic}));
            }
        }
        for (const auto characteristic :
             {BacklashCharacteristic::BoundedDamper, BacklashCharacteristic::NoPull, BacklashCharacteristic::Linear}) {
            laws.push_back(
                ElastoBacklashLaw({.c = 40, .d = d, .b = 0.3, .phi_rel0 = 0.1, .characteristic = characteristic}));
        }
        laws.push_back(ElastoBacklashLaw({.c = 40, .d = d, .b = 1e-11, .phi_rel0 = 0.1}));
        laws.push_back(SpringDamperLaw({.c = 40, .d = d, .s_rel0 = 0.1}));
    }
    laws.push_back(ElastoGapLaw({.c = 0, .d = 3}));
    laws.push_back(ElastoGapLaw({.c = 0, .d = 3, .characteristic = GapCharacteristic::NoPull}));
    laws.push_back(ElastoGapLaw({.c = 0, .d = 3, .characteristic = GapCharacteristic::Linear}));
    laws.push_back(SpringDamperSeriesLaw({.c = 40, .d = 3, .s_unstretched = 0.1}));
    laws.push_back(SpringDamperSeriesLaw({.c = 0, .d = 3, .s_unstretched = 0.1}));
    return laws;
}

}  // namespace

TEST_CASE("row law: force and energy of the classified phase are those of the law") {
    RandomNumbers random(1);
    for (const Law& law : allLaws()) {
        const HybridLaw row = HybridLaw::from(law);
        for (int i = 0; i < 1000; ++i) {
            const double s = random.uniform(-0.4, 0.6);
            const double v = random.uniform(-5, 5);
            const double z = random.uniform(-0.2, 0.2);
            const Phase phase = classify(row, s, v, 0, 0);
            const ForceTerms expected = evaluate(law, s, v, z);
            REQUIRE(forceInPhase(row, phase, s, v, z) == Approx(expected.f).margin(1e-12));
            REQUIRE(energyInPhase(row, phase, s, z) == Approx(storedEnergy(law, s, z)).margin(1e-12));
        }
    }
}

TEST_CASE("row law: slopes are the derivatives of the force") {
    RandomNumbers random(2);
    const double step = 1e-6;
    for (const Law& law : allLaws()) {
        const HybridLaw row = HybridLaw::from(law);
        for (int i = 0; i < 200; ++i) {
            const double s = random.uniform(-0.4, 0.6);
            const double v = random.uniform(-5, 5);
            const Phase phase = classify(row, s, v, 0, 0);
            if (std::abs(row.penetration(s, phase.side)) < 1e-3) continue;
            const ForceSlopes slopes = slopesInPhase(row, phase, s, v);
            const auto force = [&](double ds, double dv) { return forceInPhase(row, phase, s + ds, v + dv, 0.05); };
            REQUIRE(slopes.byS == Approx((force(step, 0) - force(-step, 0)) / (2 * step)).epsilon(1e-5).margin(1e-5));
            REQUIRE(slopes.byV == Approx((force(0, step) - force(0, -step)) / (2 * step)).epsilon(1e-5).margin(1e-5));
        }
    }
}

TEST_CASE("row law: a phase lasts exactly while its exits are not negative") {
    RandomNumbers random(3);
    for (const Law& law : allLaws()) {
        const HybridLaw row = HybridLaw::from(law);
        for (int i = 0; i < 1000; ++i) {
            const double s = random.uniform(-0.4, 0.6);
            const double v = random.uniform(-5, 5);
            const Phase phase = classify(row, s, v, 0, 0);
            const Exits exits = exitsOf(row, phase);
            for (int e = 0; e < exits.count; ++e) {
                const Exit::Kind kind = exits.exits[e].kind;
                const double value = exitValue(row, phase, kind, s, v);
                REQUIRE(value >= 0);
                if (!row.isPiecewiseLinear()) continue;
                const LinearExit linear = linearExit(row, phase, kind);
                REQUIRE(linear.byS * (s - linear.edge) + linear.byV * v == Approx(value).margin(1e-12));
            }
            // In the same contact, or from free flight, another phase lies behind one of the exits.
            const double s1 = random.uniform(-0.4, 0.6);
            const double v1 = random.uniform(-5, 5);
            const Phase other = classify(row, s1, v1, 0, 0);
            if (phase.inContact() && (other.side != phase.side || row.penetration(s1, phase.side) < 0)) continue;
            bool left = false;
            for (int e = 0; e < exits.count; ++e) left = left || exitValue(row, phase, exits.exits[e].kind, s1, v1) < 0;
            REQUIRE(left == !(other == phase));
        }
    }
}

TEST_CASE("row law: the force does not jump at the exits of ElastoGap and ElastoBacklash") {
    RandomNumbers random(4);
    const Law gap = ElastoGapLaw({.c = 40, .d = 3, .s_rel0 = 0.2, .n = 1.5, .s_ref = 0.3});
    const Law backlash = ElastoBacklashLaw({.c = 40, .d = 3, .b = 0.3});
    for (const Law& law : {gap, backlash}) {
        const HybridLaw row = HybridLaw::from(law);
        for (int i = 0; i < 1000; ++i) {
            // A state on each exit's boundary: bisection in v (in s on the edges).
            const double s = random.uniform(-0.4, 0.4);
            const Phase phase = classify(row, s, random.uniform(-5, 5), 0, 0);
            const Exits exits = exitsOf(row, phase);
            for (int e = 0; e < exits.count; ++e) {
                const Exit& exit = exits.exits[e];
                const double y = row.penetration(s, phase.side);
                double v = 0;
                double onEdge = s;
                if (isOnEdge(exit.kind)) {
                    onEdge = exit.kind == Exit::Kind::High  ? row.edgeHigh
                             : exit.kind == Exit::Kind::Low ? row.edgeLow
                                                            : row.edge(phase.side);
                    v = exit.kind == Exit::Kind::Low ? -1 : 1;
                } else {
                    const bool closing = exit.kind == Exit::Kind::Saturated || exit.kind == Exit::Kind::Unsaturated;
                    v = (closing ? 1 : -1) * phase.side * row.springForce(y) / row.d;
                    REQUIRE(exitValue(row, phase, exit.kind, s, v) == Approx(0).margin(1e-12));
                }
                REQUIRE(forceInPhase(row, phase, onEdge, v, 0) ==
                        Approx(forceInPhase(row, exit.next, onEdge, v, 0)).margin(1e-12));
            }
        }
    }
}

TEST_CASE("row law: what decides on an edge") {
    const HybridLaw gap = HybridLaw::from(ElastoGapLaw({.c = 1, .d = 1}));
    CHECK_FALSE(classify(gap, 0, 1, 0, 0).inContact());
    CHECK_FALSE(classify(gap, 0, 0, 0, 0).inContact());
    CHECK_FALSE(classify(gap, 0, 0, 1, 0).inContact());
    CHECK(classify(gap, 0, 0, -1, 0).mode == Mode::Clipped);
    CHECK(classify(gap, 0, -1, 0, 0).mode == Mode::Clipped);
    CHECK(classify(HybridLaw::from(ElastoGapLaw({.c = 1, .d = 0})), 0, -1, 0, 0).mode == Mode::Linear);

    const HybridLaw backlash = HybridLaw::from(ElastoBacklashLaw({.c = 1, .d = 1, .b = 2}));
    CHECK(classify(backlash, 1, 1, 0, 0) == Phase{Mode::Clipped, 1});
    CHECK(classify(backlash, -1, -1, 0, 0) == Phase{Mode::Clipped, -1});
    CHECK_FALSE(classify(backlash, 1, -1, 0, 0).inContact());
}

TEST_CASE("row law: what never acts") {
    CHECK(HybridLaw::from(ElastoGapLaw({.c = 0, .d = 5})).neverActs());
    CHECK(HybridLaw::from(ElastoGapLaw({.c = 0, .d = 0, .characteristic = GapCharacteristic::Linear})).neverActs());
    CHECK_FALSE(
        HybridLaw::from(ElastoGapLaw({.c = 0, .d = 5, .characteristic = GapCharacteristic::NoPull})).neverActs());
    CHECK_FALSE(HybridLaw::from(ElastoGapLaw({.c = 1, .d = 0})).neverActs());
    CHECK(HybridLaw::from(SpringDamperSeriesLaw({.c = 1, .d = 0})).neverActs());
    CHECK(HybridLaw::from(SpringDamperSeriesLaw({.c = 0, .d = 1})).neverActs());
    CHECK(exitsOf(HybridLaw::from(ElastoGapLaw({.c = 0, .d = 5})), Phase{}).count == 0);
}

TEST_CASE("row law: a damper in series without resistance takes up the length") {
    CHECK(innerState(HybridLaw::from(SpringDamperSeriesLaw({.c = 1, .d = 0, .s_unstretched = 0.25})), {}, 1, 7) == 0.75);
    CHECK(innerState(HybridLaw::from(SpringDamperSeriesLaw({.c = 0, .d = 0, .s_unstretched = 0.25})), {}, 1, 7) == 7);
    CHECK(innerState(HybridLaw::from(SpringDamperSeriesLaw({.c = 1, .d = 1, .s_unstretched = 0.25})), {}, 1, 7) == 7);
}
