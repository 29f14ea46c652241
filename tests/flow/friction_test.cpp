// Dry friction against closed forms: when it stops, sticks, gives way, and what it takes.

#include <elasto/errors.h>
#include <elasto/flow.h>
#include <catch2/catch.hpp>

#include <cmath>
#include <numbers>

using namespace elasto;

namespace {

constexpr double kMass = 2;

/// A mass on a guide along x.
FlowNetwork sliding(const FrictionParameters& friction, double v) {
    FlowNetwork network;
    network.bodies = {FlowBody::sphere(kMass, 0.1)};
    network.bodies[0].velocity.x() = v;
    FlowElement element{.law = FrictionLaw(friction), .geometry = Geometry::AlongAxis, .a = kWorld, .b = 0};
    network.elements = {element};
    return network;
}

struct Run {
    FlowNetwork network;
    double heat = 0;
    double impulse = 0;
    TickResult tick = {};

    void step(double h) {
        tick = solveTick(network, h);
        network.adopt(tick);
        heat += tick.elements[0].heat;
        impulse += tick.elements[0].impulse;
    }
    double x() const { return network.bodies[0].position.x(); }
    double v() const { return network.bodies[0].velocity.x(); }
};

}  // namespace

TEST_CASE("a sliding mass comes to rest where Coulomb's law says, whatever the tick") {
    const double F = 3, v = 1.7;
    for (const double h : {1. / 30, 1. / 240, 0.7}) {
        Run run{sliding({.F_Coulomb = F}, v)};
        for (double t = 0; t < 2; t += h) run.step(h);
        CHECK(run.x() == Approx(0.5 * v * v * kMass / F).epsilon(1e-12));
        CHECK(std::abs(run.v()) < 1e-14);
        CHECK(run.heat == Approx(0.5 * kMass * v * v).epsilon(1e-12));
        CHECK(run.impulse == Approx(kMass * v).epsilon(1e-12));
        CHECK(run.tick.elements[0].force.contact);
        CHECK(std::abs(run.tick.elements[0].force.f) < 1e-12);
    }
}

TEST_CASE("friction holds against what is weaker, and says with how much") {
    Run run{sliding({.F_Coulomb = 3}, 0)};
    run.network.bodies[0].force.constant.x() = -2.5;
    for (int i = 0; i < 100; ++i) run.step(1. / 60);
    CHECK(run.x() == 0);
    CHECK(run.tick.elements[0].force.f == Approx(-2.5).epsilon(1e-12));
    CHECK(run.tick.elements[0].force.contact);
    CHECK(run.heat == 0);
}

TEST_CASE("a force that grows makes it slip at the instant it is too strong") {
    // F(t) = r t; gives way at peak F0 / r, slides with F0 then.
    const double r = 40, F0 = 3;
    for (const double peak : {1., 1.4}) {
        Run run{sliding({.F_Coulomb = F0, .peak = peak}, 0)};
        const double h = 1. / 60;
        double t = 0;
        for (int i = 0; i < 30; ++i) {
            run.network.bodies[0].force = {.constant = {r * t, 0, 0}, .linear = {r, 0, 0}, .quadratic = {0, 0, 0}};
            run.step(h);
            t += h;
        }
        const double t0 = peak * F0 / r;
        const double w = t - t0;
        // m a = r t0 + r w - F0
        const double v = (r * t0 - F0) * w / kMass + 0.5 * r * w * w / kMass;
        const double x = 0.5 * (r * t0 - F0) * w * w / kMass + r * w * w * w / 6 / kMass;
        CHECK(run.v() == Approx(v).epsilon(1e-9));
        CHECK(run.x() == Approx(x).epsilon(1e-9));
        CHECK(run.heat == Approx(F0 * x).epsilon(1e-9));
        CHECK_FALSE(run.tick.elements[0].force.contact);
        CHECK(run.tick.elements[0].force.f == Approx(F0));
    }
}

TEST_CASE("friction that grows with the speed is a damper beside Coulomb's") {
    // m v' = -F - k v: v(t) = (v0 + F/k) exp(-k t/m) - F/k
    const double F = 3, k = 5, v0 = 4;
    Run run{sliding({.F_Coulomb = F, .F_prop = k}, v0)};
    const double stop = kMass / k * std::log(1 + k * v0 / F);
    const double x = kMass / k * (v0 + F / k) * (1 - std::exp(-k * stop / kMass)) - F / k * stop;
    for (int i = 0; i < 60; ++i) run.step(1. / 60);
    REQUIRE(stop < 1);
    CHECK(run.x() == Approx(x).epsilon(1e-9));
    CHECK(run.heat == Approx(0.5 * kMass * v0 * v0).epsilon(1e-9));
}

