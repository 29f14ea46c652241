// Every rule broken once; every message names the owner, the field, the value and the rule.

#include <elasto/elasto_backlash_law.h>
#include <elasto/elasto_gap_law.h>
#include <elasto/errors.h>
#include <elasto/heat_port.h>
#include <elasto/parameter_forms.h>
#include <elasto/spring_damper_law.h>
#include <elasto/spring_damper_series_law.h>

#include <catch2/catch.hpp>

#include <limits>
#include <string>

namespace validation_test {

using namespace elasto;

namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kInf = std::numeric_limits<double>::infinity();

/// The message of what construct() throws.
template <typename Construct>
std::string messageOf(Construct construct) {
    try {
        construct();
    } catch (const InvalidParameter& error) {
        return error.what();
    }
    return "nothing was thrown";
}

std::string gapMessage(ElastoGapParameters p) {
    return messageOf([&] { ElastoGapLaw law(p); });
}
std::string backlashMessage(ElastoBacklashParameters p) {
    return messageOf([&] { ElastoBacklashLaw law(p); });
}
std::string seriesMessage(SpringDamperSeriesParameters p) {
    return messageOf([&] { SpringDamperSeriesLaw law(p); });
}
std::string springDamperMessage(SpringDamperParameters p) {
    return messageOf([&] { SpringDamperLaw law(p); });
}

}  // namespace

TEST_CASE("numbers in messages have their shortest form that reads back as the same number") {
    CHECK(gapMessage({.c = 1, .d = 1, .n = 0.1}) == "ElastoGap: n = 0.1 is not allowed; n must be finite and >= 1");
    CHECK(gapMessage({.c = -1e-300, .d = 1}) == "ElastoGap: c = -1e-300 is not allowed; c must be finite and >= 0");
    const double oneThird = 1.0 / 3;
    CHECK(gapMessage({.c = 1, .d = 1, .n = oneThird}).find("n = 0.3333333333333333 ") != std::string::npos);
}

TEST_CASE("an ElastoGap refuses bad parameters and says which and why") {
    CHECK(gapMessage({.c = -1, .d = 1}) == "ElastoGap: c = -1 is not allowed; c must be finite and >= 0");
    CHECK(gapMessage({.c = kInf, .d = 1}) == "ElastoGap: c = inf is not allowed; c must be finite and >= 0");
    CHECK(gapMessage({.c = 1, .d = -2}) == "ElastoGap: d = -2 is not allowed; d must be finite and >= 0");
    CHECK(gapMessage({.c = 1, .d = kInf}) == "ElastoGap: d = inf is not allowed; d must be finite and >= 0");
    CHECK(gapMessage({.c = 1, .d = 1, .s_rel0 = kNan}) ==
          "ElastoGap: s_rel0 = nan is not allowed; s_rel0 must be finite");
    CHECK(gapMessage({.c = 1, .d = 1, .s_rel0 = -kInf}) ==
          "ElastoGap: s_rel0 = -inf is not allowed; s_rel0 must be finite");
    for (const double n : {0.999, 0.0, -1.0, kNan, kInf}) {
        CHECK(gapMessage({.c = 1, .d = 1, .n = n}).find(" is not allowed; n must be finite and >= 1") !=
              std::string::npos);
    }
    for (const double s_ref : {0.0, -1.0, kNan, kInf}) {
        CHECK(gapMessage({.c = 1, .d = 1, .s_ref = s_ref}).find(" is not allowed; s_ref must be finite and > 0") !=
              std::string::npos);
    }
    CHECK(gapMessage({.c = 1, .d = 1, .characteristic = static_cast<GapCharacteristic>(9)}) ==
          "ElastoGap: characteristic = 9 is not allowed; characteristic must be one of the values of "
          "GapCharacteristic");
}

