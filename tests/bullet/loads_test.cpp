// Loads as functions of time.

#include <catch2/catch.hpp>

#include "reference_motion.h"
#include "test_world.h"

using namespace elasto;
using namespace elasto::test;

TEST_CASE("a sine acts inside the tick, not as a constant") {
    const double hz = GENERATE(60.0, 240.0);
    TestWorld world;
    world.world->setGravity(vec(0, 0, 0));
    btRigidBody& mass = world.ball(0.5, 0, -1, 0);
    auto& spring = world.add<SpringDamperParallel>(mass, vec(0, 0, 0), vec(0, 0, 0),
                                                   SpringDamperParameters{.c = 200, .d = 3, .s_rel0 = 1});
    world.plugin->addLoad(Load::sine(mass, Load::Kind::Force, vec(0, -1, 0), {.amplitude = 10, .f = 2, .phase = 0.3}));
    ReferenceMotion reference;
    reference.m = 0.5;
    reference.s = 1;
    double t = 0;
    reference.force = [&](double s, double v, double) { return 200 * (s - 1) + 3 * v; };
    double worst = 0;
    for (int i = 0; i < static_cast<int>(hz); ++i) {
        world.tick(1, hz);
        for (int k = 0; k < 1000; ++k) {
            reference.a = 10 * std::sin(4 * M_PI * (t + 0.5e-3 / hz) + 0.3) / 0.5;
            reference.advance(1e-3 / hz, 1);
            t += 1e-3 / hz;
        }
        worst = std::max(worst, std::fabs(spring.s() - reference.s));
    }
    CAPTURE(hz, worst);
    CHECK(worst < (hz < 100 ? 2e-6 : byPrecision(1e-7, 1e-6)));  // amplitude 0.1 m; the parabola's own error
    CHECK(world.plugin->time() == Approx(1).epsilon(1e-12));
}

TEST_CASE("of a load that swings a few times per second a body gets all") {
    constexpr double kForce = 10;
    constexpr double kOmega = 4 * M_PI;
    TestWorld world;
    world.world->setGravity(vec(0, 0, 0));
    btRigidBody& mass = world.ball(0.5, 0, 0, 0);
    mass.setAngularFactor(0);
    addThread(world, mass);
    world.plugin->addLoad(Load::sine(mass, Load::Kind::Force, vec(1, 0, 0), {.amplitude = kForce, .f = 2}));
    double worst = 0;
    for (int i = 1; i <= 60; ++i) {
        world.tick();
        const double t = i / 60.;
        const double way = kForce / 0.5 * (t / kOmega - std::sin(kOmega * t) / (kOmega * kOmega));
        worst = std::max(worst, std::fabs(static_cast<double>(mass.getWorldTransform().getOrigin().x()) - way));
    }
    CAPTURE(worst);
    CHECK(worst < byPrecision(2e-8, 1e-5));  // of 1.6 m; the parabola through start, middle and end is 1e-6 off
}

TEST_CASE("a sine has an offset before it starts") {
    TestWorld world;
    btRigidBody& mass = world.ball(1, 0, 0, 0);
    const Load load = Load::sine(mass, Load::Kind::Force, vec(0, -1, 0),
                                 {.amplitude = 10, .f = 2, .phase = 0.3, .offset = 1, .startTime = 0.1});
    CHECK(static_cast<double>(load.value(0.05).y()) == Approx(-1));
    CHECK(static_cast<double>(load.value(0.2).y()) == Approx(-1 - 10 * std::sin(4 * M_PI * 0.1 + 0.3)));
}

TEST_CASE("a torque and a table, and taking a load out") {
    TestWorld world;
    world.world->setGravity(vec(0, 0, 0));
    btRigidBody& wheel = world.ball(1, 0, 0, 0);
    wheel.setMassProps(1, vec(1, 1, 1));
    wheel.updateInertiaTensor();
    world.add<RotationalSpringDamper>(wheel, btTransform::getIdentity(), SpringDamperParameters{.c = 0, .d = 0});
    const auto load =
        world.plugin->addLoad(Load::table(wheel, Load::Kind::Torque, vec(0, 0, 2), {{0, 0}, {1, 3}, {2, 3}}));
    CHECK(static_cast<double>(load->value(-1).z()) == 0);
    CHECK(static_cast<double>(load->value(0.5).z()) == Approx(3));
    CHECK(static_cast<double>(load->value(9).z()) == Approx(6));
    world.tick(60);
    CHECK(static_cast<double>(wheel.getAngularVelocity().z()) == Approx(3).epsilon(byPrecision(1e-10, 1e-6)));
    world.plugin->removeLoad(load);
    world.tick(60);
    CHECK(static_cast<double>(wheel.getAngularVelocity().z()) == Approx(3).epsilon(byPrecision(1e-10, 1e-6)));
}

