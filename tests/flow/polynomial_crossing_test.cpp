#include "numerics/polynomial_crossing.h"

#include "random_numbers.h"

#include <catch2/catch.hpp>

#include <cmath>
#include <vector>

using elasto::flow::firstCrossingOf;
using elasto::flow::kNoCrossing;
using elasto::flow::kOrder;
using elasto::flow::UnitPolynomial;
using elasto::test::RandomNumbers;

namespace {

/// scale * product of (x - zero), times (1 + x^2) to fill the degree.
UnitPolynomial fromZeros(const std::vector<double>& zeros, double scale) {
    UnitPolynomial p{};
    p[0] = scale;
    for (const double zero : zeros) {
        for (std::size_t k = kOrder; k > 0; --k) p[k] = p[k - 1] - zero * p[k];
        p[0] *= -zero;
    }
    return p;
}

}  // namespace

TEST_CASE("polynomial: first of its falls") {
    RandomNumbers random(8);
    for (int i = 0; i < 2000; ++i) {
        const double first = random.uniform(0.01, 0.9);
        const double second = first + random.logarithmic(-2, 0);
        // Falls at the first zero, rises at the second, falls at the third.
        const double third = second + random.logarithmic(-2, 0);
        const UnitPolynomial p = fromZeros({first, second, third}, -1);
        REQUIRE(firstCrossingOf(p, 1e-14) == Approx(first).epsilon(1e-8));
    }
}

TEST_CASE("polynomial: dips") {
    const double middle = GENERATE(0.123, 0.5, 0.87);
    const auto dip = [&](double depth) {
        UnitPolynomial p = fromZeros({middle, middle}, 1);
        p[0] -= depth;
        return p;
    };
    CHECK(firstCrossingOf(dip(-1e-6), 1e-14) == kNoCrossing);
    CHECK(firstCrossingOf(dip(0), 1e-14) == kNoCrossing);
    CHECK(firstCrossingOf(dip(1e-6), 1e-14) == Approx(middle - 1e-3).epsilon(1e-9));
    CHECK(firstCrossingOf(dip(1e-10), 1e-14) == Approx(middle - 1e-5).epsilon(1e-7));
    CHECK(firstCrossingOf(dip(1e-10), 1e-9) == kNoCrossing);  // a touch, by the caller's tolerance
}

TEST_CASE("polynomial: falls at the ends") {
    CHECK(firstCrossingOf({0, -1}, 1e-14) < 1e-13);
    CHECK(firstCrossingOf({0, 1}, 1e-14) == kNoCrossing);
    CHECK(firstCrossingOf({1, -1}, 1e-14) == kNoCrossing);
    CHECK(firstCrossingOf({1, -1.001}, 1e-14) == Approx(1 / 1.001));
    CHECK(firstCrossingOf({}, 1e-14) == kNoCrossing);
}

TEST_CASE("polynomial: falls of the last terms alone") {
    const std::size_t degree = GENERATE(range(std::size_t{1}, kOrder + 1));
    UnitPolynomial p{};
    p[0] = 1;
    p[degree] = -2;
    CHECK(firstCrossingOf(p, 1e-14) == Approx(std::pow(0.5, 1 / static_cast<double>(degree))));
    p[degree] = -0.999;
    CHECK(firstCrossingOf(p, 1e-14) == kNoCrossing);
}

TEST_CASE("polynomial: a fall is exact though the search for it begins where the curvature vanishes") {
    const double fall = GENERATE(0.3, 0.7);
    const double bend = GENERATE(-2., -1., 1.);
    // fall + bend (..)^3 - x, about the place where the Bernstein coefficients as a polygon fall.
    const auto about = [&](double flat) -> UnitPolynomial {
        const double start = fall - bend * std::pow(fall - flat, 3);
        return {start - bend * std::pow(flat, 3), -1 + 3 * bend * flat * flat, -3 * bend * flat, bend};
    };
    const auto polygonCrossing = [](const UnitPolynomial& p) {
        const double n = kOrder;
        const auto coefficient = [&](double j) {
            return p[0] + j / n * p[1] + j * (j - 1) / (n * (n - 1)) * p[2] +
                   j * (j - 1) * (j - 2) / (n * (n - 1) * (n - 2)) * p[3];
        };
        double j = 1;
        while (coefficient(j) >= 0) ++j;
        return (j - 1 + coefficient(j - 1) / (coefficient(j - 1) - coefficient(j))) / n;
    };
    double flat = fall;
    for (int i = 0; i < 200; ++i) flat = (flat + polygonCrossing(about(flat))) / 2;
    REQUIRE(std::abs(flat - fall) > 1e-4);
    CHECK(firstCrossingOf(about(flat), 1e-14) == Approx(fall).epsilon(1e-13));
}
