#include "random_states.h"

#include <elasto/elasto_gap_law.h>

#include <catch2/catch.hpp>

#include <cmath>
#include <limits>

using elasto::ElastoGapLaw;
using elasto::ElastoGapParameters;
using elasto::ForceTerms;
using elasto::GapCharacteristic;

namespace {

/// Modelica's equations, written in their order and with their names.
ForceTerms modelicaElastoGap(const ElastoGapParameters& p, double s_rel, double v_rel) {
    ForceTerms terms;
    terms.contact = s_rel < p.s_rel0;
    const double f_ref = p.c * p.s_ref;
    const double ratio = (s_rel - p.s_rel0) / p.s_ref;
    terms.f_c = terms.contact ? -f_ref * std::exp(p.n * std::log(std::abs(ratio))) : 0;
    terms.f_d2 = terms.contact ? p.d * v_rel : 0;
    if (terms.contact) {
        if (terms.f_d2 < terms.f_c) {
            terms.f_d = terms.f_c;
        } else if (terms.f_d2 > -terms.f_c) {
            terms.f_d = -terms.f_c;
        } else {
            terms.f_d = terms.f_d2;
        }
    }
    terms.f = terms.f_c + terms.f_d;
    return terms;
}

}  // namespace

TEST_CASE("an ElastoGap follows Modelica's equations") {
    elasto::test::RandomStates random(1);
    const double n = GENERATE(1.0, 1.5, 2.0, 3.0, 2.7);
    const double s_ref = GENERATE(1.0, 0.001, 20.0);
    int states = 0;
    int clippedApproaching = 0;
    int slack = 0;
    while (states < 2000) {
        ElastoGapParameters p{.c = random.uniform(0, 100), .d = random.uniform(0, 20)};
        p.s_rel0 = random.uniform(-2, 2);
        p.n = n;
        p.s_ref = s_ref;
        const double s_rel = p.s_rel0 + random.uniform(-1.5, 0.5) * s_ref;
        const double v_rel = random.uniform(-10, 10) * s_ref;
        const ElastoGapLaw law(p);
        const ForceTerms terms = law.evaluate(s_rel, v_rel);
        const ForceTerms expected = modelicaElastoGap(p, s_rel, v_rel);
        const double scale = 1e-12 * (1 + std::abs(expected.f_c));
        REQUIRE(terms.contact == expected.contact);
        REQUIRE(terms.f_c == Approx(expected.f_c).margin(scale));
        REQUIRE(terms.f_d == Approx(expected.f_d).margin(scale));
        REQUIRE(terms.f_d2 == expected.f_d2);
        REQUIRE(terms.f == Approx(expected.f).margin(2 * scale));
        REQUIRE(terms.f <= 0);
        REQUIRE(terms.f >= 2 * terms.f_c);
        REQUIRE(law.lossPower(s_rel, v_rel) == terms.f_d * v_rel);
        clippedApproaching += expected.contact && expected.f_d == expected.f_c ? 1 : 0;
        slack += expected.contact && expected.f_d == -expected.f_c ? 1 : 0;
        ++states;
    }
    // The states must have met all branches.
    CHECK(clippedApproaching > 50);
    CHECK(slack > 50);
}

TEST_CASE("contact is s_rel < s_rel0, not at equality") {
    const ElastoGapLaw law({.c = 100, .d = 20, .s_rel0 = -0.02});
    CHECK_FALSE(law.evaluate(-0.02, -5).contact);
    CHECK(law.evaluate(-0.02, -5).f == 0);
    CHECK(law.evaluate(-0.02, -5).f_d2 == 0);
    CHECK(law.storedEnergy(-0.02) == 0);
    CHECK(law.evaluate(std::nextafter(-0.02, -1), -5).contact);
    CHECK_FALSE(law.evaluate(1e300, 1e300).contact);
}

