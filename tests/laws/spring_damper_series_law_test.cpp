#include <elasto/spring_damper_series_law.h>

#include <catch2/catch.hpp>

#include <cmath>

using elasto::ForceTerms;
using elasto::SpringDamperSeriesLaw;

TEST_CASE("spring and damper in series carry the same force") {
    const SpringDamperSeriesLaw law({.c = 50, .d = 4, .s_unstretched = 0.5});
    const ForceTerms terms = law.evaluate(1.25, 0.25);
    CHECK(terms.f == 25);
    CHECK(terms.f_c == 25);
    CHECK(terms.f_d == 25);
    CHECK(terms.contact);
    CHECK(law.damperRate(25) == 6.25);
    CHECK(law.storedEnergy(1.25, 0.25) == 6.25);
    CHECK(law.lossPower(1.25, 0.25) == 25 * 6.25);
    CHECK(law.dissipatedPower(1.25, 0.25) == 25 * 6.25);
    CHECK(law.evaluate(0.5, 0.25).f == -12.5);
    CHECK(law.damperRate(-12.5) == -3.125);
    CHECK(law.lossPower(0.5, 0.25) > 0);
}

TEST_CASE("a held series element relaxes with the time constant d/c and turns its spring's energy into heat") {
    const SpringDamperSeriesLaw law({.c = 50, .d = 4});
    const double s = 1;
    const double h = 1e-5;
    double s_damper = 0;
    double heat = 0;
    for (int i = 0; i < 8000; ++i) {
        // implicit midpoint rule: exact in energy for a linear element
        const double rate = law.damperRate(law.evaluate(s, s_damper).f) / (1 + 0.5 * h * 50 / 4);
        heat += h * law.dissipatedPower(s, s_damper + 0.5 * h * rate);
        s_damper += h * rate;
    }
    // after one time constant of 0.08 s
    CHECK(s_damper == Approx(1 - std::exp(-1)).epsilon(1e-8));
    CHECK(heat + law.storedEnergy(s, s_damper) == Approx(law.storedEnergy(s, 0)).epsilon(1e-12));
}

TEST_CASE("c = 0 and d = 0 mean no force in a series element") {
    const SpringDamperSeriesLaw noSpring({.c = 0, .d = 4});
    CHECK(noSpring.evaluate(3, 1).f == 0);
    CHECK(noSpring.storedEnergy(3, 1) == 0);
    CHECK(noSpring.lossPower(3, 1) == 0);
    CHECK(noSpring.damperRate(noSpring.evaluate(3, 1).f) == 0);

    const SpringDamperSeriesLaw noDamper({.c = 50, .d = 0});
    CHECK(noDamper.evaluate(3, 1).f == 0);
    CHECK(noDamper.storedEnergy(3, 1) == 0);
    CHECK(noDamper.lossPower(3, 1) == 0);
    CHECK(noDamper.damperRate(0) == 0);

    const SpringDamperSeriesLaw neither({.c = 0, .d = 0});
    CHECK(neither.evaluate(3, 1).f == 0);
    CHECK(neither.damperRate(0) == 0);
}
