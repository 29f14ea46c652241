// Every element type in a real world, against an integrator of its own with the law written out once more.

#include <catch2/catch.hpp>

#include <algorithm>

#include "reference_motion.h"
#include "test_world.h"

using namespace elasto;
using namespace elasto::test;

namespace {

constexpr double kMass = 0.5;
constexpr double kSeconds = 0.5;

double sign(double x) {
    return x < 0 ? -1 : 1;
}

// Largest difference of coordinate and inner state over the run.
struct Difference {
    double s = 0;
    double z = 0;
};

template <class Coordinate>
Difference compare(TestWorld& world, ReferenceMotion& reference, double hz, const ForceElement& element,
                   const Coordinate& coordinate) {
    Difference worst;
    for (int i = 0; i < static_cast<int>(kSeconds * hz); ++i) {
        world.tick(1, hz);
        reference.advance(1 / hz);
        worst.s = std::max(worst.s, std::fabs(coordinate() - reference.s));
        worst.z = std::max(worst.z, std::fabs(element.s_damper() - reference.z));
    }
    return worst;
}

double allowed() {
    return byPrecision(2e-7, 2e-6);
}

btTransform upright() {
    return btTransform::getIdentity();
}

// Spin about world z: the hinge convention's axis with identity frames.
btRigidBody& wheel(TestWorld& world, double inertia) {
    btRigidBody& body = world.ball(1, 0, 0, 0);
    body.setMassProps(1, vec(inertia, inertia, inertia));
    body.updateInertiaTensor();
    return body;
}

}  // namespace

TEST_CASE("ElastoGap along an axis bounces and comes to rest") {
    const double hz = GENERATE(60.0, 240.0);
    const double n = GENERATE(1.0, 1.5);
    const double c = 1e5;
    const double d = 40;
    TestWorld world;
    btRigidBody& mass = world.ball(kMass, 0, 0.1, 0);
    auto& gap = world.add<ElastoGap>(mass, upwards(), upwards(),
                                     ElastoGapParameters{.c = c, .d = d, .s_rel0 = 0.02, .n = n, .s_ref = 0.01});
    ReferenceMotion reference;
    reference.m = kMass;
    reference.a = -TestWorld::kGravity;
    reference.s = 0.1;
    reference.force = [=](double s, double v, double) {
        const double x = s - 0.02;
        if (x >= 0) {
            return 0.0;
        }
        const double f_c = -c * 0.01 * std::pow(-x / 0.01, n);
        return f_c + std::min(std::max(d * v, f_c), -f_c);
    };
    const Difference worst = compare(world, reference, hz, gap, [&] { return heightOf(mass); });
    CAPTURE(hz, n, worst.s);
    CHECK(worst.s < (n == 1.0 ? allowed() : 1e-5));
    CHECK(gap.s_rel() == Approx(heightOf(mass)).margin(kRounding));
}

TEST_CASE("ElastoGap along a line is a bumper between two bodies") {
    const double c = 2e4;
    const double d = 10;
    TestWorld world;
    world.world->setGravity(vec(0, 0, 0));
    btRigidBody& left = world.ball(1, 0, 0, 0);
    btRigidBody& right = world.ball(2, 0.5, 0, 0);
    left.setLinearVelocity(vec(2, 0, 0));
    auto gap = ElastoGap::alongLine(left, right, vec(0, 0, 0), vec(0, 0, 0), {.c = c, .d = d, .s_rel0 = 0.2});
    world.world->addConstraint(gap.get(), true);
    ReferenceMotion reference;
    reference.m = 2.0 / 3;  // of the relative motion
    reference.s = 0.5;
    reference.v = -2;
    reference.force = [=](double s, double v, double) {
        const double f_c = s < 0.2 ? -c * (0.2 - s) : 0;
        return f_c + std::min(std::max(d * v, f_c), -f_c);
    };
    const Difference worst = compare(world, reference, 60, *gap, [&] { return gap->length(); });
    CHECK(worst.s < allowed());
    const double momentum =
        static_cast<double>(left.getLinearVelocity().x()) + 2 * static_cast<double>(right.getLinearVelocity().x());
    CHECK(momentum == Approx(2).epsilon(byPrecision(1e-14, 1e-6)));
    CHECK(gap->f() == 0);
    world.world->removeConstraint(gap.get());
}