TEST_CASE("a mass on a spring rests where Coulomb lets it, half period by half period") {
    const double c = 800, F = 4, x0 = 0.053;
    Run run{sliding({.F_Coulomb = F}, 0)};
    run.network.bodies[0].position.x() = x0;
    run.network.elements.push_back(
        {.law = SpringDamperLaw({.c = c, .d = 0}), .geometry = Geometry::AlongAxis, .a = kWorld, .b = 0});
    // Each half period takes 2 F / c of the amplitude; it sticks where |c x| <= F.
    double x = x0;
    while (std::abs(c * x) > F) x = -(std::abs(x) - 2 * F / c) * (x > 0 ? 1 : -1);
    for (int i = 0; i < 240; ++i) run.step(1. / 120);
    CHECK(run.x() == Approx(x).epsilon(1e-9));
    CHECK(run.tick.elements[0].force.contact);
    CHECK(run.tick.elements[0].force.f == Approx(-c * x).epsilon(1e-9));
    CHECK(run.heat == Approx(0.5 * c * (x0 * x0 - x * x)).epsilon(1e-8));
}

TEST_CASE("stick and slip of a mass on a belt with Stribeck's curve takes its period from the spring") {
    // Falling friction drives the oscillation; energy that the belt brings is heat.
    Run run{sliding({.F_Coulomb = 2, .F_Stribeck = 2, .fexp = 4, .peak = 1.2}, 0)};
    FlowBody belt = FlowBody::sphere(1, 0.1);
    belt.inverseMass = 0;
    belt.inverseInertia.setZero();
    belt.velocity.x() = 0.1;
    run.network.bodies.push_back(belt);
    run.network.elements[0].a = 1;
    run.network.elements.push_back(
        {.law = SpringDamperLaw({.c = 50, .d = 0}), .geometry = Geometry::AlongAxis, .a = kWorld, .b = 0});
    int sticks = 0, slips = 0;
    bool stuck = true;
    for (int i = 0; i < 1200; ++i) {
        run.step(1. / 120);
        const bool now = run.tick.elements[0].force.contact;
        if (now && !stuck) ++sticks;
        if (!now && stuck) ++slips;
        stuck = now;
        REQUIRE(std::abs(50 * run.x()) < 1.2 * 4 + 3);
    }
    CHECK(slips >= 3);
    CHECK(std::abs(slips - sticks) <= 1);
    CHECK(run.heat > 0);
}

TEST_CASE("friction about an axis is the same law") {
    FlowNetwork network;
    network.bodies = {FlowBody::rigid(1, {0.5, 0.5, 0.5})};
    network.bodies[0].angularVelocity.z() = 20;
    network.elements = {{.law = FrictionLaw({.F_Coulomb = 1.5}),
                         .geometry = Geometry::AboutAxis,
                         .a = kWorld,
                         .b = 0,
                         .axis = Eigen::Vector3d::UnitZ()}};
    Run run{network};
    for (int i = 0; i < 500; ++i) run.step(1. / 60);
    CHECK(run.network.bodies[0].angularVelocity.norm() < 1e-12);
    CHECK(run.network.elements[0].phi == Approx(0.5 * 400 * 0.5 / 1.5).epsilon(1e-9));
    CHECK(run.heat == Approx(0.5 * 0.5 * 400).epsilon(1e-10));
}

TEST_CASE("a tick does not depend on how it is divided") {
    const auto run = [](int parts) {
        Run one{sliding({.F_Coulomb = 3, .F_prop = 0.3, .F_Stribeck = 1, .fexp = 3, .peak = 1.1}, 0.4)};
        one.network.elements.push_back(
            {.law = SpringDamperLaw({.c = 200, .d = 1}), .geometry = Geometry::AlongAxis, .a = kWorld, .b = 0});
        one.network.bodies[0].position.x() = 0.1;
        for (int i = 0; i < 20 * parts; ++i) one.step(1. / 20 / parts);
        return one;
    };
    const Run coarse = run(1), fine = run(10);
    CHECK(coarse.x() == Approx(fine.x()).margin(1e-9));
    CHECK(coarse.heat == Approx(fine.heat).epsilon(1e-7));
}

