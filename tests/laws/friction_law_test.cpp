#include <elasto/errors.h>
#include <elasto/law.h>
#include <catch2/catch.hpp>

#include <cmath>
#include <string>

using namespace elasto;

namespace {

const FrictionParameters kFriction = {.F_Coulomb = 5, .F_prop = 1, .F_Stribeck = 10, .fexp = 2, .peak = 1.001};

}  // namespace

TEST_CASE("friction that slides follows Modelica's curve") {
    const FrictionLaw law(kFriction);
    const double slides = FrictionLaw::kSlides + 1;
    for (const double v : {0.01, 0.4, 3.}) {
        const double f = 5 + v + 10 * std::exp(-2 * v);
        CHECK(law.evaluate(0.3, v, slides).f == Approx(f));
        CHECK(law.evaluate(0.3, -v, -slides).f == Approx(-f));
        CHECK(law.evaluate(0.3, v, FrictionLaw::kSlides + 0.25).f == Approx(0.25 * f));
        CHECK(law.lossPower(0.3, -v, -slides) == Approx(f * v));
        CHECK(law.dissipatedPower(0.3, v, slides) == Approx(f * v));
        CHECK_FALSE(law.evaluate(0.3, v, slides).contact);
    }
    CHECK(law.sliding(0) == 15);
}

TEST_CASE("friction that sticks has the force that it was found to have") {
    const FrictionLaw law(kFriction);
    CHECK(law.largest() == Approx(15.015));
    const ForceTerms terms = law.evaluate(0.3, 0, -0.5);
    CHECK(terms.f == Approx(-7.5075));
    CHECK(terms.contact);
    CHECK(terms.f_c == 0);
    CHECK(terms.f_d == terms.f);
    CHECK(law.lossPower(0.3, 0, -0.5) == 0);
    CHECK(law.storedEnergy(0.3, 0.5) == 0);
}

TEST_CASE("parameters that no friction has are refused") {
    const auto refusal = [](const FrictionParameters& parameters) {
        try {
            FrictionLaw law(parameters);
        } catch (const InvalidParameter& error) {
            return std::string(error.what());
        }
        return std::string("taken");
    };
    CHECK(refusal({}) == "SupportFriction: F_Coulomb was not given (or is not a number); it must be finite and >= 0");
    CHECK(refusal({.F_Coulomb = 1, .fexp = -1}) ==
          "SupportFriction: fexp = -1 is not allowed; fexp must be finite and >= 0");
    CHECK(refusal({.F_Coulomb = 1, .peak = 0.9}) ==
          "SupportFriction: peak = 0.9 is not allowed; peak must be finite and >= 1");
}