TEST_CASE("ElastoBacklash takes up its play on both sides") {
    const double hz = GENERATE(60.0, 240.0);
    const auto characteristic =
        GENERATE(BacklashCharacteristic::BoundedDamper, BacklashCharacteristic::NoPull, BacklashCharacteristic::Linear);
    const double c = 500;
    const double d = 0.05;
    const double b = 0.3;
    const double inertia = 0.01;
    TestWorld world;
    btRigidBody& body = wheel(world, inertia);
    body.setAngularVelocity(vec(0, 0, 20));
    auto& backlash = world.add<ElastoBacklash>(
        body, upright(),
        ElastoBacklashParameters{.c = c, .d = d, .b = b, .phi_rel0 = 0.1, .characteristic = characteristic});
    ReferenceMotion reference;
    reference.m = inertia;
    reference.v = 20;
    reference.force = [=](double phi, double w, double) {
        const double x = phi - 0.1;
        if (std::fabs(x) <= b / 2) {
            return 0.0;
        }
        const double side = sign(x);
        const double tau_c = c * (std::fabs(x) - b / 2);
        const double tau_d = d * w * side;
        if (characteristic == BacklashCharacteristic::Linear) {
            return side * (tau_c + tau_d);
        }
        if (tau_c + tau_d <= 0) {
            return 0.0;
        }
        return side *
               (characteristic == BacklashCharacteristic::NoPull ? tau_c + tau_d : tau_c + std::min(tau_c, tau_d));
    };
    const Difference worst = compare(world, reference, hz, backlash, [&] { return backlash.phi_rel(); });
    CAPTURE(hz, static_cast<int>(characteristic), worst.s);
    // The reference steps over the jump of the two laws that have one.
    CHECK(worst.s < (characteristic == BacklashCharacteristic::BoundedDamper ? byPrecision(1e-6, 1e-5) : 1e-4));
    CHECK(backlash.w_rel() == Approx(static_cast<double>(body.getAngularVelocity().z())).epsilon(1e-6));
}

TEST_CASE("RotationalSpringDamper swings about its rest angle") {
    const double c = 50;
    const double d = 0.02;
    const double inertia = 0.02;
    TestWorld world;
    btRigidBody& a = wheel(world, inertia);
    btRigidBody& b = wheel(world, inertia);
    a.getBroadphaseHandle()->m_collisionFilterMask = 0;
    b.setAngularVelocity(vec(0, 0, 60));
    auto& spring = world.add<RotationalSpringDamper>(a, b, upright(), upright(),
                                                     SpringDamperParameters{.c = c, .d = d, .s_rel0 = 0.5});
    ReferenceMotion reference;
    reference.m = inertia / 2;
    reference.v = 60;
    reference.force = [=](double phi, double w, double) { return c * (phi - 0.5) + d * w; };
    const Difference worst = compare(world, reference, 60, spring, [&] { return spring.phi_rel(); });
    CAPTURE(worst.s);
    CHECK(worst.s < byPrecision(1e-7, 1e-5));
    CHECK(spring.tau() == Approx(c * (spring.phi_rel() - 0.5) + d * spring.w_rel()));
}

