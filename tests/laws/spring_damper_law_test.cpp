#include <elasto/spring_damper_law.h>

#include <catch2/catch.hpp>

using elasto::ForceTerms;
using elasto::SpringDamperLaw;

TEST_CASE("a spring-damper follows f = c (s_rel - s_rel0) + d v_rel") {
    const SpringDamperLaw law({.c = 10, .d = 1.5, .s_rel0 = 1});
    // 10 * (0.75 - 1) + 1.5 * 2, all of it exact in binary
    const ForceTerms terms = law.evaluate(0.75, 2);
    CHECK(terms.f_c == -2.5);
    CHECK(terms.f_d == 3);
    CHECK(terms.f_d2 == 3);
    CHECK(terms.f == 0.5);
    CHECK(terms.contact);
    CHECK(law.storedEnergy(0.75) == 0.3125);
    CHECK(law.lossPower(0.75, 2) == 6);
    CHECK(law.dissipatedPower(0.75, 2) == 6);
}

TEST_CASE("a spring-damper pulls when it is stretched and pushes when it is compressed") {
    const SpringDamperLaw law({.c = 8, .d = 0, .s_rel0 = -0.5});
    CHECK(law.evaluate(0.5, 0).f == 8);
    CHECK(law.evaluate(-1.5, 0).f == -8);
    CHECK(law.evaluate(-0.5, 0).f == 0);
}

TEST_CASE("without d it is a spring, without c a damper, without both nothing") {
    CHECK(SpringDamperLaw({.c = 3, .d = 0}).evaluate(2, 5).f == 6);
    CHECK(SpringDamperLaw({.c = 3, .d = 0}).lossPower(2, 5) == 0);
    CHECK(SpringDamperLaw({.c = 0, .d = 3}).evaluate(2, 5).f == 15);
    CHECK(SpringDamperLaw({.c = 0, .d = 3}).storedEnergy(2) == 0);
    CHECK(SpringDamperLaw({.c = 0, .d = 0}).evaluate(2, 5).f == 0);
}

TEST_CASE("a shock absorber has d in compression and d_rebound in rebound") {
    const SpringDamperLaw law({.c = 10, .d = 2, .s_rel0 = 1, .d_rebound = 5});
    CHECK(law.evaluate(1, -3).f == -6);
    CHECK(law.evaluate(1, 3).f == 15);
    CHECK(law.evaluate(1.5, 3).f == 20);
    CHECK(law.evaluate(1, 0).f == 0);
    CHECK(law.lossPower(1, -3) == 18);
    CHECK(law.lossPower(1, 3) == 45);
    CHECK(law.reduced().hasRebound);
}

TEST_CASE("without d_rebound, and with the same one, a damper is the same both ways") {
    const SpringDamperLaw plain({.c = 10, .d = 2});
    CHECK(plain.evaluate(0, 3).f == 6);
    CHECK(plain.reduced() == SpringDamperLaw({.c = 10, .d = 2, .d_rebound = 2}).reduced());
    CHECK_FALSE(plain.reduced().hasRebound);
}
