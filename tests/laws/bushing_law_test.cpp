#include "random_states.h"

#include <elasto/errors.h>
#include <elasto/law.h>

#include <catch2/catch.hpp>

#include <algorithm>
#include <cmath>

using namespace elasto;
using elasto::test::RandomStates;

namespace {

const BushingParameters kParameters = {.c = 40, .d = 3, .c_slip = 200, .f_slip = 10, .s_rel0 = 0.1};

/// The inner state after the coordinate has gone from where it was to s: der(s_slip) = v while |h| = f_slip, h v > 0.
double slippedAt(double s, double s_slip) {
    const double reach = kParameters.f_slip / kParameters.c_slip;
    return std::clamp(s_slip, s - kParameters.s_rel0 - reach, s - kParameters.s_rel0 + reach);
}

}  // namespace

TEST_CASE("a bushing's friction is a spring until it gives way, and a constant force from then on") {
    const BushingLaw law(kParameters);
    CHECK(law.evaluate(0.1, 0, 0).f == 0);
    CHECK(law.evaluate(0.12, 0, 0).f == Approx(240 * 0.02));
    CHECK(law.evaluate(0.3, 0, 0).f == Approx(40 * 0.2 + 10));
    CHECK(law.evaluate(-0.3, 0, 0).f == Approx(-40 * 0.4 - 10));
    CHECK(law.evaluate(0.3, 2, 0).f == Approx(40 * 0.2 + 10 + 6));
    CHECK(law.evaluate(0.3, 2, 0).f_d == Approx(6));
    CHECK(law.evaluate(0.1, 0, 0.02).f == Approx(-200 * 0.02));
    CHECK(law.evaluate(0.1, 0, 0.02).contact);
}

TEST_CASE("what goes into a bushing is stored or lost, and nothing is gained") {
    const BushingLaw law(kParameters);
    RandomStates random(7);
    for (int i = 0; i < 2000; ++i) {
        const double s = random.uniform(-0.5, 0.5), v = random.uniform(-3, 3);
        const double z = slippedAt(s, random.uniform(-0.5, 0.5));
        const double h = 1e-7;
        const double next = slippedAt(s + h * v, z), last = slippedAt(s - h * v, z);
        // In the direction of time: what slips has slipped.
        const double stored = (law.storedEnergy(s + h * v, next) - law.storedEnergy(s, z)) / h;
        CAPTURE(s, v, z, last);
        const double lost = law.dissipatedPower(s, v, z);
        const double given = law.evaluate(s, v, z).f * v;
        const double stiffest = 240 * v * v * h + 1e-6;
        if (std::abs(next - z) > 0 && lost < 10 * std::abs(v)) continue;  // it begins to slip within h
        CHECK(given == Approx(stored + lost).margin(stiffest));
        CHECK(lost >= 3 * v * v);
    }
}

TEST_CASE("a bushing without friction is a spring-damper") {
    for (const auto& [c_slip, f_slip] : {std::pair(0., 10.), std::pair(200., 0.)}) {
        const BushingLaw law({.c = 40, .d = 3, .c_slip = c_slip, .f_slip = f_slip, .s_rel0 = 0.1});
        const SpringDamperLaw spring({.c = 40, .d = 3, .s_rel0 = 0.1});
        CHECK(law.reduced() == spring.reduced());
        CHECK(law.evaluate(0.4, -1, 0.2).f == Approx(spring.evaluate(0.4, -1).f));
        CHECK(law.storedEnergy(0.4, 0.2) == Approx(spring.storedEnergy(0.4)));
        CHECK(law.lossPower(0.4, -1, 0.2) == Approx(spring.lossPower(0.4, -1)));
    }
}

TEST_CASE("a bushing's parameters are refused by name") {
    const auto refusal = [](const BushingParameters& parameters) {
        try {
            BushingLaw law(parameters);
        } catch (const InvalidParameter& refused) {
            return std::string(refused.what());
        }
        return std::string();
    };
    CHECK(refusal({}) == "Bushing: c was not given (or is not a number); it must be finite and >= 0");
    CHECK(refusal({.c = 1, .d = 0, .c_slip = -1}) ==
          "Bushing: c_slip = -1 is not allowed; c_slip must be finite and >= 0");
    CHECK(refusal({.c = 1, .d = 0, .f_slip = NAN}) ==
          "Bushing: f_slip = nan is not allowed; f_slip must be finite and >= 0");
    CHECK(refusal({.c = 1, .d = 0, .s_slip_start = 1e70}).find("s_slip_start") != std::string::npos);
    CHECK(refusal(kParameters).empty());
}
