// When networks fall asleep, and when they do not.

#include <catch2/catch.hpp>

#include "test_world.h"

using namespace elasto;
using namespace elasto::test;

TEST_CASE("a slow swing is not called rest") {
    // Bullet alone sends anything below 0.8 m/s to sleep after 2 s: this one never reaches 0.1 m/s.
    TestWorld world;
    world.world->setGravity(vec(0, 0, 0));
    btRigidBody& mass = world.ball(1, 0, -1.05, 0);
    mass.forceActivationState(ACTIVE_TAG);
    world.add<Spring>(mass, vec(0, 0, 0), vec(0, 0, 0), 3, 1);
    for (int i = 0; i < 1200; ++i) {
        world.tick();
        REQUIRE(mass.getActivationState() == ACTIVE_TAG);
    }
    const double omega = std::sqrt(3.0);
    CHECK(heightOf(mass) == Approx(-1 - 0.05 * std::cos(omega * 20)).margin(byPrecision(1e-8, 1e-5)));
}

TEST_CASE("an oscillation whose turning points fall on the ticks is not called rest") {
    // Period = tick: at every tick's end the mass stands still where it started.
    TestWorld world;
    world.world->setGravity(vec(0, 0, 0));
    btRigidBody& mass = world.ball(1, 0, -1.001, 0);
    mass.forceActivationState(ACTIVE_TAG);
    const double omega = 2 * M_PI * 60;
    world.add<Spring>(mass, vec(0, 0, 0), vec(0, 0, 0), omega * omega, 1);
    world.tick(300);
    CHECK(mass.getActivationState() == ACTIVE_TAG);
}

TEST_CASE("a jointed oscillation whose turning points fall on the ticks is not called rest") {
    const double ticks = GENERATE(1., 2.);  // its period
    TestWorld world;
    world.world->setGravity(vec(0, 0, 0));
    btRigidBody& carriage = world.box(1, 0.001, 0, 0);
    carriage.forceActivationState(ACTIVE_TAG);
    auto& slider = world.add<btSliderConstraint>(carriage, at(0, 0, 0), true);
    slider.setLowerLinLimit(1);
    slider.setUpperLinLimit(-1);
    const double omega = 2 * M_PI * 60 / ticks;
    auto& spring =
        world.add<SpringDamperParallel>(Placement::alongAxis(Placement::world(), carriage, at(0, 0, 0), at(0, 0, 0)),
                                        SpringDamperParameters{.c = omega * omega, .d = 0});
    CAPTURE(ticks);
    for (int i = 0; i < 300; ++i) {
        world.tick();
        REQUIRE(carriage.getActivationState() == ACTIVE_TAG);
    }
    CHECK_FALSE(spring.uncoupled());
    CHECK(carriage.getLinearVelocity().length() < btScalar(byPrecision(1e-4, 1e-2)));
}

TEST_CASE("a damped mass comes to rest, sleeps, stays, and wakes where it was") {
    TestWorld world;
    btRigidBody& mass = world.ball(1, 0, 0.1, 0);
    mass.forceActivationState(ACTIVE_TAG);
    auto& stop = world.add<ElastoGap>(mass, upwards(), upwards(), ElastoGapParameters{.c = 1e5, .d = 300});
    int ticks = 0;
    while (mass.isActive() && ticks < 2000) {
        world.tick();
        ++ticks;
    }
    CAPTURE(ticks);
    REQUIRE(mass.getActivationState() == ISLAND_SLEEPING);
    CHECK(ticks > 120);  // Bullet's 2 s, after it has come to rest
    const double sunk = -TestWorld::kGravity / 1e5;
    CHECK(heightOf(mass) == Approx(sunk).epsilon(byPrecision(1e-6, 1e-3)));
    const double height = heightOf(mass);
    const double heat = stop.heat();
    world.tick(100);
    CHECK(world.plugin->statistics().elements == 0);
    CHECK(heightOf(mass) == height);
    CHECK(stop.heat() == heat);
    CHECK(stop.f() == Approx(-TestWorld::kGravity).epsilon(byPrecision(1e-6, 1e-2)));
    mass.activate();
    world.tick();
    CHECK(world.plugin->statistics().elements == 1);
    CHECK(heightOf(mass) == Approx(height).margin(1e-9));
}

TEST_CASE("the thresholds of rest can be set") {
    TestWorld world;
    world.world->setGravity(vec(0, 0, 0));
    world.plugin->setRestThresholds({.speed = 10, .angularSpeed = 10, .acceleration = 1e6, .angularAcceleration = 1e6});
    btRigidBody& mass = world.ball(1, 0, -1.05, 0);
    mass.forceActivationState(ACTIVE_TAG);
    world.add<Spring>(mass, vec(0, 0, 0), vec(0, 0, 0), 3, 1);
    world.tick(150);
    CHECK(mass.getActivationState() == ISLAND_SLEEPING);
    CHECK_THROWS_WITH(world.plugin->setRestThresholds({.speed = -1}), Catch::Contains("speed"));
    CHECK(world.plugin->restThresholds().speed == 10);
}

TEST_CASE("a load that changes wakes its body") {
    TestWorld world;
    world.world->setGravity(vec(0, 0, 0));
    btRigidBody& mass = world.ball(1, 0, -1, 0);
    mass.forceActivationState(ACTIVE_TAG);
    world.add<SpringDamperParallel>(mass, vec(0, 0, 0), vec(0, 0, 0),
                                    SpringDamperParameters{.c = 100, .d = 20, .s_rel0 = 1});
    world.plugin->addLoad(Load::table(mass, Load::Kind::Force, vec(0, 1, 0), {{0, 0}, {5, 0}, {5.5, 2}}));
    world.tick(200);
    REQUIRE(mass.getActivationState() == ISLAND_SLEEPING);
    world.tick(300);
    CHECK(heightOf(mass) == Approx(-1 + 0.02).epsilon(1e-3));
}

TEST_CASE("who changes an element wakes what sleeps on it") {
    TestWorld world;
    world.world->setGravity(vec(0, 0, 0));
    btRigidBody& mass = world.ball(1, 0, -1, 0);
    mass.forceActivationState(ACTIVE_TAG);
    SpringDamperParallel& spring = world.add<SpringDamperParallel>(
        mass, vec(0, 0, 0), vec(0, 0, 0), SpringDamperParameters{.c = 100, .d = 20, .s_rel0 = 1});
    world.tick(200);
    REQUIRE(mass.getActivationState() == ISLAND_SLEEPING);
    SECTION("by its parameters") {
        spring.setParameters({.c = 100, .d = 20, .s_rel0 = 1.5});
        CHECK(mass.isActive());
        world.tick(300);
        CHECK(heightOf(mass) == Approx(-1.5).epsilon(1e-4));
    }
    SECTION("by its inner state, or its guard") {
        spring.setS_small(1e-6);
        CHECK(mass.isActive());
    }
    SECTION("and not by its name") {
        spring.setName("spring");
        CHECK_FALSE(mass.isActive());
    }
}