TEST_CASE("laws refuse parameters whose products would overflow") {
    CHECK(gapMessage({.c = 1e300, .d = 1}) == "ElastoGap: c = 1e+300 is not allowed; c must be within -1e+60 .. 1e+60");
    CHECK(gapMessage({.c = 1, .d = 1e300}) == "ElastoGap: d = 1e+300 is not allowed; d must be within -1e+60 .. 1e+60");
    CHECK(gapMessage({.c = 1, .d = 1, .s_rel0 = -1e61}).find("s_rel0 = -1e+61 is not allowed") != std::string::npos);
    CHECK(gapMessage({.c = 1, .d = 1, .n = 1e61}).find("n = 1e+61 is not allowed") != std::string::npos);
    CHECK(gapMessage({.c = 1, .d = 1, .s_ref = 1e61}).find("s_ref = 1e+61 is not allowed") != std::string::npos);
    CHECK(backlashMessage({.c = 1e61, .d = 0}).find("c = 1e+61 is not allowed") != std::string::npos);
    CHECK(backlashMessage({.c = 1, .d = 0, .b = 1e61}).find("b = 1e+61 is not allowed") != std::string::npos);
    CHECK(seriesMessage({.c = 1, .d = 1e61}).find("d = 1e+61 is not allowed") != std::string::npos);
    CHECK(springDamperMessage({.c = 1, .d = 1, .s_rel0 = 1e61}).find("s_rel0 = 1e+61") != std::string::npos);
    CHECK(gapMessage({.c = 1e60, .d = 1e60}) == "nothing was thrown");
}

TEST_CASE("an ElastoGap refuses a reference compression that makes its force overflow") {
    CHECK(gapMessage({.c = 1e6, .d = 5, .n = 3, .s_ref = 1e-300}) ==
          "ElastoGap: s_ref = 1e-300 is not allowed; s_ref must be so large that c s_ref^(1 - n) is finite and "
          "c s_ref^2 > 0 with c = 1e+06, d = 5, n = 3");
    CHECK(gapMessage({.c = 1e6, .d = 5, .n = 1.5, .s_ref = 1e-170}).find("c s_ref^2 > 0") != std::string::npos);
    CHECK(
        gapMessage({.c = 1e6, .d = 5, .n = 3, .s_ref = 1e-120, .characteristic = GapCharacteristic::LankaraniNikravesh})
            .find("d s_ref^(-n) is finite") != std::string::npos);
    // It cancels out, or is far from overflow.
    CHECK(gapMessage({.c = 1e6, .d = 5, .n = 1, .s_ref = 1e-300}) == "nothing was thrown");
    CHECK(gapMessage({.c = 1e6, .d = 5, .n = 100, .s_ref = 1e-3}) == "nothing was thrown");
}

TEST_CASE("the problem of a message is what follows its owner") {
    try {
        ElastoGapLaw law({.c = -1, .d = 1}, "stop: left");
        FAIL("nothing was thrown");
    } catch (const InvalidParameter& refused) {
        CHECK(std::string(refused.problem()) == "c = -1 is not allowed; c must be finite and >= 0");
    }
}

TEST_CASE("an ElastoGap without c or d says so and proposes Modelica's start values") {
    CHECK(gapMessage({}) ==
          "ElastoGap: c was not given (or is not a number); it must be finite and >= 0; "
          "Modelica's start value is c = 1");
    CHECK(gapMessage({.c = 5}) ==
          "ElastoGap: d was not given (or is not a number); it must be finite and >= 0; "
          "Modelica's start value is d = 1");
}

