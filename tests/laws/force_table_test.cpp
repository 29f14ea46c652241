#include "random_states.h"

#include <elasto/errors.h>
#include <elasto/law.h>

#include <catch2/catch.hpp>

#include <cmath>
#include <limits>
#include <string>

using namespace elasto;
using elasto::test::RandomStates;

namespace {

/// A jounce bumper as its data sheet gives it: soft at first, then as hard as its mount.
ForceTable bumper() {
    return ForceTable({{0, 0}, {0.01, 150}, {0.02, 400}, {0.03, 900}, {0.04, 2500}, {0.045, 5200}, {0.05, 12000}});
}

std::string refusal(std::vector<ForceTable::Point> points) {
    try {
        ForceTable table(std::move(points), "BumpStop 'stop'");
    } catch (const InvalidParameter& refused) {
        return refused.what();
    }
    return {};
}

}  // namespace

TEST_CASE("a force table goes through its points and rises everywhere") {
    const ForceTable table = bumper();
    for (const auto& [travel, force] : table.points()) CHECK(table.force(travel) == Approx(force));
    double last = -1, steepest = 0;
    for (double x = 0; x < 0.07; x += 1e-5) {
        CHECK(table.force(x) > last);
        last = table.force(x);
        steepest = std::max(steepest, table.slope(x));
        CHECK(table.force(-x) == -table.force(x));
    }
    CHECK(table.largestSlope() == Approx(steepest).epsilon(1e-4));
    // Beyond the last point it is a line.
    CHECK(table.force(0.07) - table.force(0.06) == Approx(0.01 * table.slope(0.05)));
}

TEST_CASE("a force table's slope and energy are derivative and integral of its force") {
    const ForceTable table = bumper();
    const double h = 1e-7;
    double sum = 0;
    for (int i = 0; i < 6000; ++i) {
        const double x = (i + 0.5) * 1e-5;
        CHECK(table.slope(x) == Approx((table.force(x + h) - table.force(x - h)) / (2 * h)).epsilon(1e-5));
        sum += 1e-5 * table.force(x);
        CHECK(table.energy(x + 0.5e-5) == Approx(sum).epsilon(1e-5).margin(1e-9));
    }
    CHECK(table.energy(-0.02) == table.energy(0.02));
}

TEST_CASE("a force table has the slopes of Fritsch and Butland") {
    // An oleo strut: secants of 4e4, 8e4 and 28e4 N/m. Between steps of one width the slope is their harmonic mean.
    const ForceTable strut({{0, 0}, {0.1, 4000}, {0.2, 12000}, {0.3, 40000}});
    CHECK(strut.slope(0) == Approx((3 * 4e4 - 8e4) / 2));
    CHECK(strut.slope(0.1) == Approx(2 * 4e4 * 8e4 / 12e4));
    CHECK(strut.slope(0.2) == Approx(2 * 8e4 * 28e4 / 36e4));
    CHECK(strut.slope(0.3) == Approx((3 * 28e4 - 8e4) / 2));
    // It bears a tonne 0.180597 m down (the same cubics by scipy); with Fritsch and Carlson's slopes it would be
    // 0.185969.
    CHECK(strut.force(1 - 0.819403) == Approx(9806.65).margin(0.1));
    // Steps of 1 and 3: alpha = (1 + 2 * 3) / (3 * 4).
    const ForceTable uneven({{0, 0}, {1, 2}, {4, 20}});
    CHECK(uneven.slope(1) == Approx(2 * 6 / (7. / 12 * 6 + 5. / 12 * 2)));
}

TEST_CASE("a force table of a line is a spring, and of a parabola nearly one") {
    const ForceTable line({{0, 0}, {0.1, 50}, {0.4, 200}});
    for (const double x : {0.03, 0.1, 0.25, 0.4, 3.}) {
        CHECK(line.force(x) == Approx(500 * x));
        CHECK(line.slope(x) == Approx(500));
        CHECK(line.energy(x) == Approx(250 * x * x));
    }
    CHECK(line.largestSlope() == Approx(500));
    std::vector<ForceTable::Point> points;
    for (int i = 0; i <= 20; ++i) points.push_back({0.05 * i, 0.0025 * i * i});
    const ForceTable parabola(points);
    for (double x = 0.1; x < 0.9; x += 0.013) CHECK(parabola.force(x) == Approx(x * x).margin(1e-4));
}

TEST_CASE("a force table refuses what no spring does, and says which point") {
    CHECK(refusal({{0, 0}}) == "BumpStop 'stop': table has 1 points; it must have at least 2");
    CHECK(refusal({{0, 1}, {1, 2}}) ==
          "BumpStop 'stop': table[0] = [0, 1] is not allowed; the first point must be [0, 0]");
    CHECK(refusal({{0, 0}, {1, 2}, {1, 3}}).find("table[2] = [1, 3] is not allowed; travel and force must be larger") !=
          std::string::npos);
    CHECK(refusal({{0, 0}, {1, 2}, {2, 1}}).find("table[2]") != std::string::npos);
    CHECK(refusal({{0, 0}, {1, std::numeric_limits<double>::infinity()}}).find("finite") != std::string::npos);
    CHECK(refusal({{0, 0}, {1e-320, 1}}).find("slope") != std::string::npos);
    CHECK_THROWS_AS(BumpStopLaw({.table = {}, .d = 1}), InvalidParameter);
    CHECK_THROWS_AS(BumpStopLaw({.table = bumper(), .d = -1}), InvalidParameter);
}

TEST_CASE("what goes into a bump stop is stored or lost, and it only pushes") {
    const BumpStopLaw law({.table = bumper(), .d = 2000, .s_rel0 = 0.1});
    RandomStates random(3);
    for (int i = 0; i < 2000; ++i) {
        const double s = random.uniform(0.03, 0.12), v = random.uniform(-2, 2), h = 1e-8;
        const ForceTerms terms = law.evaluate(s, v);
        CHECK(terms.contact == (s < 0.1));
        CHECK(terms.f <= 0);
        CHECK(terms.f >= 2 * terms.f_c);
        const double stored = (law.storedEnergy(s + h) - law.storedEnergy(s - h)) / (2 * h) * v;
        CHECK(terms.f * v == Approx(stored + law.dissipatedPower(s, v)).epsilon(1e-5).margin(1e-3));
        CHECK(law.dissipatedPower(s, v) >= 0);
    }
}