TEST_CASE("friction along a line, or of gears, is refused") {
    FlowNetwork network = sliding({.F_Coulomb = 3}, 0);
    network.elements[0].geometry = Geometry::AlongLine;
    CHECK_THROWS_AS(solveTick(network, 0.01), InvalidParameter);
    CHECK_THROWS_AS(FrictionLaw({.F_Coulomb = -1}), InvalidParameter);
    CHECK_THROWS_AS(FrictionLaw({.F_Coulomb = 1, .peak = 0.5}), InvalidParameter);
    CHECK_THROWS_AS(FrictionLaw({.F_Coulomb = 1, .s_min = 1, .s_max = 1}), InvalidParameter);
}

TEST_CASE("a brake slows down with the force that it has at each time") {
    // F(t) = F0 (0.2 + 3 t): speed and way are polynomials.
    const double F0 = 5, v0 = 2, h = 1. / 30;
    Run run{sliding({.F_Coulomb = F0}, v0)};
    double t = 0;
    for (int i = 0; i < 15; ++i) {
        run.network.elements[0].f_normalized = {.constant = 0.2 + 3 * t, .linear = 3};
        run.step(h);
        t += h;
    }
    const double v = v0 - F0 / kMass * (0.2 * t + 1.5 * t * t);
    REQUIRE(v > 0);
    CHECK(run.v() == Approx(v).epsilon(1e-12));
    CHECK(run.x() == Approx(v0 * t - F0 / kMass * (0.1 * t * t + 0.5 * t * t * t)).epsilon(1e-12));
    CHECK(run.tick.elements[0].force.f == Approx(F0 * (0.2 + 3 * t)).epsilon(1e-12));
    CHECK(run.heat == Approx(0.5 * kMass * (v0 * v0 - v * v)).epsilon(1e-11));
}

TEST_CASE("a brake that lets go inside a tick lets its mass fall from there on") {
    // It holds 10 N up to 0.3 of a tick, then nothing.
    const double h = 1. / 60;
    Run run{sliding({.F_Coulomb = 20}, 0)};
    run.network.bodies[0].force.constant.x() = 10;
    run.network.changes = {{.time = 0.3 * h, .body = -1, .element = 0, .share = {.constant = 0}}};
    run.step(h);
    CHECK(run.v() == Approx(10 / kMass * 0.7 * h).epsilon(1e-12));
    CHECK_FALSE(run.tick.elements[0].force.contact);
    CHECK(run.tick.elements[0].force.f == 0);
    CHECK(run.tick.elements[0].impulse == Approx(10 * 0.3 * h).epsilon(1e-9));
}

TEST_CASE("a brake that tightens inside a tick brakes from there on") {
    const double h = 1. / 60;
    Run run{sliding({.F_Coulomb = 20}, 0.5)};
    run.network.elements[0].f_normalized = {.constant = -0.5, .linear = 60};  // 0 up to half the tick
    run.step(h);
    const double w = h - 0.5 / 60;
    CHECK(run.v() == Approx(0.5 - 20 * 60 * w * w / 2 / kMass).epsilon(1e-7));
}

TEST_CASE("a brake that begins to act while all is at rest takes no steps for it") {
    Run run{sliding({.F_Coulomb = 50}, 0)};
    run.network.elements[0].f_normalized = {.constant = -1.5e-7, .linear = 12.6, .quadratic = -1};
    run.step(1. / 240);
    CHECK(run.tick.method == FlowMethod::Dop853);
    CHECK(run.tick.steps < 20);
    CHECK(run.x() == 0);
}

TEST_CASE("an open brake lets its mass turn round") {
    const double h = 1. / 60;
    for (const double push : {-30., 30.}) {
        Run run{sliding({.F_Coulomb = 50}, -push / 300)};  // turns round in the second tick
        run.network.bodies[0].force.constant.x() = push;
        run.network.elements[0].f_normalized = {.constant = 0};
        for (int i = 0; i < 3; ++i) run.step(h);
        CHECK(run.v() == Approx(-push / 300 + push / kMass * 3 * h).epsilon(1e-12));
        CHECK(run.tick.steps < 50);
    }
}

