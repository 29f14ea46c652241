#include "random_states.h"

#include <elasto/elasto_backlash_law.h>
#include <elasto/elasto_gap_law.h>

#include <catch2/catch.hpp>

#include <algorithm>
#include <cmath>

using elasto::BacklashCharacteristic;
using elasto::ElastoBacklashLaw;
using elasto::ElastoBacklashParameters;
using elasto::ForceTerms;

namespace {

struct ModelicaBacklash {
    double tau;
    double lossPower;
};

/// The equations of Modelica's ElastoBacklash (limited = true) and ElastoBacklash2, written out per side.
ModelicaBacklash modelicaBacklash(const ElastoBacklashParameters& p, double phi_rel, double w_rel, bool limited) {
    const double phi_diff = phi_rel - p.phi_rel0;
    const double bMax = p.b / 2;
    const double bMin = -bMax;
    const double tau_d = p.d * w_rel;
    if (std::abs(p.b) <= 1e-10) {
        return {p.c * phi_diff + tau_d, tau_d * w_rel};
    }
    if (phi_diff > bMax) {
        const double tau_c = p.c * (phi_diff - bMax);
        if (tau_c + tau_d <= 0) {
            return {0, 0};
        }
        const double share = limited ? std::min(tau_c, tau_d) : tau_d;
        return {tau_c + share, share * w_rel};
    }
    if (phi_diff < bMin) {
        const double tau_c = p.c * (phi_diff - bMin);
        if (tau_c + tau_d >= 0) {
            return {0, 0};
        }
        const double share = limited ? std::max(tau_c, tau_d) : tau_d;
        return {tau_c + share, share * w_rel};
    }
    return {0, 0};
}

ElastoBacklashLaw lawOf(double b, BacklashCharacteristic characteristic = BacklashCharacteristic::BoundedDamper) {
    ElastoBacklashParameters p{.c = 100, .d = 2, .b = b, .phi_rel0 = 0.25};
    p.characteristic = characteristic;
    return ElastoBacklashLaw(p);
}

}  // namespace

TEST_CASE("ElastoBacklash and ElastoBacklash2 follow Modelica's equations") {
    const bool limited = GENERATE(true, false);
    const double b = GENERATE(0.0, 1e-10, 0.01, 0.5, 3.0);
    elasto::test::RandomStates random(3);
    int clipped = 0;
    for (int i = 0; i < 5000; ++i) {
        ElastoBacklashParameters p{.c = random.uniform(1, 1e3), .d = random.uniform(0, 50)};
        p.b = b;
        p.phi_rel0 = random.uniform(-7, 7);
        p.characteristic = limited ? BacklashCharacteristic::BoundedDamper : BacklashCharacteristic::NoPull;
        const ElastoBacklashLaw law(p);
        const double phi_rel = p.phi_rel0 + random.uniform(-1, 1) * (b + 0.1);
        const double w_rel = random.uniform(-10, 10);
        const ModelicaBacklash expected = modelicaBacklash(p, phi_rel, w_rel, limited);
        const double margin = 1e-12 * (p.c * (b + 1) + p.d * 10);
        const ForceTerms terms = law.evaluate(phi_rel, w_rel);
        REQUIRE(terms.f == Approx(expected.tau).margin(margin));
        REQUIRE(terms.f == Approx(terms.f_c + terms.f_d).margin(margin));
        REQUIRE(law.lossPower(phi_rel, w_rel) == Approx(expected.lossPower).margin(10 * margin));
        clipped += terms.contact && terms.f == 0 ? 1 : 0;
    }
    if (b > 1e-10) {
        CHECK(clipped > 100);
    } else {
        CHECK(clipped == 0);
    }
}

TEST_CASE("a backlash gives no torque within its play and at its edges") {
    const auto characteristic =
        GENERATE(BacklashCharacteristic::BoundedDamper, BacklashCharacteristic::NoPull, BacklashCharacteristic::Linear);
    const ElastoBacklashLaw law = lawOf(0.5, characteristic);
    for (const double phi_rel : {0.25, 0.0, 0.5, 0.125, 0.375}) {
        const ForceTerms terms = law.evaluate(phi_rel, 7);
        CHECK_FALSE(terms.contact);
        CHECK(terms.f == 0);
        CHECK(terms.f_d == 0);
        CHECK(terms.f_d2 == law.parameters().d * 7);  // Modelica's tau_d goes on within the play
        CHECK(law.storedEnergy(phi_rel) == 0);
        CHECK(law.lossPower(phi_rel, 7) == 0);
        CHECK(law.dissipatedPower(phi_rel, 7) == 0);
    }
    CHECK(law.evaluate(0.5 + 1e-15, 7).contact);
    CHECK(law.evaluate(-1e-15, -7).contact);
}

