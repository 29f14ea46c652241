// What users do to bodies between ticks: pushes and teleports. And what they leave alone keeps its full precision.

#include <BulletDynamics/Dynamics/btActionInterface.h>

#include <catch2/catch.hpp>

#include "test_world.h"

using namespace elasto;
using namespace elasto::test;

TEST_CASE("a body's state is kept in double precision through Bullet's rounding") {
    // 1 km from the origin a float has 6e-5 m: a spring of 1e6 N/m would jitter by 60 N.
    TestWorld world;
    btRigidBody& mass = world.ball(1, 1000, 1000, 0);
    auto& stop = world.add<ElastoGap>(mass, upwards(), upwards(1000, 1000, 0), ElastoGapParameters{.c = 1e6, .d = 500});
    world.tick(300);
    CHECK(stop.meanForce() == Approx(-TestWorld::kGravity).epsilon(byPrecision(1e-9, 1e-6)));
    CHECK(stop.f() == Approx(-TestWorld::kGravity).epsilon(byPrecision(1e-6, 1e-6)));
}

TEST_CASE("a push counts from where the body is") {
    TestWorld world;
    world.world->setGravity(vec(0, 0, 0));
    btRigidBody& mass = world.ball(2, 0, 0, 0);
    auto& damper = world.add<Damper>(mass, vec(0, 0, 0), vec(0, 5, 0), 0);
    world.tick();
    mass.applyCentralImpulse(vec(0, 3, 0));
    CHECK(damper.v_rel() == Approx(-1.5));
    world.tick(60);
    CHECK(heightOf(mass) == Approx(1.5).epsilon(byPrecision(1e-12, 1e-6)));
    CHECK(world.plugin->energy().pushed == Approx(0.5 * 2 * 1.5 * 1.5).epsilon(1e-6));
}

TEST_CASE("a teleport measures s again and keeps the damper's length") {
    TestWorld world;
    world.world->setGravity(vec(0, 0, 0));
    btRigidBody& mass = world.ball(1, 0, -1, 0);
    auto& series = world.add<SpringDamperSeries>(
        mass, vec(0, 0, 0), vec(0, 0, 0),
        SpringDamperSeriesParameters{.c = 100, .d = 10, .s_unstretched = 0.5, .s_damper_start = 0.5});
    world.tick(10);
    CHECK(series.s_damper() == Approx(0.5));
    mass.setWorldTransform(at(0, -1.2, 0));
    CHECK(series.s() == Approx(1.2));
    CHECK(series.s_damper() == Approx(0.5));
    CHECK(series.f() == Approx(20));
    world.tick();
    CHECK(series.s_damper() > 0.5);
    CHECK(world.plugin->energy().pushed == Approx(2).epsilon(1e-5));
    series.setS_damper(0.7);
    CHECK(series.s_damper() == 0.7);
    CHECK_THROWS_WITH(series.setS_damper(NAN), Catch::Contains("s_damper"));
}

TEST_CASE("a teleported angle stays on the nearest turn") {
    TestWorld world;
    world.world->setGravity(vec(0, 0, 0));
    btRigidBody& wheel = world.ball(1, 0, 0, 0);
    wheel.setAngularVelocity(vec(0, 0, 10));
    auto& spring =
        world.add<RotationalSpringDamper>(wheel, btTransform::getIdentity(), SpringDamperParameters{.c = 0, .d = 0});
    world.tick(60);
    REQUIRE(spring.phi_rel() == Approx(10).epsilon(1e-5));
    wheel.setWorldTransform(btTransform(btQuaternion(vec(0, 0, 1), btScalar(10.3))));
    CHECK(spring.phi_rel() == Approx(10.3).epsilon(1e-5));
}

TEST_CASE("a user's action may move bodies after ours") {
    struct Lift : btActionInterface {
        btRigidBody* body = nullptr;
        double seen = 0;
        void updateAction(btCollisionWorld*, btScalar) override {
            seen = heightOf(*body);
            body->setWorldTransform(at(0, 1, 0));
        }
        void debugDraw(btIDebugDraw*) override {}
    };
    TestWorld world(false);
    Lift lift;
    world.world->addAction(&lift);  // before the plugin
    world.install();
    btRigidBody& mass = world.ball(1, 0, 1, 0);
    lift.body = &mass;
    world.add<Damper>(mass, vec(0, 0, 0), vec(0, 5, 0), 0);
    world.tick();
    const double h = 1.0 / 60;
    CHECK(lift.seen == Approx(1 - TestWorld::kGravity * h * h / 2).epsilon(byPrecision(1e-14, 1e-6)));
    CHECK(heightOf(mass) == 1);
    world.tick();
    CHECK(lift.seen == Approx(1 - TestWorld::kGravity * h * h * 1.5).epsilon(byPrecision(1e-14, 1e-6)));
    world.world->removeAction(&lift);
}