TEST_CASE("an ElastoBacklash refuses bad parameters and says which and why") {
    CHECK(backlashMessage({}) ==
          "ElastoBacklash: c was not given (or is not a number); it must be finite and > 0; "
          "Modelica's start value is c = 1e5");
    CHECK(backlashMessage({.c = 5}) ==
          "ElastoBacklash: d was not given (or is not a number); it must be finite and "
          ">= 0; Modelica's start value is d = 0");
    CHECK(backlashMessage({.c = 0, .d = 0}) == "ElastoBacklash: c = 0 is not allowed; c must be finite and > 0");
    CHECK(backlashMessage({.c = -7, .d = 0}) == "ElastoBacklash: c = -7 is not allowed; c must be finite and > 0");
    CHECK(backlashMessage({.c = kInf, .d = 0}) == "ElastoBacklash: c = inf is not allowed; c must be finite and > 0");
    CHECK(backlashMessage({.c = 1, .d = -0.5}) == "ElastoBacklash: d = -0.5 is not allowed; d must be finite and >= 0");
    for (const double b : {-1e-12, kNan, kInf}) {
        CHECK(backlashMessage({.c = 1, .d = 0, .b = b}).find(" is not allowed; b must be finite and >= 0") !=
              std::string::npos);
    }
    CHECK(backlashMessage({.c = 1, .d = 0, .phi_rel0 = kNan}) ==
          "ElastoBacklash: phi_rel0 = nan is not allowed; phi_rel0 must be finite");
    CHECK(backlashMessage({.c = 1, .d = 0, .characteristic = static_cast<BacklashCharacteristic>(-1)}) ==
          "ElastoBacklash: characteristic = -1 is not allowed; characteristic must be one of the values of "
          "BacklashCharacteristic");
}

TEST_CASE("a SpringDamperSeries refuses bad parameters and says which and why") {
    CHECK(seriesMessage({}) == "SpringDamperSeries: c was not given (or is not a number); it must be finite and >= 0");
    CHECK(seriesMessage({.c = 1}) ==
          "SpringDamperSeries: d was not given (or is not a number); it must be finite and >= 0");
    CHECK(seriesMessage({.c = -1, .d = 1}) == "SpringDamperSeries: c = -1 is not allowed; c must be finite and >= 0");
    CHECK(seriesMessage({.c = 1, .d = kInf}) ==
          "SpringDamperSeries: d = inf is not allowed; d must be finite and >= 0");
    CHECK(seriesMessage({.c = 1, .d = 1, .s_unstretched = kNan}) ==
          "SpringDamperSeries: s_unstretched = nan is not allowed; s_unstretched must be finite");
    CHECK(seriesMessage({.c = 1, .d = 1, .s_damper_start = kInf}) ==
          "SpringDamperSeries: s_damper_start = inf is not allowed; s_damper_start must be finite");
}

TEST_CASE("a spring-damper refuses bad parameters and says which and why") {
    CHECK(springDamperMessage({}) == "SpringDamper: c was not given (or is not a number); it must be finite and >= 0");
    CHECK(springDamperMessage({.c = 1}) ==
          "SpringDamper: d was not given (or is not a number); it must be finite and >= 0");
    CHECK(springDamperMessage({.c = -1, .d = 1}) == "SpringDamper: c = -1 is not allowed; c must be finite and >= 0");
    CHECK(springDamperMessage({.c = 1, .d = -1}) == "SpringDamper: d = -1 is not allowed; d must be finite and >= 0");
    CHECK(springDamperMessage({.c = 1, .d = 1, .s_rel0 = kInf}) ==
          "SpringDamper: s_rel0 = inf is not allowed; s_rel0 must be finite");
}

TEST_CASE("a message names the owner it was given") {
    CHECK(messageOf([] { SpringDamperLaw law({.c = -1, .d = 0}, "Spring 'front left'"); }) ==
          "Spring 'front left': c = -1 is not allowed; c must be finite and >= 0");
    CHECK(messageOf([] { ElastoGapLaw law({.c = -1, .d = 0}, "stop"); }).rfind("stop: c = -1", 0) == 0);
    CHECK(messageOf([] { ElastoBacklashLaw law({.c = -1, .d = 0}, "gear"); }).rfind("gear: c = -1", 0) == 0);
    CHECK(messageOf([] { SpringDamperSeriesLaw law({.c = -1, .d = 0}, "series"); }).rfind("series: c = -1", 0) == 0);
}

