// Loads over a tick as parabolas, and ticks that are solved in pieces because of them.

#include <elasto/errors.h>
#include <elasto/flow.h>

#include <catch2/catch.hpp>

#include <cmath>
#include <limits>
#include <vector>

namespace load_pieces_test {

using namespace elasto;
using Eigen::Vector3d;

constexpr double kTick = 1. / 60;

LoadValue force(double x) {
    return x * LoadValue::Unit(0);
}

std::vector<LoadPiece> cut(const std::function<double(double)>& value, const std::vector<double>& breaks = {}) {
    std::vector<LoadPiece> pieces;
    cutIntoPieces([&](double t) { return force(value(t)); }, breaks, kTick, pieces);
    return pieces;
}

double impulse(const std::vector<LoadPiece>& pieces) {
    return impulseOf(pieces, kTick)[0];
}

double valueOf(const std::vector<LoadPiece>& pieces, double t) {
    std::size_t i = 0;
    while (i + 1 < pieces.size() && pieces[i + 1].start <= t) ++i;
    return pieces[i].value(t)[0];
}

double worst(const std::vector<LoadPiece>& pieces, const std::function<double(double)>& value) {
    double most = 0;
    for (int k = 0; k < 1000; ++k) {
        const double t = kTick * (k + 0.5) / 1000;
        most = std::max(most, std::abs(valueOf(pieces, t) - value(t)));
    }
    return most;
}

TEST_CASE("what is constant or a parabola over a tick is one piece") {
    const auto constant = cut([](double) { return 3.5; });
    REQUIRE(constant.size() == 1);
    CHECK(constant[0].isConstant());
    CHECK(constant[0].constant == force(3.5));
    const auto parabola = [](double t) { return 2 - 40 * t + 5000 * t * t; };
    const auto bent = cut(parabola);
    REQUIRE(bent.size() == 1);
    CHECK(worst(bent, parabola) < 1e-13);
    CHECK(cut([](double t) { return std::cos(2 * M_PI * t); }).size() == 1);  // of 1 Hz
}

TEST_CASE("a sine gets the pieces that hold it, the more the faster it is") {
    std::size_t before = 1;
    for (const double hz : {2., 8., 20., 100.}) {
        const double w = 2 * M_PI * hz;
        const auto sine = [w](double t) { return std::sin(w * t + 0.3); };
        const auto pieces = cut(sine);
        CAPTURE(hz, pieces.size());
        if (hz <= 20) CHECK(pieces.size() >= before);
        CHECK(pieces.size() <= 24);
        if (hz <= 20) CHECK(worst(pieces, sine) < 4e-5);
        const double exact = (std::cos(0.3) - std::cos(w * kTick + 0.3)) / w;
        CHECK(std::abs(impulse(pieces) - exact) < (hz <= 20 ? 1e-9 : 1e-5) * kTick);
        before = pieces.size();
    }
    CHECK(before > 4);
}

TEST_CASE("jumps and kinks split a tick where they are, stated or not") {
    for (int phase = 1; phase < 100; ++phase) {
        const double at = kTick * phase / 100.3;
        const auto step = [at](double t) { return t < at ? 1. : -2.; };
        const auto kink = [at](double t) { return 1 + 30 * std::abs(t - at); };
        for (const bool isStated : {true, false}) {
            CAPTURE(phase, isStated);
            const std::vector<double> breaks = isStated ? std::vector{at} : std::vector<double>();
            const auto steps = cut(step, breaks);
            CHECK(steps.size() <= 3);
            CHECK(std::abs(impulse(steps) - (at - 2 * (kTick - at))) < (isStated ? 1e-15 : 1e-8) * kTick);
            const auto kinks = cut(kink, breaks);
            const double rest = kTick - at;
            CHECK(kinks.size() <= (isStated ? 2 : 4));
            CHECK(std::abs(impulse(kinks) - (kTick + 15 * (at * at + rest * rest))) <
                  (isStated ? 1e-15 : 1e-6) * kTick);
        }
    }
}

TEST_CASE("the impulse of a stated pulse is kept to rounding wherever it falls, and among a thousand breaks") {
    for (int phase = 0; phase < 100; ++phase) {
        const double start = (kTick - 2e-3) * phase / 100 + 1e-6;
        const auto triangle = [start](double t) { return std::max(0., 100 * (1 - std::abs(t - start - 1e-3) / 1e-3)); };
        const auto pieces = cut(triangle, {start, start + 1e-3, start + 2e-3});
        CAPTURE(phase);
        CHECK(pieces.size() <= 4);
        CHECK(impulse(pieces) == Approx(0.1).epsilon(1e-12));
    }
    std::vector<double> breaks;
    for (int k = 1; k < 1000; ++k) breaks.push_back(kTick * k / 1000);
    const auto saw = [](double t) { return std::fmod(t * 1000 / kTick, 1.); };
    const auto pieces = cut(saw, breaks);
    CHECK(pieces.size() <= 24);
    CHECK(impulse(pieces) == Approx(kTick / 2).epsilon(1e-9));
}

TEST_CASE("a table that samples a smooth function takes no more pieces than its error asks for") {
    std::vector<double> breaks;
    for (int k = 1; k < 50; ++k) breaks.push_back(kTick * k / 50);
    const auto sampled = [](double t) {
        const double x = t * 50 / kTick;
        const double low = std::floor(x);
        const auto at = [](double i) { return std::sin(2 * M_PI * 3 * i * kTick / 50); };
        return at(low) + (x - low) * (at(low + 1) - at(low));
    };
    CHECK(cut(sampled, breaks).size() <= 6);
}

/// A force along x: f + slope t from a time on.
LoadChange change(double time, double f, double slope = 0) {
    LoadChange result;
    result.time = time;
    result.force.constant.x() = f;
    result.force.linear.x() = slope;
    return result;
}

FlowNetwork massOnSpring() {
    FlowNetwork network;
    network.bodies.push_back(FlowBody::sphere(1, 0.1));
    FlowElement spring{SpringDamperLaw({.c = 400, .d = 0, .s_rel0 = 0})};
    spring.b = 0;
    network.elements.push_back(spring);
    return network;
}

TEST_CASE("a load that steps inside the tick moves a mass on a spring as its equation says") {
    FlowNetwork network = massOnSpring();
    network.bodies[0].force.constant = {3, 0, 0};
    network.changes.push_back(change(kTick * 0.37, -7));
    network.changes.push_back(change(kTick * 0.81, 0, 50));
    const TickResult tick = solveTick(network, kTick);
    // x'' = f - 400 x with w = 20: each load's share of the end by superposition.
    const double w = 20;
    double x = 0, v = 0;
    const auto move = [&](double f, double slope, double h) {
        const double middle = f / 400, rate = slope / 400;  // x = middle + rate t + A cos + B sin
        const double a = x - middle, b = (v - rate) / w;
        const double c = std::cos(w * h), s = std::sin(w * h);
        x = middle + rate * h + a * c + b * s;
        v = rate + w * (b * c - a * s);
    };
    move(3, 0, 0.37 * kTick);
    move(-7, 0, 0.44 * kTick);
    move(0, 50, 0.19 * kTick);
    CHECK(tick.bodies[0].position.x() == Approx(x).epsilon(1e-11));
    CHECK(tick.bodies[0].velocity.x() == Approx(v).epsilon(1e-11));
    const double given = network.loadImpulse(0, kTick)[0];
    CHECK(given == Approx(kTick * (0.37 * 3 - 0.44 * 7) + 25 * std::pow(0.19 * kTick, 2)));
    CHECK(given - tick.elements[0].impulse == Approx(v).epsilon(1e-10));  // f > 0 pulls the mass back
    CHECK(tick.bodies[0].elementVelocity.x() == Approx(-tick.elements[0].impulse));
    CHECK(network.load(0, 0.9 * kTick)[0] == Approx(50 * 0.09 * kTick));

    // What is seen inside the tick is the same motion.
    const TickResult part = solveTick(network, 0.37 * kTick);
    x = v = 0;
    move(3, 0, 0.37 * kTick);
    CHECK(part.bodies[0].position.x() == Approx(x).epsilon(1e-11));
}

TEST_CASE("events of a tick in pieces have their times, and its book is the sum") {
    FlowNetwork network;
    network.bodies.push_back(FlowBody::sphere(0.2, 0.05));
    network.bodies[0].position = {0.001, 0, 0};
    FlowElement stop{ElastoGapLaw({.c = 1e6, .d = 5})};
    stop.b = 0;
    network.elements.push_back(stop);
    network.bodies[0].force.constant = {-100, 0, 0};
    network.changes.push_back(change(0.5 * kTick, -90));
    const TickResult tick = solveTick(network, kTick);
    REQUIRE(!tick.events.empty());
    double last = 0;
    for (const ContactEvent& event : tick.events) {
        CHECK(event.time >= last);
        CHECK(event.time <= kTick);
        last = event.time;
    }
    CHECK(tick.events.front().time == Approx(std::sqrt(2 * 0.001 / 500)));
    CHECK(last > 0.5 * kTick);
    CHECK(tick.energyHandedOut < 1e-12);
    CHECK(tick.elements[0].heat > 0);
    CHECK(tick.elements[0].impulse < 0);
}

TEST_CASE("changes that a tick cannot have are refused by name") {
    FlowNetwork network = massOnSpring();
    network.changes.push_back(change(-1, 0));
    CHECK_THROWS_WITH(solveTick(network, kTick), Catch::Contains("time of a LoadChange = -1"));
    network.changes[0] = change(1e-3, 0);
    network.changes[0].body = 7;
    CHECK_THROWS_WITH(solveTick(network, kTick), Catch::Contains("body = 7"));
    network.changes[0] = change(1e-3, std::numeric_limits<double>::quiet_NaN());
    CHECK_THROWS_WITH(solveTick(network, kTick), Catch::Contains("force"));
    network.changes = {change(2e-3, 0), change(1e-3, 0)};
    CHECK_THROWS_WITH(solveTick(network, kTick), Catch::Contains("in the order of time"));
    CHECK_THROWS_AS(breaksAt({0, std::numeric_limits<double>::infinity()}), InvalidParameter);
    CHECK_THROWS_AS(breaksEvery(0), InvalidParameter);
}

TEST_CASE("stated breaks come one after the other") {
    const NextBreak some = breaksAt({0.5, 0.1, 0.1});
    CHECK(some(0) == 0.1);
    CHECK(some(0.1) == 0.5);
    CHECK(std::isinf(some(0.5)));
    const NextBreak each = breaksEvery(0.1, 0.05);
    CHECK(each(-1) == 0.05);
    double t = 0.05;
    for (int k = 1; k < 1000; ++k) {
        const double next = each(t);
        CHECK(next == Approx(0.05 + 0.1 * k));
        REQUIRE(next > t);
        t = next;
    }
    const NextBreak tenths = breaksEvery(0.1);
    t = 0;
    for (int k = 0; k < 10000; ++k) t = tenths(t);
    CHECK(t == Approx(1000).epsilon(1e-12));  // no break came twice
    const NextBreak absurd = breaksEvery(1e-300);
    for (const double time : {0., 1., 1e6}) CHECK(absurd(time) > time);
}

}  // namespace load_pieces_test
