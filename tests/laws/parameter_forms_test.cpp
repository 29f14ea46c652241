#include "random_states.h"

#include <elasto/elasto_backlash_law.h>
#include <elasto/parameter_forms.h>
#include <elasto/spring_damper_law.h>

#include <catch2/catch.hpp>

#include <cmath>
#include <limits>
#include <numbers>

using namespace elasto;

namespace {

constexpr double kInf = std::numeric_limits<double>::infinity();

struct Flight {
    double x;
    double v;
};

/// One step of the classical Runge-Kutta method.
template <typename Acceleration>
Flight flyOn(const Acceleration& a, const Flight& from, double h) {
    const double v1 = from.v;
    const double a1 = a(from.x, v1);
    const double v2 = from.v + h / 2 * a1;
    const double a2 = a(from.x + h / 2 * v1, v2);
    const double v3 = from.v + h / 2 * a2;
    const double a3 = a(from.x + h / 2 * v2, v3);
    const double v4 = from.v + h * a3;
    const double a4 = a(from.x + h * v3, v4);
    return {from.x + h / 6 * (v1 + 2 * v2 + 2 * v3 + v4), from.v + h / 6 * (a1 + 2 * a2 + 2 * a3 + a4)};
}

/// Throws a mass at a force law and integrates its flight with small steps until it leaves again.
/// force(x, v) acts on the mass, which starts at the edge x = 0 with v = -speed; x < 0 is penetration.
template <typename Force>
Impact integrateImpact(Force force, double mass, double speed, double step) {
    const auto acceleration = [&](double x, double v) { return force(x, v) / mass; };
    // Just inside the edge, so that a law which jumps there acts from the first instant.
    Flight flight{-std::numeric_limits<double>::min(), -speed};
    double contactTime = 0;
    for (long i = 0;; ++i) {
        const double time = static_cast<double>(i) * step;
        const Flight next = flyOn(acceleration, flight, step);
        if (next.x < 0) {
            flight = next;
            contactTime = force(flight.x, flight.v) != 0 ? time + step : contactTime;
            continue;
        }
        // Halve the last step until it ends at the edge.
        double inside = 0;
        double outside = step;
        for (int halving = 0; halving < 60; ++halving) {
            const double middle = (inside + outside) / 2;
            (flyOn(acceleration, flight, middle).x < 0 ? inside : outside) = middle;
        }
        return {flyOn(acceleration, flight, inside).v / speed, contactTime, time + inside};
    }
}

Impact integrateGap(const SpringDamperConstants& constants, double mass, GapCharacteristic characteristic, double speed,
                    double step) {
    const ElastoGapLaw law({.c = constants.c, .d = constants.d, .characteristic = characteristic});
    return integrateImpact([&](double x, double v) { return -law.evaluate(x, v).f; }, mass, speed, step);
}

}  // namespace

TEST_CASE("effectiveMass is that of the relative motion") {
    CHECK(effectiveMass(2, 2) == 1);
    CHECK(effectiveMass(3, 6) == Approx(2).epsilon(1e-15));
    CHECK(effectiveMass(6, 3) == effectiveMass(3, 6));
    CHECK(effectiveMass(0.2, kInf) == 0.2);
    CHECK(effectiveMass(kInf, 0.2) == 0.2);
    CHECK(effectiveMass(1e-310, 1e300) == 1e-310);
}

TEST_CASE("constantsFromFrequency gives the spring-damper that oscillates as stated") {
    const double frequency = 2.5;
    const double zeta = 0.1;
    const double mass = 0.4;
    const SpringDamperConstants constants = constantsFromFrequency(frequency, zeta, mass);
    const SpringDamperLaw law({.c = constants.c, .d = constants.d});
    // The analytical free oscillation must satisfy m s'' + f = 0 at any time.
    const double w0 = 2 * std::numbers::pi * frequency;
    const double wd = w0 * std::sqrt(1 - zeta * zeta);
    for (double t = 0; t < 1; t += 0.013) {
        const double decay = std::exp(-zeta * w0 * t);
        const double cosine = std::cos(wd * t);
        const double sine = std::sin(wd * t);
        const double s = decay * cosine;
        const double v = decay * (-zeta * w0 * cosine - wd * sine);
        const double a = decay * ((zeta * zeta * w0 * w0 - wd * wd) * cosine + 2 * zeta * w0 * wd * sine);
        REQUIRE(mass * a + law.evaluate(s, v).f == Approx(0).margin(1e-12 * constants.c));
    }
}

