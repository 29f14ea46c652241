#include <panels/typed_number.h>

#include <catch2/catch.hpp>

#include <numbers>
#include <string>

using elasto::panels::readTyped;

namespace {

struct Case {
    const char* text;
    const char* unit;
    double value;
};

}  // namespace

TEST_CASE("a typed number may have a unit, and is converted to the one that is asked for") {
    const Case cases[] = {
        {"1.5", "m", 1.5},
        {" +2e-3 ", "m", 2e-3},
        {"1200mm", "m", 1.2},
        {"1200 mm", "m", 1.2},
        {"3 cm", "m", 0.03},
        {"5 \u00b5m", "m", 5e-6},
        {"5um", "m", 5e-6},
        {"7 N/m", "N/m", 7},
        {"3 kN/mm", "N/m", 3e6},
        {"2kN/m", "N/m", 2e3},
        {"4 N.s/m", "N\u00b7s/m", 4},
        {"4 N\u00b7s/m", "N\u00b7s/m", 4},
        {"4 Ns/mm", "N\u00b7s/m", 4000},
        {"8 kNm/rad", "N\u00b7m/rad", 8000},
        {"1 Nm/deg", "N\u00b7m/rad", 180 / std::numbers::pi},
        {"90 deg", "rad", std::numbers::pi / 2},
        {"90\u00b0", "rad", std::numbers::pi / 2},
        {"30 rpm", "rad/s", std::numbers::pi},
        {"36 km/h", "m/s", 10},
        {"9.81 m/s2", "m/s\u00b2", 9.81},
        {"9.81m/s^2", "m/s\u00b2", 9.81},
        {"981 cm/s2", "m/s\u00b2", 9.81},
        {"981 cm/s^2", "m/s\u00b2", 9.81},
        {"1 kg/s", "N\u00b7s/m", 1},
        {"250 ms", "s", 0.25},
        {"0.24 kHz", "Hz", 240},
        {"7", "", 7},
    };
    for (const Case& one : cases) {
        INFO(one.text << " in " << one.unit);
        const auto typed = readTyped(one.text, one.unit);
        CHECK(typed.refusal.empty());
        REQUIRE(typed.value);
        CHECK(*typed.value == Approx(one.value).epsilon(1e-14));
    }
}

TEST_CASE("what is typed and is no number of that unit is refused in a sentence that quotes it") {
    const Case cases[] = {
        {"", "m", 0},          {"m", "m", 0},    {"1,5", "m", 0},   {"1.2.3", "m", 0},   {"12 kg", "m", 0},
        {"1 N/m/s", "m", 0},   {"nan", "m", 0},  {"inf", "m", 0},   {"1e999", "m", 0},   {"1e", "m", 0},
        {"5 furlong", "m", 0}, {"5 mm", "", 0},  {"3 m", "N/m", 0}, {"2 * 3", "m", 0},   {"5 m^", "m", 0},
        {"0x10", "m", 0},      {"5 /m", "m", 0}, {"--5", "m", 0},   {"5 m m", "N/m", 0}, {"1e3e3", "m", 0},
    };
    for (const Case& one : cases) {
        INFO(one.text << " in " << one.unit);
        const auto typed = readTyped(one.text, one.unit);
        CHECK_FALSE(typed.value);
        CHECK(typed.refusal.find("'" + std::string(one.text) + "'") != std::string::npos);
    }
}
