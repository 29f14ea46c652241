// Which of the characteristics that Modelica's documentation discusses pull, and which jump: (1) the linear one does
// both, (2) no pull still jumps, (3) the bounded damper does neither, (4) Lankarani-Nikravesh pulls.

#include <elasto/elasto_gap_law.h>

#include <catch2/catch.hpp>

#include <algorithm>
#include <cmath>

using elasto::ElastoGapLaw;
using elasto::ElastoGapParameters;
using elasto::GapCharacteristic;

namespace {

ElastoGapLaw lawOf(GapCharacteristic characteristic, double n = 1) {
    ElastoGapParameters p{.c = 100, .d = 20, .s_rel0 = 0.5};
    p.n = n;
    p.s_ref = 0.1;
    p.characteristic = characteristic;
    return ElastoGapLaw(p);
}

/// Largest pulling force over the whole half-plane of contact that is looked at.
double largestPull(const ElastoGapLaw& law) {
    double pull = 0;
    for (int i = 1; i <= 200; ++i) {
        for (int k = -200; k <= 200; ++k) {
            pull = std::max(pull, law.evaluate(0.5 - 0.001 * i, 0.1 * k).f);
        }
    }
    return pull;
}

/// Force just inside the edge minus the force at the edge, which is 0.
double jumpAtEdge(const ElastoGapLaw& law, double v_rel) {
    return std::abs(law.evaluate(0.5 - 1e-12, v_rel).f - law.evaluate(0.5, v_rel).f);
}

}  // namespace

TEST_CASE("characteristic 1, linear, jumps when contact starts and pulls when it ends") {
    const ElastoGapLaw law = lawOf(GapCharacteristic::Linear);
    CHECK(jumpAtEdge(law, -3) == Approx(60));
    CHECK(jumpAtEdge(law, 3) == Approx(60));
    // 20 * 20 m/s - 100 * 0.001 m
    CHECK(largestPull(law) == Approx(399.9));
    CHECK(law.evaluate(0.4, 1).f == Approx(-10 + 20));
}

TEST_CASE("characteristic 2, no pull, jumps when contact starts and does not pull") {
    const ElastoGapLaw law = lawOf(GapCharacteristic::NoPull);
    CHECK(jumpAtEdge(law, -3) == Approx(60));
    CHECK(jumpAtEdge(law, 3) == 0);
    CHECK(largestPull(law) == 0);
    CHECK(law.evaluate(0.4, 1).f == 0);
    CHECK(law.evaluate(0.4, 0.25).f == Approx(-10 + 5));
}

TEST_CASE("characteristic 3, the bounded damper, neither jumps nor pulls") {
    const double n = GENERATE(1.0, 1.5, 3.0);
    const ElastoGapLaw law = lawOf(GapCharacteristic::BoundedDamper, n);
    CHECK(jumpAtEdge(law, -3) < 1e-9);
    CHECK(jumpAtEdge(law, 3) < 1e-9);
    CHECK(largestPull(law) == 0);
}

TEST_CASE("characteristic 4, Lankarani-Nikravesh, does not jump but pulls above v_rel = c s_ref / d") {
    const double n = GENERATE(1.0, 1.5, 3.0);
    const ElastoGapLaw law = lawOf(GapCharacteristic::LankaraniNikravesh, n);
    CHECK(jumpAtEdge(law, -3) < 1e-9);
    CHECK(jumpAtEdge(law, 3) < 1e-9);
    CHECK(largestPull(law) > 1);
    // c s_ref / d = 0.5 m/s, at any penetration
    for (const double penetration : {0.01, 0.1, 0.3}) {
        CHECK(law.evaluate(0.5 - penetration, 0.499).f < 0);
        CHECK(law.evaluate(0.5 - penetration, 0.501).f > 0);
    }
    // f = -c s_ref (x/s_ref)^n + d (x/s_ref)^n v_rel at x = 0.3 m
    CHECK(law.evaluate(0.2, -2).f == Approx(std::pow(3.0, n) * (-10 - 40)).epsilon(1e-13));
}

TEST_CASE("the bounded damper's force changes continuously across its limits, the linear one's also") {
    const double step = 1e-9;
    const ElastoGapLaw law = lawOf(GapCharacteristic::BoundedDamper);
    for (int i = 1; i <= 50; ++i) {
        const double s_rel = 0.5 - 0.004 * i;
        for (int k = -100; k <= 100; ++k) {
            const double v_rel = 0.02 * k;
            const double change = std::abs(law.evaluate(s_rel + step, v_rel + step).f - law.evaluate(s_rel, v_rel).f);
            // |df| <= 2 c |ds| + d |dv|
            REQUIRE(change <= (2 * 100 + 20) * step * 1.001);
        }
    }
}

TEST_CASE("without damping all characteristics are the same spring") {
    for (const double s_rel : {0.45, 0.2, -0.3, 0.5, 0.7}) {
        ElastoGapParameters p{.c = 100, .d = 0, .s_rel0 = 0.5};
        p.n = 1.5;
        const double expected = ElastoGapLaw(p).evaluate(s_rel, 3).f;
        for (const auto characteristic :
             {GapCharacteristic::Linear, GapCharacteristic::NoPull, GapCharacteristic::LankaraniNikravesh}) {
            p.characteristic = characteristic;
            CHECK(ElastoGapLaw(p).evaluate(s_rel, 3).f == expected);
        }
    }
}
