#include <panels/axis.h>

#include <catch2/catch.hpp>
#include <cmath>
#include <limits>

using namespace elasto::panels;

TEST_CASE("ticks are multiples of 1, 2 or 5 and cover the axis") {
    for (const double scale : {1e-9, 3e-4, 0.7, 1., 42., 6e8}) {
        for (const double low : {-3., -1., 0., 0.37}) {
            for (int most = 2; most <= 12; ++most) {
                const Interval visible{low * scale, (low + 1.3) * scale};
                const Ticks ticks(visible, most);
                INFO("low " << visible.low << " high " << visible.high << " most " << most);
                REQUIRE(ticks.step() > 0);
                const double mantissa = ticks.step() / std::pow(10., std::floor(std::log10(ticks.step()) + 1e-9));
                CHECK(
                    (std::abs(mantissa - 1) < 1e-6 || std::abs(mantissa - 2) < 1e-6 || std::abs(mantissa - 5) < 1e-6));
                CHECK(ticks.values().size() <= static_cast<std::size_t>(most) + 1);
                for (const double value : ticks.values()) {
                    CHECK(value >= visible.low - 1e-6 * ticks.step());
                    CHECK(value <= visible.high + 1e-6 * ticks.step());
                    CHECK(std::abs(std::remainder(value, ticks.step())) < 1e-6 * ticks.step());
                }
                // None is missing at either end.
                if (!ticks.values().empty()) {
                    CHECK(ticks.values().front() - visible.low < ticks.step());
                    CHECK(visible.high - ticks.values().back() < ticks.step());
                }
            }
        }
    }
}

TEST_CASE("an axis without extent has no ticks") {
    const double infinite = std::numeric_limits<double>::infinity();
    for (const Interval visible : {Interval{1, 1}, Interval{2, 1}, Interval{0, infinite}, Interval{std::nan(""), 1},
                                   Interval{1, std::nextafter(1., 2.)}}) {
        CHECK(Ticks(visible, 5).values().empty());
        CHECK(Ticks(visible, 5).step() == 0);
    }
}

TEST_CASE("an axis is written with one prefix") {
    const AxisScale lengths({"s_rel", "m"}, {0, 0.004}, 0.001);
    CHECK(lengths.title() == "s_rel [mm]");
    CHECK(lengths.label(0.003) == "3");
    CHECK(lengths.label(-0.) == "0");
    CHECK(lengths.reading(0.0031234) == "3.123 mm");
    CHECK(lengths.reading(5009.51) == "5.010 km");  // a baseline that flew away

    const AxisScale forces({"f", "N"}, {-25000, 0}, 5000);
    CHECK(forces.title() == "f [kN]");
    CHECK(forces.label(-15000) == "-15");

    const AxisScale times({"time", "s"}, {0, 120}, 20);
    CHECK(times.title() == "time [s]");
    CHECK(times.label(100) == "100");

    const AxisScale plain({"error", ""}, {0, 0.02}, 0.005);
    CHECK(plain.title() == "error");
    CHECK(plain.label(0.005) == "0.005");
    CHECK(plain.reading(0.0051) == "0.005100");
}

TEST_CASE("a narrow part far from zero is written relative to an offset") {
    const Interval visible{12.3456781, 12.3456789};
    const Ticks ticks(visible, 5);
    const AxisScale scale({"time", "s"}, visible, ticks.step());
    CHECK(scale.offset() == Approx(12.345678).epsilon(1e-12));
    CHECK(scale.unit() == "ns");
    CHECK(scale.title() == "time [ns] + 12.345678 s");
    CHECK(scale.label(scale.offset() + 2e-7) == "200");
}

TEST_CASE("values are written with unit and prefix") {
    CHECK(withUnit(1250, "N") == "1.250 kN");
    CHECK(withUnit(-0.0031, "m") == "-3.100 mm");
    CHECK(withUnit(0, "N") == "0 N");
    CHECK(withUnit(1e-20, "J", 1e-15) == "0 J");
    CHECK(withUnit(999.9999999, "N") == "1.000 kN");
    CHECK(withUnit(5000, "s") == "5000 s");
    CHECK(withUnit(293.15, "K") == "293.1 K");
    CHECK(withUnit(std::nan(""), "N") == "-");
    CHECK(withUnit(0.25, "-") == "0.2500");
    CHECK(withUnit(0.25, "") == "0.2500");
}

TEST_CASE("a reading has the prefix that fits it, and the digits that its axis tells apart") {
    const AxisScale lengths({"s_rel", "m"}, {0, 0.06}, 0.02);
    CHECK(lengths.unit() == "mm");
    for (const double value : {0.036, -1.267, 4.2e-5, 0.0, 2.5e-18}) {
        // The same text as in all other panels.
        CHECK(lengths.reading(value) == withUnit(value, "m", kNoise));
    }
    CHECK(lengths.reading(-1.267) == "-1.267 m");
    CHECK(lengths.reading(4.2e-5) == "42.00 \u00b5m");
    CHECK(lengths.reading(-2.5e-18) == "0 m");
    const AxisScale narrow({"s_rel", "m"}, {0.11922, 0.11923}, 2e-6);
    CHECK(narrow.reading(0.1192223) == "119.2223 mm");
    CHECK(AxisScale({"f", "N"}, {-2000, 0}, 500).reading(-119.4) == "-119.4 N");
    CHECK(withUnit(1.2114, "", 0, 2) == "1.2");
    CHECK(withUnit(std::numeric_limits<double>::infinity(), "N") == "-");
}
