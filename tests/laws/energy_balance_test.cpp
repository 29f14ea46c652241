// What goes into an element is either stored or lost: f v = d(storedEnergy)/dt + dissipatedPower, in every state of
// every law and characteristic, and nothing is ever gained: dissipatedPower >= 0.

#include "random_states.h"

#include <elasto/law.h>

#include <catch2/catch.hpp>

#include <cmath>
#include <vector>

using namespace elasto;

namespace {

std::vector<Law> lawsWithoutState() {
    std::vector<Law> laws;
    laws.emplace_back(SpringDamperLaw({.c = 40, .d = 3, .s_rel0 = 0.1}));
    laws.emplace_back(SpringDamperLaw({.c = 40, .d = 3, .s_rel0 = 0.1, .d_rebound = 7}));
    for (const double n : {1.0, 1.5, 2.0}) {
        laws.emplace_back(RopeLaw({.c = 40, .d = 3, .s_unstretched = 0.1, .n = n, .s_ref = 0.5}));
    }
    for (const auto characteristic :
         {GapCharacteristic::BoundedDamper, GapCharacteristic::Linear, GapCharacteristic::NoPull,
          GapCharacteristic::LankaraniNikravesh, GapCharacteristic::HuntCrossley}) {
        for (const double n : {1.0, 1.5, 2.0, 3.0}) {
            ElastoGapParameters p{.c = 40, .d = 3, .s_rel0 = 0.1};
            p.n = n;
            p.s_ref = 0.5;
            p.characteristic = characteristic;
            laws.emplace_back(ElastoGapLaw(p));
        }
    }
    for (const auto characteristic :
         {BacklashCharacteristic::BoundedDamper, BacklashCharacteristic::NoPull, BacklashCharacteristic::Linear}) {
        for (const double b : {0.0, 0.3}) {
            ElastoBacklashParameters p{.c = 40, .d = 3, .b = b, .phi_rel0 = 0.1};
            p.characteristic = characteristic;
            laws.emplace_back(ElastoBacklashLaw(p));
        }
    }
    return laws;
}

/// d(storedEnergy)/ds by Richardson's extrapolation of central differences.
double energySlope(const Law& law, double s) {
    const auto difference = [&](double h) {
        return (storedEnergy(law, s + h, 0) - storedEnergy(law, s - h, 0)) / (2 * h);
    };
    return (4 * difference(1e-4) - difference(2e-4)) / 3;
}

bool nearAnEdge(double s) {
    // the edges of the laws above: 0.1, 0.1 - 0.15, 0.1 + 0.15
    return std::abs(s - 0.1) < 1e-3 || std::abs(std::abs(s - 0.1) - 0.15) < 1e-3;
}

}  // namespace

TEST_CASE("the slope of the stored energy is the spring's force") {
    for (const Law& law : lawsWithoutState()) {
        for (double s = -1.0103; s < 1.2; s += 0.0217) {
            if (!nearAnEdge(s)) {
                REQUIRE(energySlope(law, s) == Approx(evaluate(law, s, 0, 0).f_c).margin(1e-8));
            }
        }
    }
}

TEST_CASE("dissipatedPower closes the energy balance and is never negative") {
    for (const Law& law : lawsWithoutState()) {
        test::RandomStates random(5);
        for (int i = 0; i < 3000; ++i) {
            const double s = random.uniform(-1, 1.2);
            const double v = random.signedLog(1e-3, 1e2);
            const double dissipated = dissipatedPower(law, s, v, 0);
            REQUIRE(dissipated >= 0);
            if (!nearAnEdge(s)) {
                const double taken = evaluate(law, s, v, 0).f * v;
                REQUIRE(taken == Approx(energySlope(law, s) * v + dissipated).margin(1e-7 * (1 + std::abs(v))));
            }
        }
    }
}

TEST_CASE("lossPower equals dissipatedPower for every law but a clipped backlash") {
    for (const Law& law : lawsWithoutState()) {
        test::RandomStates random(6);
        for (int i = 0; i < 3000; ++i) {
            const double s = random.uniform(-1, 1.2);
            const double v = random.signedLog(1e-3, 1e2);
            const ForceTerms terms = evaluate(law, s, v, 0);
            const bool clippedBacklash =
                std::holds_alternative<ElastoBacklashLaw>(law) && terms.contact && terms.f == 0 && terms.f_c != 0;
            if (!clippedBacklash) {
                REQUIRE(lossPower(law, s, v, 0) == dissipatedPower(law, s, v, 0));
            }
        }
    }
}

TEST_CASE("the series element's balance closes with the rate of its damper") {
    const SpringDamperSeriesLaw series({.c = 40, .d = 3, .s_unstretched = 0.2});
    const Law law(series);
    test::RandomStates random(7);
    for (int i = 0; i < 3000; ++i) {
        const double s = random.uniform(-1, 1);
        const double s_damper = random.uniform(-1, 1);
        const double v = random.signedLog(1e-3, 1e2);
        const double f = evaluate(law, s, v, s_damper).f;
        const double rate = series.damperRate(f);
        // the energy is quadratic, so that the central difference is exact but for rounding
        const double h = 1e-3 / (1 + std::abs(v) + std::abs(rate));
        const double stored =
            (storedEnergy(law, s + h * v, s_damper + h * rate) - storedEnergy(law, s - h * v, s_damper - h * rate)) /
            (2 * h);
        const double dissipated = dissipatedPower(law, s, v, s_damper);
        REQUIRE(dissipated >= 0);
        REQUIRE(dissipated == lossPower(law, s, v, s_damper));
        REQUIRE(f * v == Approx(stored + dissipated).epsilon(1e-8).margin(1e-6 * (1 + std::abs(v))));
    }
}

TEST_CASE("any law gives what the law in it gives") {
    const SpringDamperLaw springDamper({.c = 40, .d = 3});
    const ElastoGapLaw gap({.c = 40, .d = 3});
    const ElastoBacklashLaw backlash({.c = 40, .d = 3, .b = 0.1});
    const SpringDamperSeriesLaw series({.c = 40, .d = 3});
    const double s = -0.4;
    const double v = 0.7;
    const double s_damper = 0.3;
    CHECK(evaluate(Law(springDamper), s, v, s_damper).f == springDamper.evaluate(s, v).f);
    CHECK(evaluate(Law(gap), s, v, s_damper).f == gap.evaluate(s, v).f);
    CHECK(evaluate(Law(backlash), s, v, s_damper).f == backlash.evaluate(s, v).f);
    CHECK(evaluate(Law(series), s, v, s_damper).f == series.evaluate(s, s_damper).f);
    CHECK(storedEnergy(Law(gap), s, s_damper) == gap.storedEnergy(s));
    CHECK(storedEnergy(Law(series), s, s_damper) == series.storedEnergy(s, s_damper));
    CHECK(lossPower(Law(backlash), s, v, s_damper) == backlash.lossPower(s, v));
    CHECK(lossPower(Law(series), s, v, s_damper) == series.lossPower(s, s_damper));
    CHECK(dissipatedPower(Law(springDamper), s, v, s_damper) == springDamper.dissipatedPower(s, v));
    CHECK(dissipatedPower(Law(series), s, v, s_damper) == series.dissipatedPower(s, s_damper));
}