TEST_CASE("a load on a body without elements acts with its mean") {
    TestWorld world;
    world.world->setGravity(vec(0, 0, 0));
    btRigidBody& mass = world.ball(2, 0, 0, 0);
    world.plugin->addLoad(Load(mass, Load::Kind::Force, [](double t) { return vec(6 * t * t, 0, 0); }));
    world.plugin->addLoad(Load::constant(mass, Load::Kind::Torque, vec(0, 0, 1)));
    const double inertia = 1 / static_cast<double>(mass.getInvInertiaDiagLocal().x());
    world.tick(60);
    CHECK(static_cast<double>(mass.getLinearVelocity().x()) == Approx(1).epsilon(byPrecision(1e-10, 1e-5)));
    CHECK(static_cast<double>(mass.getAngularVelocity().z()) == Approx(1 / inertia).epsilon(1e-3));
}

TEST_CASE("loads see the plugin's time, which can be set") {
    TestWorld world;
    world.world->setGravity(vec(0, 0, 0));
    btRigidBody& mass = world.ball(1, 0, 0, 0);
    world.plugin->setTime(100);
    double first = -1;
    double last = -1;
    world.plugin->addLoad(Load(mass, Load::Kind::Force, [&](double t) {
        if (first < 0) {
            first = t;
        }
        last = std::max(last, t);
        return vec(0, 0, 0);
    }));
    world.tick(1, 100);
    CHECK(first == Approx(100 + 0.01 * (0.5 - std::sqrt(0.15))).epsilon(1e-14));  // Gauss's first point
    CHECK(last >= 100.01 - 1e-9);
    CHECK(world.plugin->time() == Approx(100.01));
    CHECK_THROWS_WITH(world.plugin->setTime(NAN), Catch::Contains("time"));
}

TEST_CASE("a constant load leaves the closed form exact") {
    TestWorld world;
    world.world->setGravity(vec(0, 0, 0));
    btRigidBody& mass = world.ball(0.2, 0, 0.3, 0);
    auto& stop = world.add<ElastoGap>(mass, upwards(), upwards(), ElastoGapParameters{.c = 1e6, .d = 0});
    world.plugin->addLoad(Load::constant(mass, Load::Kind::Force, vec(0, -0.2 * TestWorld::kGravity, 0)));
    const DroppedMass exact(0.2, 0.3, 1e6);
    for (int i = 1; i <= 120; ++i) {
        world.tick();
        CHECK(heightOf(mass) == Approx(exact.at(i / 60.0).y).margin(byPrecision(1e-8, 1e-6)));
        CHECK((stop.method() == FlowMethod::Free || stop.method() == FlowMethod::ClosedForm));
    }
}

TEST_CASE("a load that begins between ticks, or anywhere in one, wakes its body") {
    const double share = GENERATE(0., 0.05, 0.5, 0.95);  // of a tick
    TestWorld world;
    world.world->setGravity(vec(0, 0, 0));
    btRigidBody& sleeper = world.ball(1, 0, 0, 0);
    sleeper.forceActivationState(ACTIVE_TAG);
    world.add<SpringDamperParallel>(sleeper, vec(0, 0, 0), vec(0, 2, 0),
                                    SpringDamperParameters{.c = 100, .d = 50, .s_rel0 = 2});
    const double begin = (300 + share) / 60;
    world.plugin->addLoad(
        Load(sleeper, Load::Kind::Force, [begin](double t) { return vec(0, t >= begin - 1e-12 ? 10 : 0, 0); }));
    world.tick(298);  // the next tick is looked at when one ends
    REQUIRE(sleeper.getActivationState() == ISLAND_SLEEPING);
    world.tick(31);
    CAPTURE(share);
    CHECK(sleeper.getActivationState() == ACTIVE_TAG);
    CHECK(heightOf(sleeper) > 0.05);
}