TEST_CASE("oscillationOf is the inverse of constantsFromFrequency") {
    test::RandomStates random(8);
    for (int i = 0; i < 500; ++i) {
        const double frequency = std::abs(random.signedLog(1e-3, 1e6));
        const double zeta = std::abs(random.signedLog(1e-6, 1e3));
        const double mass = std::abs(random.signedLog(1e-6, 1e6));
        const Oscillation back = oscillationOf(constantsFromFrequency(frequency, zeta, mass), mass);
        REQUIRE(back.frequency == Approx(frequency).epsilon(1e-14));
        REQUIRE(back.dampingRatio == Approx(zeta).epsilon(1e-14));
    }
    CHECK(constantsFromFrequency(3, 0, 1).d == 0);
}

TEST_CASE("a mass rebounds from an ElastoGap with the restitution and after the contact time that were asked for",
          "[slow]") {
    const auto characteristic =
        GENERATE(GapCharacteristic::BoundedDamper, GapCharacteristic::NoPull, GapCharacteristic::Linear);
    const double restitution = GENERATE(1.0, 0.999, 0.9, 0.6, 0.35, 0.3, 0.1, 0.01);
    const double contactTime = 0.02;
    const double mass = 0.2;
    const SpringDamperConstants constants = constantsFromRestitution(restitution, contactTime, mass, characteristic);
    const double step = contactTime / 50000;
    // The linear law ends with a jump, inside the last step of the test's integrator: first order in the step there.
    const double tolerance = characteristic == GapCharacteristic::Linear ? 5e-5 : 1e-6;
    for (const double speed : {0.01, 7.0}) {
        const Impact measured = integrateGap(constants, mass, characteristic, speed, step);
        CHECK(measured.restitution == Approx(restitution).epsilon(tolerance));
        CHECK(measured.contactTime == Approx(contactTime).epsilon(1e-4));
        const Impact predicted = impactOf(constants, mass, characteristic);
        CHECK(predicted.restitution == Approx(restitution).epsilon(1e-13));
        CHECK(predicted.contactTime == Approx(contactTime).epsilon(1e-13));
        CHECK(measured.penetrationTime == Approx(predicted.penetrationTime).epsilon(1e-5));
    }
}

TEST_CASE("impactOf agrees with integration below, at and above critical damping") {
    const auto characteristic = GENERATE(GapCharacteristic::BoundedDamper, GapCharacteristic::NoPull);
    const double zeta = GENERATE(0.0, 1e-3, 0.3, 0.5, 1 / std::numbers::sqrt2, 0.999999999, 1.0, 1.000000001, 1.5, 5.0);
    const double mass = 3;
    const SpringDamperConstants constants = constantsFromFrequency(10, zeta, mass);
    const Impact predicted = impactOf(constants, mass, characteristic);
    const Impact measured = integrateGap(constants, mass, characteristic, 2, predicted.contactTime / 50000);
    CHECK(measured.restitution == Approx(predicted.restitution).epsilon(1e-6));
    CHECK(measured.contactTime == Approx(predicted.contactTime).epsilon(1e-4));
    CHECK(measured.penetrationTime == Approx(predicted.penetrationTime).epsilon(1e-5));
}

TEST_CASE("an ElastoBacklash rebounds like the ElastoGap it was computed for") {
    const SpringDamperConstants constants = constantsFromRestitution(0.4, 0.01, 0.05);
    const ElastoBacklashLaw law({.c = constants.c, .d = constants.d, .b = 0.2});
    const auto torque = [&](double x, double v) { return -law.evaluate(-0.1 + x, v).f; };
    const Impact measured = integrateImpact(torque, 0.05, 3, 0.01 / 50000);
    CHECK(measured.restitution == Approx(0.4).epsilon(1e-6));
    CHECK(measured.contactTime == Approx(0.01).epsilon(1e-4));
}

