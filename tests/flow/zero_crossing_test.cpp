// The search for the first fall through zero behind every located event of the adaptive integrators.

#include "numerics/zero_crossing.h"
#include "random_numbers.h"

#include <catch2/catch.hpp>

#include <cmath>
#include <vector>

using namespace elasto::flow;

namespace {

template <class Function>
std::optional<ZeroCrossing> firstCrossingOfFunction(const Function& function) {
    std::array<double, kCrossingSamples> samples;
    for (std::size_t j = 0; j < kCrossingSamples; ++j) samples[j] = function(crossingNodes()[j]);
    return firstCrossing(samples);
}

}  // namespace

TEST_CASE("a fall is found where it is, with its slope", "[flow][events]") {
    const auto fall = firstCrossingOfFunction([](double x) { return 0.3 - x; });
    REQUIRE(fall);
    CHECK(fall->at == Approx(0.3).epsilon(1e-14));
    CHECK(fall->slope == Approx(-1).epsilon(1e-12));
}

TEST_CASE("a rise is no fall, nor is staying above zero", "[flow][events]") {
    CHECK_FALSE(firstCrossingOfFunction([](double) { return 1.0; }));
    CHECK_FALSE(firstCrossingOfFunction([](double) { return 0.0; }));
    CHECK_FALSE(firstCrossingOfFunction([](double x) { return x; }));
    CHECK_FALSE(firstCrossingOfFunction([](double x) { return x * x * (2 - x); }));
    CHECK_FALSE(firstCrossingOfFunction([](double x) { return (x - 0.4) * (x - 0.4) + 1e-9; }));
}

TEST_CASE("a dip between two samples is not missed", "[flow][events]") {
    const double depth = GENERATE(1e-3, 1e-6, 1e-9);
    const auto fall = firstCrossingOfFunction([&](double x) { return (x - 0.61) * (x - 0.61) - depth; });
    REQUIRE(fall);
    CHECK(fall->at == Approx(0.61 - std::sqrt(depth)).margin(1e-9));
}

TEST_CASE("a dip within the rounding of the function is none", "[flow][events]") {
    std::array<double, kCrossingSamples> samples;
    for (std::size_t j = 0; j < kCrossingSamples; ++j) samples[j] = j % 2 == 0 ? 1e-16 : -1e-16;
    CHECK(firstCrossing(samples));
    CHECK_FALSE(firstCrossing(samples, 1e-14));
}

TEST_CASE("a function that begins at zero", "[flow][events]") {
    SECTION("falls at once") {
        const auto fall = firstCrossingOfFunction([](double x) { return -x * (1 - 0.1 * x); });
        REQUIRE(fall);
        CHECK(fall->at == 0);
    }
    SECTION("falls at once from a value that rounding left below zero") {
        const auto fall = firstCrossingOfFunction([](double x) { return -1e-17 - x; });
        REQUIRE(fall);
        CHECK(fall->at == 0);
    }
    SECTION("rises first: the second zero counts, however soon it comes") {
        const double hop = GENERATE(0.5, 1e-2, 1e-5, 1e-8);
        const auto fall = firstCrossingOfFunction([&](double x) { return x * (hop - x); });
        REQUIRE(fall);
        CHECK(fall->at == Approx(hop).epsilon(1e-6));
    }
}

TEST_CASE("the first of several falls of random polynomials", "[flow][events]") {
    elasto::test::RandomNumbers random(1);
    for (int i = 0; i < 2000; ++i) {
        std::vector<double> zeros(static_cast<std::size_t>(1 + random.below(6)));
        for (double& zero : zeros) zero = random.uniform(-0.5, 1.5);
        const auto polynomial = [&](double x) {
            double product = 1;
            for (const double zero : zeros) product *= zero - x;
            return product;
        };
        if (polynomial(0) < 0) continue;
        double expected = INFINITY;
        double spacing = INFINITY;
        for (const double zero : zeros) {
            if (zero > 0 && zero < 1) expected = std::min(expected, zero);
        }
        for (const double zero : zeros) {
            if (zero != expected) spacing = std::min(spacing, std::abs(zero - expected));
        }
        if (spacing < 1e-4) continue;  // a double zero is a touch, and may be taken for none
        const auto fall = firstCrossingOfFunction(polynomial);
        INFO("polynomial " << i << " with its first zero at " << expected);
        REQUIRE(fall.has_value() == std::isfinite(expected));
        if (fall) CHECK(fall->at == Approx(expected).epsilon(1e-7));
    }
}

TEST_CASE("falls of parabolas are those of any function", "[flow][events]") {
    elasto::test::RandomNumbers random(2);
    int found = 0;
    for (int i = 0; i < 2000; ++i) {
        const double start = i % 3 == 0 ? 0 : random.uniform(0, 1);
        const double middle = random.uniform(-1, 1), end = random.uniform(-1, 1);
        const auto parabola = [&](double x) {
            return start * (1 - x) * (1 - x) + 2 * middle * x * (1 - x) + end * x * x;
        };
        const auto expected = firstCrossingOfFunction(parabola);
        const auto fall = crossingOfParabola(start, middle, end);
        INFO(start << ' ' << middle << ' ' << end);
        REQUIRE(fall.has_value() == expected.has_value());
        if (!fall) continue;
        ++found;
        CHECK(fall->at == Approx(expected->at).margin(1e-9));
        CHECK(fall->slope == Approx(expected->slope).margin(1e-6));
    }
    CHECK(found > 500);
    // Dips within the noise are none; a start below zero counts as zero.
    CHECK_FALSE(crossingOfParabola(1, -1.0001, 1, 1e-4));
    CHECK(crossingOfParabola(1, -1.0001, 1).has_value());
    CHECK_FALSE(crossingOfParabola(-1e-9, 1, 1));
}