TEST_CASE("a backlash's torque is odd about phi_rel0") {
    const auto characteristic =
        GENERATE(BacklashCharacteristic::BoundedDamper, BacklashCharacteristic::NoPull, BacklashCharacteristic::Linear);
    const double b = GENERATE(0.0, 0.25, 1.0);
    const ElastoBacklashLaw law = lawOf(b, characteristic);
    for (int i = -40; i <= 40; ++i) {
        for (int k = -40; k <= 40; ++k) {
            // powers of two, so that 0.25 + x and 0.25 - x have no rounding
            const double x = i / 32.0;
            const double w_rel = k / 4.0;
            REQUIRE(law.evaluate(0.25 + x, w_rel).f == -law.evaluate(0.25 - x, -w_rel).f);
            REQUIRE(law.evaluate(0.25 + x, w_rel).contact == law.evaluate(0.25 - x, -w_rel).contact);
            REQUIRE(law.dissipatedPower(0.25 + x, w_rel) == law.dissipatedPower(0.25 - x, -w_rel));
            REQUIRE(law.storedEnergy(0.25 + x) == law.storedEnergy(0.25 - x));
        }
    }
}

TEST_CASE("each characteristic of a backlash has known values on its branches") {
    // 0.125 rad beyond the upper edge: tau_c = 12.5
    const double phi_rel = 0.625;
    const ElastoBacklashLaw bounded = lawOf(0.5);
    const ElastoBacklashLaw noPull = lawOf(0.5, BacklashCharacteristic::NoPull);
    const ElastoBacklashLaw linear = lawOf(0.5, BacklashCharacteristic::Linear);
    SECTION("approaching fast") {
        CHECK(bounded.evaluate(phi_rel, 10).f == 25);
        CHECK(noPull.evaluate(phi_rel, 10).f == 32.5);
        CHECK(linear.evaluate(phi_rel, 10).f == 32.5);
    }
    SECTION("slow, either way") {
        CHECK(bounded.evaluate(phi_rel, 2).f == 16.5);
        CHECK(bounded.evaluate(phi_rel, -2).f == 8.5);
        CHECK(noPull.evaluate(phi_rel, -2).f == 8.5);
    }
    SECTION("parting fast: only the linear one pulls") {
        CHECK(bounded.evaluate(phi_rel, -10).f == 0);
        CHECK(noPull.evaluate(phi_rel, -10).f == 0);
        CHECK(linear.evaluate(phi_rel, -10).f == -7.5);
        CHECK(bounded.evaluate(phi_rel, -10).contact);
    }
    SECTION("jump when contact starts") {
        CHECK(bounded.evaluate(0.5 + 1e-14, 10).f < 1e-11);
        CHECK(noPull.evaluate(0.5 + 1e-14, 10).f == Approx(20));
        CHECK(linear.evaluate(0.5 + 1e-14, 10).f == Approx(20));
    }
}

TEST_CASE("up to b = 1e-10 rad a backlash is a plain spring-damper, above it is not") {
    const auto characteristic =
        GENERATE(BacklashCharacteristic::BoundedDamper, BacklashCharacteristic::NoPull, BacklashCharacteristic::Linear);
    for (const double b : {0.0, 1e-11, 1e-10}) {
        const ElastoBacklashLaw law = lawOf(b, characteristic);
        CHECK(law.isPlainSpringDamper());
        // parting fast: a plain spring-damper pulls
        CHECK(law.evaluate(0.375, -10).f == 12.5 - 20);
        CHECK(law.evaluate(0.25, 3).f == 6);
        CHECK(law.evaluate(0.25, 3).contact);
        CHECK(law.storedEnergy(0.375) == 0.78125);
        CHECK(law.lossPower(0.375, -10) == 200);
        CHECK(law.dissipatedPower(0.375, -10) == 200);
    }
    const ElastoBacklashLaw law = lawOf(std::nextafter(1e-10, 1), characteristic);
    CHECK_FALSE(law.isPlainSpringDamper());
    CHECK_FALSE(law.evaluate(0.25, 3).contact);
    CHECK(law.evaluate(0.25, 3).f == 0);
}