TEST_CASE("restitution falls strictly with damping, down to the stated limits") {
    double last = 1.0000001;
    for (double zeta = 0; zeta < 100; zeta = zeta * 1.05 + 1e-3) {
        const double restitution = impactOf(constantsFromFrequency(1, zeta, 1), 1).restitution;
        REQUIRE(restitution < last);
        REQUIRE(restitution > 0);
        last = restitution;
    }
    const auto strong = constantsFromFrequency(1, 1e6, 1);
    CHECK(impactOf(strong, 1).restitution == Approx(1 / (2 * std::numbers::sqrt2 * 1e6)).epsilon(1e-9));
    CHECK(impactOf(strong, 1, GapCharacteristic::NoPull).restitution == Approx(1 / (4 * 1e12)).epsilon(1e-9));
    const Impact stuck = impactOf(constantsFromFrequency(1, 1, 1), 1, GapCharacteristic::Linear);
    CHECK(stuck.restitution == 0);
    CHECK(stuck.contactTime == kInf);
}

TEST_CASE("the ends of the range of restitution work") {
    const auto characteristic =
        GENERATE(GapCharacteristic::BoundedDamper, GapCharacteristic::NoPull, GapCharacteristic::Linear);
    CHECK(constantsFromRestitution(1, 0.1, 2, characteristic).d == 0);
    // without damping: half a period
    CHECK(constantsFromRestitution(1, 0.1, 2, characteristic).c ==
          Approx(2 * std::pow(std::numbers::pi / 0.1, 2)).epsilon(1e-14));
    const SpringDamperConstants soft = constantsFromRestitution(kSmallestRestitution, 0.1, 2, characteristic);
    CHECK(impactOf(soft, 2, characteristic).restitution == Approx(kSmallestRestitution).epsilon(1e-9));
    const SpringDamperConstants hard = constantsFromRestitution(1 - 1e-12, 0.1, 2, characteristic);
    CHECK(hard.d > 0);
    CHECK(1 - impactOf(hard, 2, characteristic).restitution == Approx(1e-12).epsilon(1e-3));
}

TEST_CASE("restitution and damping of a Hunt-Crossley gap are each other's inverse") {
    CHECK(restitutionAt(2, {100, 0}) == 1);
    CHECK(dampingForRestitution(1, 2, 100) == 0);
    double last = 1;
    for (const double d : {1e-6, 1e-3, 0.006, 0.03, 1., 10., 1e3, 1e5}) {
        const double e = restitutionAt(2, {100, d}, 0.5);
        CAPTURE(d, e);
        CHECK(e < last);
        CHECK(e > 0);
        last = e;
        // 1 - e has the digits that e has left.
        CHECK(dampingForRestitution(std::max(e, kSmallestRestitution), 2, 100, 0.5) ==
              Approx(d).epsilon(1e-8 + 1e-15 / (1 - e)));
        // The time that passes is another matter: only the product of damping and speed counts.
        CHECK(restitutionAt(20, {100, d / 10}, 0.5) == Approx(e).epsilon(1e-12));
    }
    // For weak damping, as Hunt and Crossley give it: e = 1 - a v, a = 2 d / (3 c s_ref).
    CHECK(restitutionAt(1, {1000, 1.5}) == Approx(1 - 0.001).epsilon(1e-6));
    CHECK_THROWS_AS(restitutionAt(0, {100, 1}), InvalidParameter);
    CHECK_THROWS_AS(restitutionAt(1, {0, 1}), InvalidParameter);
    CHECK_THROWS_AS(dampingForRestitution(0, 1, 100), InvalidParameter);
    CHECK_THROWS_AS(dampingForRestitution(1.1, 1, 100), InvalidParameter);
}
