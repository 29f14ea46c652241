// Contacts that Bullet makes soft, in networks with elements.

#include <catch2/catch.hpp>

#include <algorithm>
#include <cmath>

#include "contact_scenes.h"

using namespace elasto;
using namespace elasto::test;

TEST_CASE("a press on a soft crate keeps its force, and the crate sinks as its stiffness says") {
    const double hz = GENERATE(60., 240.);
    const double k = GENERATE(1e4, 1e5);
    const double load = 200;
    const auto run = [&](int iterations) {
        TestWorld world;
        world.world->getSolverInfo().m_numIterations = iterations;
        addFloor(world);
        btRigidBody& crate = addCrate(world, 0, 0.5 - 1e-4, 0);
        crate.setContactStiffnessAndDamping(btScalar(k), btScalar(20));
        ElastoGap& press = addPress(world, crate, load, 1e4, 20);
        world.tick(static_cast<int>(2 * hz), hz);
        CHECK_FALSE(press.uncoupled());
        CHECK(world.messages.empty());
        const double force = -press.meanForce();
        // As deep as its four corners let it go.
        const double sunk = 0.5 - heightOf(crate);
        CAPTURE(hz, k, force, sunk);
        CHECK(sunk == Approx((force + TestWorld::kGravity) / (4 * k)).epsilon(byPrecision(1e-4, 2e-2)));
        CHECK(force == Approx(load - 1e4 * (sunk - 1e-4)).epsilon(byPrecision(1e-4, 1e-2)));
        return crate.getWorldTransform();
    };
    const btTransform few = run(1);
    CHECK(few == run(10));
    CHECK(few == run(50));
}

TEST_CASE("a ball that bounces on a soft floor beside a stop gains no energy") {
    const double hz = GENERATE(60., 240.);
    TestWorld world;
    addFloor(world);
    btRigidBody& ball = world.body(1, new btSphereShape(btScalar(0.25)), at(0, 0.5, 0));
    ball.setContactStiffnessAndDamping(2000, 20);
    ball.setFriction(btScalar(0.5));
    ball.setLinearVelocity(vec(2, 0, 0));
    const btQuaternion back(vec(0, 1, 0), SIMD_PI);  // x to the left
    auto& stop = world.add<ElastoGap>(ball, btTransform(back, vec(0, 0, 0)), btTransform(back, vec(0.5, 0.25, 0)),
                                      ElastoGapParameters{.c = 1e4, .d = 20});
    // The floor's spring is in the book of contacts.
    double highest = 0;
    double path = 0;  // [m]: what stands still gains nothing, either
    const double start = energyOf(ball);
    for (int i = 0; i < static_cast<int>(3 * hz); ++i) {
        const btVector3 place = ball.getWorldTransform().getOrigin();
        world.tick(1, hz);
        path += static_cast<double>((ball.getWorldTransform().getOrigin() - place).length());
        highest = std::max(highest, energyOf(ball) + stop.storedEnergy() - start);
        CHECK_FALSE(stop.uncoupled());
    }
    CHECK(highest < byPrecision(1e-9, 1e-4));
    CHECK(path > 1);
    CHECK(heightOf(ball) == Approx(0.25 - TestWorld::kGravity / 2000).margin(byPrecision(1e-3, 2e-3)));
}

TEST_CASE("contacts are soft by CFM and ERP of the world") {
    TestWorld world;
    world.world->getSolverInfo().m_globalCfm = btScalar(1e-3);
    world.world->getSolverInfo().m_erp2 = btScalar(0.25);
    addFloor(world);
    btRigidBody& crate = addCrate(world, 0, 0.5 - 1e-4, 0);
    ElastoGap& press = addPress(world, crate, 300, 1e4, 20);
    world.tick(240);
    CHECK_FALSE(press.uncoupled());
    const double k = 0.25 * 60 / 1e-3;
    const double sunk = 0.5 - heightOf(crate);
    CHECK(sunk == Approx((-press.meanForce() + TestWorld::kGravity) / (4 * k)).epsilon(byPrecision(1e-4, 2e-2)));
}