TEST_CASE("lossPower and dissipatedPower differ exactly where the torque is clipped to zero") {
    const auto characteristic =
        GENERATE(BacklashCharacteristic::BoundedDamper, BacklashCharacteristic::NoPull, BacklashCharacteristic::Linear);
    const ElastoBacklashLaw law = lawOf(0.5, characteristic);
    int different = 0;
    for (int i = -80; i <= 80; ++i) {
        for (int k = -80; k <= 80; ++k) {
            const double phi_rel = 0.25 + i / 64.0;
            const double w_rel = k / 4.0;
            const ForceTerms terms = law.evaluate(phi_rel, w_rel);
            const bool clipped =
                characteristic != BacklashCharacteristic::Linear && terms.contact && terms.f == 0 && terms.f_c != 0;
            if (clipped) {
                REQUIRE(law.lossPower(phi_rel, w_rel) == 0);
                REQUIRE(law.dissipatedPower(phi_rel, w_rel) == -terms.f_c * w_rel);
                REQUIRE(law.dissipatedPower(phi_rel, w_rel) > 0);
                ++different;
            } else {
                REQUIRE(law.lossPower(phi_rel, w_rel) == law.dissipatedPower(phi_rel, w_rel));
            }
        }
    }
    CHECK((different > 0) == (characteristic != BacklashCharacteristic::Linear));
}

TEST_CASE("the upper side of an ElastoBacklash is the mirror image of an ElastoGap") {
    const elasto::ElastoGapLaw gap({.c = 100, .d = 2});
    const ElastoBacklashLaw backlash({.c = 100, .d = 2, .b = 0.5});
    for (int i = 1; i <= 64; ++i) {
        for (int k = -64; k <= 64; ++k) {
            REQUIRE(backlash.evaluate(0.25 + i / 64.0, k).f == -gap.evaluate(-i / 64.0, -k).f);
        }
    }
}

TEST_CASE("the initial characteristic has slope c/3 within 1.5 b/2 and is continuous and rising") {
    const ElastoBacklashLaw law = lawOf(0.5);
    CHECK(law.initialTorque(0.25) == 0);
    CHECK(law.initialTorque(0.25 + 0.1875) == Approx(100.0 / 3 * 0.1875).epsilon(1e-14));
    CHECK(law.initialTorque(0.25 - 0.1875) == Approx(-100.0 / 3 * 0.1875).epsilon(1e-14));
    // both branches give c b/4 at 3 b/4
    CHECK(law.initialTorque(0.25 + 0.375) == Approx(12.5).epsilon(1e-14));
    CHECK(law.initialTorque(0.25 + 0.375 + 1e-12) == Approx(12.5).epsilon(1e-11));
    // outside: the spring of the law itself
    CHECK(law.initialTorque(1.25) == Approx(law.evaluate(1.25, 0).f).epsilon(1e-14));
    CHECK(law.initialTorque(-0.75) == Approx(law.evaluate(-0.75, 0).f).epsilon(1e-14));
    for (int i = -999; i <= 1000; ++i) {
        const double slope = (law.initialTorque(0.25 + i * 1e-3) - law.initialTorque(0.25 + (i - 1) * 1e-3)) / 1e-3;
        REQUIRE(slope > 33.3);
        REQUIRE(slope < 100.1);
    }
}

TEST_CASE("initialAngle is the inverse of initialTorque") {
    const double b = GENERATE(0.0, 1e-10, 1e-3, 0.5);
    const ElastoBacklashLaw law = lawOf(b);
    elasto::test::RandomStates random(4);
    for (int i = 0; i < 2000; ++i) {
        const double tau = random.signedLog(1e-6, 1e4);
        REQUIRE(law.initialTorque(law.initialAngle(tau)) == Approx(tau).epsilon(1e-12).margin(1e-13 * 100));
        const double phi_rel = 0.25 + random.uniform(-2, 2) * (b + 0.01);
        REQUIRE(law.initialAngle(law.initialTorque(phi_rel)) == Approx(phi_rel).epsilon(0).margin(1e-14));
    }
    CHECK(law.initialAngle(0) == 0.25);
}