TEST_CASE("an ElastoGap has known values on each of its branches") {
    const ElastoGapLaw law({.c = 8, .d = 2, .s_rel0 = 1});
    SECTION("approaching fast: the damper is limited to the spring's force") {
        const ForceTerms terms = law.evaluate(0.5, -10);
        CHECK(terms.f_c == -4);
        CHECK(terms.f_d2 == -20);
        CHECK(terms.f_d == -4);
        CHECK(terms.f == -8);
        CHECK(law.lossPower(0.5, -10) == 40);
    }
    SECTION("approaching slowly: plain spring and damper") {
        CHECK(law.evaluate(0.5, -1).f == -6);
        CHECK(law.lossPower(0.5, -1) == 2);
    }
    SECTION("parting slowly: plain spring and damper") {
        CHECK(law.evaluate(0.5, 1).f == -2);
    }
    SECTION("parting fast: no force, although the contact flag still stands") {
        const ForceTerms terms = law.evaluate(0.5, 10);
        CHECK(terms.contact);
        CHECK(terms.f == 0);
        CHECK(terms.f_d == 4);
        CHECK(law.lossPower(0.5, 10) == 40);
    }
    SECTION("at the limits both branches agree") {
        CHECK(law.evaluate(0.5, -2).f == -8);
        CHECK(law.evaluate(0.5, 2).f == 0);
    }
}

TEST_CASE("the spring's force is c s_ref at a compression of s_ref, for every n") {
    const double n = GENERATE(1.0, 1.5, 2.0, 3.0, 7.25);
    const ElastoGapLaw law({.c = 1e6, .d = 0, .s_rel0 = 0, .n = n, .s_ref = 0.25});
    CHECK(law.evaluate(-0.25, 0).f == -250000);
    // twice the compression: 2^n times the force
    CHECK(law.evaluate(-0.5, 0).f == Approx(-250000 * std::pow(2, n)).epsilon(1e-15));
}

TEST_CASE("with n = 1 s_ref does not matter, to the last bit") {
    elasto::test::RandomStates random(2);
    for (int i = 0; i < 1000; ++i) {
        const double c = random.uniform(1, 1e6);
        const double s_rel = random.uniform(-1, 0);
        const double v_rel = random.uniform(-1, 1);
        const ElastoGapLaw one({.c = c, .d = 3, .s_ref = 1});
        const ElastoGapLaw other({.c = c, .d = 3, .s_ref = 0.37});
        REQUIRE(one.evaluate(s_rel, v_rel).f == other.evaluate(s_rel, v_rel).f);
        REQUIRE(one.storedEnergy(s_rel) == other.storedEnergy(s_rel));
    }
}

TEST_CASE("c = 0 or d = 0 are legal and do what the equations say") {
    const auto characteristic = GENERATE(GapCharacteristic::BoundedDamper, GapCharacteristic::NoPull);
    CHECK(ElastoGapLaw({.c = 0, .d = 5, .characteristic = GapCharacteristic::BoundedDamper}).evaluate(-1, -3).f == 0);
    CHECK(ElastoGapLaw({.c = 0, .d = 5, .characteristic = GapCharacteristic::NoPull}).evaluate(-1, -3).f == -15);
    CHECK(ElastoGapLaw({.c = 0, .d = 5, .characteristic = characteristic}).evaluate(-1, 3).f == 0);
    CHECK(ElastoGapLaw({.c = 0, .d = 5, .characteristic = characteristic}).storedEnergy(-1) == 0);
    CHECK(ElastoGapLaw({.c = 4, .d = 0, .characteristic = characteristic}).evaluate(-1, -3).f == -4);
    CHECK(ElastoGapLaw({.c = 4, .d = 0, .characteristic = characteristic}).dissipatedPower(-1, -3) == 0);
}

TEST_CASE("the energy in an ElastoGap's spring is the integral of its force") {
    const double n = GENERATE(1.0, 1.5, 2.0, 3.0);
    const double s_ref = GENERATE(1.0, 0.01);
    const ElastoGapLaw law({.c = 500, .d = 0, .s_rel0 = 0.1, .n = n, .s_ref = s_ref});
    // Simpson's rule from the edge to a compression of 2 s_ref; substituting y = t^2 keeps n = 1.5 smooth at the edge.
    const int intervals = 2000;
    const double end = std::sqrt(2 * s_ref);
    double work = 0;
    for (int i = 0; i <= intervals; ++i) {
        const double t = end * i / intervals;
        const double weight = i == 0 || i == intervals ? 1 : i % 2 == 1 ? 4 : 2;
        work += weight * -law.evaluate(0.1 - t * t, 0).f * 2 * t;
    }
    work *= end / intervals / 3;
    CHECK(law.storedEnergy(0.1 - 2 * s_ref) == Approx(work).epsilon(1e-9));
}