TEST_CASE("a heat port refuses bad parameters and says which and why") {
    for (const double bad : {0.0, -1.0, kNan, kInf}) {
        CHECK(messageOf([&] { HeatPort port(bad, 300); }).find(" is not allowed; conductance must be finite and > 0") !=
              std::string::npos);
        CHECK(messageOf([&] {
                  HeatPort port(20, bad);
              }).find(" is not allowed; ambientTemperature must be finite and > 0") != std::string::npos);
        HeatPort port;
        CHECK(messageOf([&] { port.addTick(1, bad, 1); }).find(" is not allowed; h must be finite and > 0") !=
              std::string::npos);
        CHECK(port.energy() == 0);
    }
}

TEST_CASE("the other parameter forms refuse bad values and say which and why") {
    CHECK(messageOf([] { constantsFromFrequency(0, 0.1, 1); }) ==
          "constantsFromFrequency: frequency = 0 is not allowed; frequency must be finite and > 0");
    CHECK(messageOf([] { constantsFromFrequency(5, -0.1, 1); }) ==
          "constantsFromFrequency: dampingRatio = -0.1 is not allowed; dampingRatio must be finite and >= 0");
    CHECK(messageOf([] { constantsFromFrequency(5, 0.1, kInf); }) ==
          "constantsFromFrequency: mass = inf is not allowed; mass must be finite and > 0");
    CHECK(messageOf([] { constantsFromFrequency(1e200, 0, 1); }) ==
          "constantsFromFrequency: these values lead to c = inf, d = 0, which is out of range; "
          "check their units (Hz, s, kg)");
    for (const double restitution : {0.0, -0.5, 9e-7, 1.0000001, kNan, kInf}) {
        CHECK(messageOf([&] { constantsFromRestitution(restitution, 0.01, 1); })
                  .find(" is not allowed; restitution must be in [1e-06, 1]: 1 is d = 0, and 0 is a limit that no "
                        "finite damping reaches") != std::string::npos);
    }
    CHECK(messageOf([] { constantsFromRestitution(0.5, 0, 1); }) ==
          "constantsFromRestitution: contactTime = 0 is not allowed; contactTime must be finite and > 0");
    CHECK(messageOf([] { constantsFromRestitution(0.5, 0.01, -1); }) ==
          "constantsFromRestitution: mass = -1 is not allowed; mass must be finite and > 0");
    CHECK(messageOf([] { constantsFromRestitution(0.5, 1e-200, 1); }).find("out of range") != std::string::npos);
    CHECK(messageOf([] {
              constantsFromRestitution(0.5, 0.01, 1, GapCharacteristic::LankaraniNikravesh);
          }).find("depends on the speed") != std::string::npos);
    CHECK(messageOf([] {
              impactOf({1, 1}, 1, GapCharacteristic::LankaraniNikravesh);
          }).find("depends on the speed") != std::string::npos);
    CHECK(messageOf([] { impactOf({0, 1}, 1); }) == "impactOf: c = 0 is not allowed; c must be finite and > 0");
    CHECK(messageOf([] { impactOf({1, -1}, 1); }) == "impactOf: d = -1 is not allowed; d must be finite and >= 0");
    CHECK(messageOf([] {
              oscillationOf({1, 1}, 0);
          }) == "oscillationOf: mass = 0 is not allowed; mass must be finite and > 0");
    CHECK(messageOf([] { impactOf({1e-300, 1e300}, 1e-300); }).find("damping ratio") != std::string::npos);
    CHECK(messageOf([] { effectiveMass(0, 1); }).find("effectiveMass: m_a = 0 is not allowed") == 0);
    CHECK(messageOf([] { effectiveMass(1, kNan); }).find("effectiveMass: m_b = nan is not allowed") == 0);
    CHECK(messageOf([] { effectiveMass(kInf, kInf); }).find("both infinite") != std::string::npos);
}

}  // namespace validation_test