TEST_CASE("a hard stop takes all speed at once, holds, and lets go of what pulls away") {
    const double F0 = 3, v0 = 2;
    Run run{sliding({.F_Coulomb = F0, .s_min = -1, .s_max = 0.1}, v0)};
    const double hit = std::sqrt(v0 * v0 - 2 * F0 / kMass * 0.1);  // speed at the stop
    for (int i = 0; i < 30; ++i) run.step(1. / 60);
    CHECK(run.x() == Approx(0.1).epsilon(1e-12));
    CHECK(run.v() == 0);
    CHECK(run.heat == Approx(F0 * 0.1).epsilon(1e-10));
    CHECK(run.impulse == Approx(kMass * v0).epsilon(1e-10));
    CHECK(hit > 1);
    // Pressed against the stop with more than friction: it holds, and says with what.
    run.network.bodies[0].force.constant.x() = 500;
    run.step(1. / 60);
    CHECK(run.x() == Approx(0.1).epsilon(1e-12));
    CHECK(run.tick.elements[0].force.f == Approx(500).epsilon(1e-9));
    CHECK(run.tick.elements[0].impulse == Approx(500. / 60).epsilon(1e-9));
    // Pulled away, friction alone holds.
    run.network.bodies[0].force.constant.x() = -2;
    run.step(1. / 60);
    CHECK(run.x() == Approx(0.1).epsilon(1e-12));
    CHECK(run.tick.elements[0].force.f == Approx(-2).epsilon(1e-9));
    run.network.bodies[0].force.constant.x() = -5;
    run.step(0.1);
    CHECK(run.v() == Approx(-(5 - F0) / kMass * 0.1).epsilon(1e-9));
}

TEST_CASE("friction sticks and gives way at the right instant, to a nanosecond") {
    const auto sticksAt = [](FlowNetwork network, double t) {
        const TickResult tick = solveTick(network, t);
        return tick.elements[0].force.contact;
    };
    const double ns = 1e-9;
    // A brake that tightens: v0 = F0 (0.2 t + 1.5 t^2) / m.
    FlowNetwork brake = sliding({.F_Coulomb = 40}, 0.5);
    brake.elements[0].f_normalized = {.constant = 0.2, .linear = 3};
    const double stops = (-0.2 + std::sqrt(0.04 + 6 * 0.5 * kMass / 40)) / 3;
    CHECK_FALSE(sticksAt(brake, stops - ns));
    CHECK(sticksAt(brake, stops + ns));
    // A load that grows: it gives way at peak F0 / r.
    FlowNetwork held = sliding({.F_Coulomb = 3, .peak = 1.3}, 0);
    held.bodies[0].force.linear.x() = 40;
    const double gives = 1.3 * 3 / 40;
    CHECK(sticksAt(held, gives - ns));
    CHECK_FALSE(sticksAt(held, gives + ns));
    // A bearing with Stribeck's curve, by its exponential integral: dt = -I dw / tau(w).
    const FrictionParameters p = {.F_Coulomb = 1, .F_Stribeck = 2, .fexp = 2};
    FlowNetwork bearing;
    bearing.bodies = {FlowBody::rigid(1, {0.5, 0.5, 0.5})};
    bearing.bodies[0].angularVelocity.z() = 1.5;
    bearing.elements = {
        {.law = FrictionLaw(p), .geometry = Geometry::AboutAxis, .b = 0, .axis = Eigen::Vector3d::UnitZ()}};
    // Integral of dw / (1 + 2 exp(-2 w)) = ln(exp(2 w) + 2) / 2.
    const double turns = 0.5 * (std::log(std::exp(3.) + 2) - std::log(3.)) / 2;
    CHECK_FALSE(sticksAt(bearing, turns - ns));
    CHECK(sticksAt(bearing, turns + ns));
}

TEST_CASE("a hit passes on to what sticks elsewhere on the bodies") {
    FlowNetwork network;
    network.bodies = {FlowBody::sphere(2, 0.1), FlowBody::sphere(2, 0.1)};
    network.bodies[1].velocity.x() = 3;
    network.elements = {
        {.law = FrictionLaw({.F_Coulomb = 4}), .geometry = Geometry::AlongAxis, .b = 0},
        {.law = FrictionLaw({.F_Coulomb = 1, .s_max = 0.2}), .geometry = Geometry::AlongAxis, .a = 0, .b = 1}};
    Run run{network};
    for (int i = 0; i < 300; ++i) {
        run.step(1. / 60);
        // What friction takes is no numerical loss.
        CHECK(run.tick.energyHandedOut == Approx(-run.tick.elements[0].heat - run.tick.elements[1].heat).margin(1e-9));
    }
    const double both = std::sqrt(9 - 2 * 0.5 * 0.2) / 2;
    CHECK(run.x() == Approx(both * both * 4 / (2 * 4)).epsilon(1e-9));
}