TEST_CASE("bodies that fall fast on a soft floor gain no energy and settle where it bears them", "[slow]") {
    const double hz = GENERATE(60., 240.);
    const double k = GENERATE(1e3, 1e4, 1e5, 1e6);
    const bool isBox = GENERATE(true, false);
    const double damping = GENERATE(0., 0.05, 0.7);
    TestWorld world;
    addFloor(world);
    btCollisionShape* shape =
        isBox ? static_cast<btCollisionShape*>(new btBoxShape(vec(0.5, 0.5, 0.5))) : new btSphereShape(btScalar(0.5));
    btRigidBody& body = world.body(1, shape, at(0, 1.3, 0));
    body.setContactStiffnessAndDamping(btScalar(k), btScalar(damping * std::sqrt(k)));
    body.setLinearVelocity(vec(0, -6, 0));
    auto& thread = world.add<SpringDamperParallel>(body, vec(0, 0, 0), vec(0, 3, 0),
                                                   SpringDamperParameters{.c = 1, .d = 0, .s_rel0 = 1});
    const double start = energyOf(body) + thread.storedEnergy();
    double highest = 0;
    double lifted = 0;
    for (int i = 0; i < static_cast<int>(6 * hz); ++i) {
        world.tick(1, hz);
        lifted = -world.plugin->energy().exchanged;
        highest = std::max(highest, energyOf(body) + thread.storedEnergy() - start - lifted);
    }
    const double force = TestWorld::kGravity - thread.f();
    const double sunk = force / ((isBox ? 4 : 1) * k);
    CAPTURE(hz, k, isBox, damping, highest, lifted, heightOf(body), sunk);
    CHECK(world.plugin->totals().uncoupled == 0);
    CHECK(highest < byPrecision(1e-9, 1e-3));
    CHECK(lifted < 0.05 * start);
    if (damping > 0.5) CHECK(heightOf(body) == Approx(0.5 - sunk).margin(byPrecision(1e-5, 1e-4)));
}

TEST_CASE("soft bodies that are put inside each other are not shot apart") {
    const double depth = GENERATE(0.01, 0.15);
    const double k = GENERATE(1e4, 1e5);
    TestWorld world;
    world.world->setGravity(vec(0, 0, 0));
    btRigidBody& first = addCrate(world, 0, 0, 0);
    btRigidBody& second = addCrate(world, 1 - depth, 0, 0);
    for (btRigidBody* crate : {&first, &second}) crate->setContactStiffnessAndDamping(btScalar(k), 10);
    world.add<SpringDamperParallel>(first, vec(0, 0, 0), vec(0, 3, 0), SpringDamperParameters{.c = 0, .d = 1e-3});
    CAPTURE(depth, k);
    for (int i = 0; i < 60; ++i) {
        world.tick();
        REQUIRE(first.getLinearVelocity().length() < 0.05);
        REQUIRE(second.getLinearVelocity().length() < 0.05);
    }
    // They come out all the same.
    const double apart =
        static_cast<double>(second.getWorldTransform().getOrigin().x() - first.getWorldTransform().getOrigin().x());
    CHECK(1 - apart < 0.1 * depth + 2e-3);
}

TEST_CASE("soft balls that are put inside each other may pass each other") {
    const double depth = GENERATE(0.05, 0.15);
    TestWorld world;
    world.world->setGravity(vec(0, 0, 0));
    btRigidBody& first = world.ball(1, 0, 0, 0, 0.2);
    btRigidBody& second = world.ball(1, 0.4 - depth, 0, 0, 0.2);
    for (btRigidBody* ball : {&first, &second}) ball->setContactStiffnessAndDamping(btScalar(1e5), 10);
    second.setLinearVelocity(vec(0, 0.5, 0));
    world.add<SpringDamperParallel>(first, vec(0, 0, 0), vec(0, 0, 3), SpringDamperParameters{.c = 0, .d = 1e-3});
    CAPTURE(depth);
    for (int i = 0; i < 60; ++i) {
        world.tick();
        REQUIRE(first.getLinearVelocity().length() < 0.6);
        REQUIRE(second.getLinearVelocity().length() < 0.6);
    }
}

TEST_CASE("a soft crate that is put deeper into the floor is not shot up") {
    const double depth = GENERATE(0.005, 0.1);
    TestWorld world;
    addFloor(world);
    btRigidBody& crate = addCrate(world, 0, 0.5, 0);
    crate.setContactStiffnessAndDamping(btScalar(1e5), 100);
    world.add<SpringDamperParallel>(crate, vec(0, 0, 0), vec(0, 3, 0), SpringDamperParameters{.c = 0, .d = 1e-3});
    world.tick(30);
    const double rest = heightOf(crate);
    btTransform pose = crate.getWorldTransform();
    pose.getOrigin() -= vec(0, depth, 0);
    crate.setWorldTransform(pose);
    crate.setLinearVelocity(vec(0, 0, 0));
    CAPTURE(depth);
    for (int i = 0; i < 60; ++i) {
        world.tick();
        REQUIRE(static_cast<double>(crate.getLinearVelocity().y()) < 0.1);
        REQUIRE(heightOf(crate) < rest + 1e-3);
    }
}
