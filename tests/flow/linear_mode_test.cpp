#include "straight/linear_mode.h"

#include "random_numbers.h"

#include <catch2/catch.hpp>

#include <cmath>

using elasto::flow::firstCrossingOfParabola;
using elasto::flow::kNever;
using elasto::flow::LinearMode;
using elasto::test::RandomNumbers;

namespace {

struct Exact {
    long double S = 0, rate = 0, I = 0, J = 0, K = 0;
};

/// The power series in extended precision: good to 1e-13 up to b t of 6 and k t^2 of 36.
Exact powerSeries(long double k, long double b, long double t) {
    Exact sum;
    long double term = t;  // s_n t^n
    long double next = -b * t * t / 2;
    for (int n = 1; n < 120; ++n) {
        sum.S += term;
        sum.rate += term * n / t;
        sum.I += term * t / (n + 1);
        sum.J += term * t * t / ((n + 1) * (n + 2));
        sum.K += term * t * t * t / ((n + 1) * (n + 2) * (n + 3));
        const long double afterNext = -(b * (n + 1) * t * next + k * t * t * term) / ((n + 2) * (n + 1));
        term = next;
        next = afterNext;
    }
    return sum;
}

double relative(double value, long double exact) {
    return static_cast<double>(std::abs(value - exact) / std::abs(exact));
}

}  // namespace

TEST_CASE("linear mode: fundamental solution and its integrals") {
    RandomNumbers random(5);
    double worst = 0;
    for (int i = 0; i < 20000; ++i) {
        const double t = random.logarithmic(-6, 0);
        const double bt = random.chance(0.1) ? 0 : random.logarithmic(-8, std::log10(6));
        double ktt = random.chance(0.1) ? 0 : random.logarithmic(-8, std::log10(20));
        if (random.chance(0.3)) ktt = bt * bt / 4 * (random.chance(0.5) ? 1 : 1 + random.uniform(-1, 1) * 1e-7);
        const double k = ktt / (t * t);
        const double b = bt / t;
        const LinearMode mode(k, b);
        const Exact exact = powerSeries(k, b, t);
        const LinearMode::Response response = mode.response(t);
        const LinearMode::Integrals integrals = mode.integrals(t);
        const double size = static_cast<double>(std::abs(exact.S)) + t * 0.01;
        REQUIRE(std::abs(response.S - static_cast<double>(exact.S)) < 1e-13 * size);
        REQUIRE(std::abs(response.rate - static_cast<double>(exact.rate)) < 1e-13);
        worst = std::max({worst, relative(response.I, exact.I), relative(integrals.I, exact.I),
                          relative(integrals.J, exact.J), relative(integrals.K, exact.K)});
    }
    CAPTURE(worst);
    CHECK(worst < 3e-13);
}

TEST_CASE("linear mode: extreme damping") {
    // d W = 1e8/s against c W = 1e12/s^2: the slow rate is k/b to 8 digits and must not be lost.
    const LinearMode mode(1e12, 1e8);
    const double t = 0.01;
    const double slow = 1e12 / (5e7 + std::sqrt(2.5e15 - 1e12));
    CHECK(mode.response(t).S == Approx(std::exp(-slow * t) / (1e8 - 2 * slow)).epsilon(1e-12));
    CHECK(mode.response(t).I == Approx(1e-12).epsilon(1e-12));

    // A damper alone: I = (t - (1 - e^(-b t))/b)/b
    const LinearMode damper(0, 1e8);
    CHECK(damper.response(t).I == Approx((t - 1e-8) / 1e8).epsilon(1e-14));
    CHECK(damper.integrals(t).J == Approx((t * t / 2 - (t - 1e-8) / 1e8) / 1e8).epsilon(1e-14));
}

TEST_CASE("linear mode: first fall is the first zero that a scan finds") {
    RandomNumbers random(6);
    int falls = 0;
    for (int i = 0; i < 4000; ++i) {
        const double k = random.chance(0.1) ? 0 : random.logarithmic(-1, 4);
        double b = random.chance(0.2) ? 0 : random.logarithmic(-1, 4);
        if (random.chance(0.2)) b = 2 * std::sqrt(k);
        const LinearMode mode(k, b);
        const double a = random.uniform(-50, 50);
        const double x = random.uniform(-1, 1);
        const double v = random.uniform(-5, 5);
        double byX = random.uniform(-1, 1);
        double byV = random.chance(0.3) ? 0 : random.uniform(-1, 1);
        if (byX * x + byV * v < 0) {
            byX = -byX;
            byV = -byV;
        }
        const double end = random.logarithmic(-2, 1);
        const auto value = [&](double t) {
            double xt = x;
            double vt = v;
            mode.advance(t, a, xt, vt);
            return byX * xt + byV * vt;
        };
        const double found = mode.firstCrossing(end, a, x, v, byX, byV);
        const double searched = std::min(found, end);
        double lowest = 0;
        for (int j = 1; j < 300; ++j) lowest = std::min(lowest, value(searched * (j / 300.0)));
        REQUIRE(lowest > -1e-10);
        if (found == kNever) continue;
        ++falls;
        REQUIRE(std::abs(value(found)) < 1e-11 * (1 + std::abs(a)));
        REQUIRE(value(found * (1 + 1e-6)) < 1e-11);
    }
    CHECK(falls > 1000);
}

TEST_CASE("linear mode: a turning point just after the start keeps its digits at critical damping") {
    // Leaves an edge at 1e-9 m/s and is pulled back at once: it returns after 2 u / a.
    const double k = 12.3;
    const LinearMode mode(k, 2 * std::sqrt(k));
    const double u = 1e-9;
    CHECK(mode.firstCrossing(0.01, -2, 0, u, 1, 0) == Approx(u).epsilon(1e-6));
}

TEST_CASE("linear mode: falls of a parabola") {
    CHECK(firstCrossingOfParabola(10, 1, -1, 0) == 1);
    CHECK(firstCrossingOfParabola(10, 1, 1, 0) == kNever);
    CHECK(firstCrossingOfParabola(10, 0, -1, 0) == 0);
    CHECK(firstCrossingOfParabola(0.5, 1, -1, 0) == kNever);
    CHECK(firstCrossingOfParabola(10, 1, 0, -1) == 1);
    CHECK(firstCrossingOfParabola(10, 0, 0, -1) == 0);
    CHECK(firstCrossingOfParabola(10, 0, 2, -1) == 2);
    CHECK(firstCrossingOfParabola(10, 0, 0, 1) == kNever);
    CHECK(firstCrossingOfParabola(10, 1, -2, 1) == kNever);  // touches
    CHECK(firstCrossingOfParabola(10, 1, -3, 2) == 0.5);
    CHECK(firstCrossingOfParabola(10, -1e-18, -1, 3) == 0);
}
