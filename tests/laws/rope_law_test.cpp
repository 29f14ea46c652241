#include "random_states.h"

#include <elasto/errors.h>
#include <elasto/law.h>

#include <catch2/catch.hpp>

#include <algorithm>
#include <cmath>

using namespace elasto;
using elasto::test::RandomStates;

TEST_CASE("a rope pulls with f = f_c + f_d where it is taut, and gives nothing where it is slack") {
    const RopeLaw law({.c = 40, .d = 3, .s_unstretched = 2});
    CHECK(law.evaluate(2.5, 0).f == 20);
    CHECK(law.evaluate(2.5, 0).contact);
    CHECK(law.evaluate(2.5, 4).f == 32);
    CHECK(law.evaluate(2.5, 100).f == 40);  // the damper gives no more than the spring
    CHECK(law.evaluate(2.5, -4).f == 8);
    CHECK(law.evaluate(2.5, -100).f == 0);  // it never pushes
    CHECK(law.evaluate(2.5, -100).f_d2 == -300);
    CHECK(law.evaluate(1.9, -3).f == 0);
    CHECK(law.evaluate(1.9, 3).f == 0);
    CHECK_FALSE(law.evaluate(2, 3).contact);
    CHECK(law.storedEnergy(2.5) == 5);
    CHECK(law.storedEnergy(1) == 0);
    CHECK(law.lossPower(2.5, -100) == 2000);
}

TEST_CASE("a rope is a gap with its flanges exchanged") {
    const double n = GENERATE(1., 1.5, 2.);
    const RopeLaw rope({.c = 40, .d = 3, .s_unstretched = 0.3, .n = n, .s_ref = 0.2});
    const ElastoGapLaw gap({.c = 40, .d = 3, .s_rel0 = -0.3, .n = n, .s_ref = 0.2});
    RandomStates random(3);
    for (int i = 0; i < 1000; ++i) {
        const double s = random.uniform(-1, 1), v = random.signedLog(1e-3, 1e2);
        CHECK(rope.evaluate(s, v).f == -gap.evaluate(-s, -v).f);
        CHECK(rope.evaluate(s, v).f >= 0);
        CHECK(rope.storedEnergy(s) == gap.storedEnergy(-s));
        CHECK(rope.lossPower(s, v) == gap.lossPower(-s, -v));
    }
}

TEST_CASE("the force of a rope goes no further than f_max, and what is beyond slips") {
    const double n = GENERATE(1., 1.5);
    const RopeLaw law({.c = 40, .d = 3, .s_unstretched = 2, .n = n, .f_max = 10});
    const double y = n == 1 ? 10. / 40 : std::pow(10. / 40, 1 / n);  // stretch at which the spring has f_max
    CHECK(law.evaluate(2 + y, 0, 0).f == Approx(10));
    CHECK(law.evaluate(3, 0, 0).f == Approx(10));
    CHECK(law.evaluate(3, 5, 0).f == Approx(10));
    CHECK(law.evaluate(3, 5, 0).f_d == Approx(0).margin(1e-12));
    CHECK(law.evaluate(2 + y, 0, 0.5).f == 0);  // half a metre has slipped
    CHECK(law.evaluate(2.5 + y, 0, 0.5).f == Approx(10));
    CHECK(law.storedEnergy(3, 0) == Approx(law.storedEnergy(2 + y, 0)));
    CHECK(law.lossPower(3, 5, 0) == Approx(50));  // all of f v is heat
    CHECK(law.lossPower(3, -0.1, 0) == Approx(0.03));
    const double half = law.evaluate(2 + y / 2, 0, 0).f_c;
    CHECK(law.evaluate(2 + y / 2, 100, 0).f == Approx(std::min(2 * half, 10.)));
    RandomStates random(4);
    for (int i = 0; i < 1000; ++i) {
        const double f = law.evaluate(random.uniform(1, 4), random.signedLog(1e-3, 1e2), random.uniform(0, 1)).f;
        CHECK(f >= 0);
        CHECK(f <= 10);
    }
}

TEST_CASE("without a limit what has slipped does not matter") {
    const RopeLaw law({.c = 40, .d = 3, .s_unstretched = 2});
    CHECK(law.evaluate(2.5, 1, 0.4).f == law.evaluate(2.5, 1, 0).f);
    CHECK(law.reduced().f_max == std::numeric_limits<double>::infinity());
    CHECK_FALSE(law.isLimited());
    CHECK(RopeLaw({.c = 40, .d = 3, .f_max = 5}).isLimited());
}

TEST_CASE("a rope's parameters are refused by name") {
    const auto refusal = [](const RopeParameters& parameters) {
        try {
            RopeLaw law(parameters);
        } catch (const InvalidParameter& refused) {
            return std::string(refused.what());
        }
        return std::string();
    };
    CHECK(refusal({}) == "Rope: c was not given (or is not a number); it must be finite and >= 0");
    CHECK(refusal({.c = 1, .d = -1}) == "Rope: d = -1 is not allowed; d must be finite and >= 0");
    CHECK(refusal({.c = 1, .d = 0, .n = 0.5}) == "Rope: n = 0.5 is not allowed; n must be finite and >= 1");
    CHECK(refusal({.c = 1, .d = 0, .f_max = 0}) == "Rope: f_max = 0 is not allowed; f_max must be finite and > 0");
    CHECK(refusal({.c = 1, .d = 0, .n = 2, .s_ref = 1e-300}).find("so large that c s_ref^(1 - n)") !=
          std::string::npos);
    CHECK(refusal({.c = 1, .d = 0}).empty());
}