TEST_CASE("Spring, Damper and SpringDamperParallel along a line carry a hanging mass") {
    const double c = GENERATE(0.0, 800.0);
    const double d = GENERATE(0.0, 3.0, 200.0);
    TestWorld world;
    btRigidBody& mass = world.ball(kMass, 0, -1, 0);
    ForceElement* element = nullptr;
    if (d == 0) {
        element = &world.add<Spring>(mass, vec(0, 0, 0), vec(0, 0, 0), c, 0.9);
    } else if (c == 0) {
        element = &world.add<Damper>(mass, vec(0, 0, 0), vec(0, 0, 0), d);
    } else {
        element = &world.add<SpringDamperParallel>(mass, vec(0, 0, 0), vec(0, 0, 0),
                                                   SpringDamperParameters{.c = c, .d = d, .s_rel0 = 0.9});
    }
    ReferenceMotion reference;  // s = -y
    reference.m = kMass;
    reference.a = TestWorld::kGravity;
    reference.s = 1;
    reference.force = [=](double s, double v, double) { return c * (s - 0.9) + d * v; };
    const Difference worst = compare(world, reference, 60, *element, [&] { return element->s(); });
    CAPTURE(c, d, worst.s);
    CHECK(worst.s < allowed());
    CHECK(element->typeName() == std::string(d == 0 ? "Spring" : c == 0 ? "Damper" : "SpringDamperParallel"));
}

TEST_CASE("SpringDamperParallel along an axis may cross zero") {
    TestWorld world;
    world.world->setGravity(vec(0, 0, 0));
    btRigidBody& a = world.ball(1, 0, 0, 0);
    btRigidBody& b = world.ball(kMass, 0.1, 0, 0);
    b.setLinearVelocity(vec(-5, 0, 0));
    const auto spring = SpringDamperParallel::alongAxis(a, b, upright(), upright(), {.c = 300, .d = 0.4});
    world.world->addConstraint(spring.get(), true);
    ReferenceMotion reference;
    reference.m = kMass / (1 + kMass);
    reference.s = 0.1;
    reference.v = -5;
    reference.force = [](double s, double v, double) { return 300 * s + 0.4 * v; };
    const Difference worst = compare(world, reference, 60, *spring, [&] { return spring->s_rel(); });
    CHECK(worst.s < allowed());
    world.world->removeConstraint(spring.get());
}

TEST_CASE("SpringDamperSeries creeps under a weight") {
    const double hz = GENERATE(60.0, 240.0);
    const double c = GENERATE(1e3, 1e5);
    const double d = 50;
    TestWorld world;
    btRigidBody& mass = world.ball(kMass, 0, -1, 0);
    auto& series = world.add<SpringDamperSeries>(
        mass, vec(0, 0, 0), vec(0, 0, 0),
        SpringDamperSeriesParameters{.c = c, .d = d, .s_unstretched = 0.6, .s_damper_start = 0.3});
    CHECK(series.s_damper() == 0.3);
    ReferenceMotion reference;  // s = -y
    reference.m = kMass;
    reference.a = TestWorld::kGravity;
    reference.s = 1;
    reference.z = 0.3;
    reference.force = [=](double s, double, double z) { return c * (s - 0.6 - z); };
    reference.rate = [=](double f) { return f / d; };
    const Difference worst = compare(world, reference, hz, series, [&] { return series.s(); });
    CAPTURE(hz, c, worst.s, worst.z);
    CHECK(worst.s < allowed());
    CHECK(worst.z < allowed());
    CHECK(series.v_rel() == Approx(reference.v).epsilon(byPrecision(1e-6, 1e-5)));
}

TEST_CASE("parameters can be changed between ticks") {
    TestWorld world;
    btRigidBody& mass = world.ball(kMass, 0, 0, 0);
    auto& spring = world.add<SpringDamperParallel>(mass, vec(0, 0, 0), vec(0, 1, 0),
                                                   SpringDamperParameters{.c = 1e3, .d = 20, .s_rel0 = 1});
    world.tick(600);
    CHECK(spring.length() == Approx(1 + kMass * TestWorld::kGravity / 1e3).epsilon(1e-6));
    spring.setParameters({.c = 2e3, .d = 30, .s_rel0 = 0.9});
    CHECK(spring.parameters().c == 2e3);
    world.tick(600);
    CHECK(spring.length() == Approx(0.9 + kMass * TestWorld::kGravity / 2e3).epsilon(1e-6));
    CHECK_THROWS_WITH(spring.setParameters({.c = -1, .d = 0}), Catch::Contains("c = -1"));
    CHECK(spring.parameters().c == 2e3);
}
