// How Bullet hands its islands to the solver.

#include <BulletCollision/CollisionDispatch/btSimulationIslandManager.h>

#include <catch2/catch.hpp>

#include "test_world.h"

using namespace elasto;
using namespace elasto::test;

namespace {

// Dropped masses, each alone; boxes that fall on a floor among them.
struct Mixed {
    TestWorld world;
    std::vector<btRigidBody*> masses;

    Mixed() {
        world.body(0, new btBoxShape(vec(50, 1, 50)), at(0, -11, 0));
        for (int i = 0; i < 10; ++i) {
            masses.push_back(&world.ball(0.2, i, 0.3, 0));
            world.add<ElastoGap>(*masses.back(), upwards(), upwards(i, 0, 0), ElastoGapParameters{.c = 1e6, .d = 0});
            world.box(1, i, -9.9, 0);
            world.box(1, i, -9.6, 0);
        }
    }
    void check() {
        const DroppedMass exact(0.2, 0.3, 1e6);
        for (int i = 1; i <= 60; ++i) {
            world.tick();
            for (const btRigidBody* mass : masses) {
                REQUIRE(heightOf(*mass) == Approx(exact.at(i / 60.0).y).margin(byPrecision(1e-8, 1e-6)));
            }
        }
        CHECK(world.plugin->statistics().networks == 10);
        CHECK(world.plugin->totals().uncoupled == 0);
    }
};

}  // namespace

TEST_CASE("one call of the solver may hold several islands") {
    const int batch = GENERATE(1, 16, 128, 100000);
    Mixed mixed;
    mixed.world.world->getSolverInfo().m_minimumSolverBatchSize = batch;
    mixed.check();
}

TEST_CASE("islands need not be split") {
    Mixed mixed;
    mixed.world.world->getSimulationIslandManager()->setSplitIslands(false);
    mixed.check();
}

TEST_CASE("sleeping bodies of unsplit islands are left alone") {
    TestWorld world;
    world.world->getSimulationIslandManager()->setSplitIslands(false);
    btRigidBody& sleeper = world.ball(1, 0, 1, 0);
    world.add<Spring>(sleeper, vec(0, 0, 0), vec(0, 3, 0), 10, 1);
    btRigidBody& awake = world.ball(1, 3, 1, 0);
    world.add<Spring>(awake, vec(0, 0, 0), vec(3, 3, 0), 10, 1);
    sleeper.forceActivationState(ISLAND_SLEEPING);
    world.tick(10);
    CHECK(heightOf(sleeper) == 1);
    CHECK(heightOf(awake) != 1);
    CHECK(world.plugin->statistics().networks == 1);
}

TEST_CASE("a body taken out of the simulation holds its place") {
    TestWorld world;
    btRigidBody& held = world.ball(1, 0, 0, 0);
    held.forceActivationState(DISABLE_SIMULATION);
    btRigidBody& mass = world.ball(1, 0, -1, 0);
    world.add<SpringDamperParallel>(held, mass, vec(0, 0, 0), vec(0, 0, 0),
                                    SpringDamperParameters{.c = 100, .d = 20, .s_rel0 = 1});
    world.tick(600);
    CHECK(heightOf(held) == 0);
    CHECK(heightOf(mass) == Approx(-1 - TestWorld::kGravity / 100).epsilon(1e-5));
}

TEST_CASE("bodies connected by elements form one network, through whatever chain") {
    TestWorld world;
    world.world->setGravity(vec(0, 0, 0));
    std::vector<btRigidBody*> chain;
    for (int i = 0; i < 6; ++i) {
        chain.push_back(&world.ball(1, i, 0, 0));
    }
    for (const int i : {4, 0, 2, 3, 1}) {
        world.add<Spring>(*chain[static_cast<std::size_t>(i)], *chain[static_cast<std::size_t>(i) + 1], vec(0, 0, 0),
                          vec(0, 0, 0), 100, 1);
    }
    chain[0]->setLinearVelocity(vec(-1, 0, 0));
    world.tick();
    CHECK(world.plugin->statistics().networks == 1);
    CHECK(world.plugin->statistics().elements == 5);
    world.tick(60);
    double momentum = 0;
    for (const btRigidBody* body : chain) {
        momentum += static_cast<double>(body->getLinearVelocity().x());
    }
    CHECK(momentum == Approx(-1).epsilon(byPrecision(1e-12, 1e-6)));
    CHECK(chain[5]->getLinearVelocity().x() != 0);
}

namespace {

// What falls asleep and is woken again, by bodies and by a kinematic paddle; joints, gaps, boxes on each other.
struct Restless {
    TestWorld world;
    btRigidBody* paddle = nullptr;

    Restless(bool isLinear, int batch, bool isFixedOrder, int solverMode) {
        world.plugin->setLinearIslands(isLinear);
        world.world->getSolverInfo().m_minimumSolverBatchSize = batch;
        world.world->getSolverInfo().m_solverMode |= solverMode;
        world.world->getDispatchInfo().m_deterministicOverlappingPairs = isFixedOrder;
        world.body(0, new btBoxShape(vec(50, 1, 50)), at(0, -1, 0));
        paddle = &world.body(0, new btBoxShape(vec(0.2, 0.5, 2)), at(-3, 0.5, 0));
        paddle->setCollisionFlags(btCollisionObject::CF_KINEMATIC_OBJECT);
        for (int i = 0; i < 8; ++i) {
            for (int k = 0; k <= i % 3; ++k) sleeper(world.box(1, 0.5 * i, 0.1 + 0.2 * k, 0));
            btRigidBody& mass = world.ball(0.2, i, 0.2, 5);
            world.add<ElastoGap>(mass, upwards(), upwards(i, 0.1, 5), ElastoGapParameters{.c = 1e5, .d = 20});
            sleeper(mass);
            btRigidBody& door = world.box(1, i, 0.11 + 0.3 * (i % 2), -5);
            world.add<btPoint2PointConstraint>(door, vec(0.1, 0, 0));
            sleeper(door);
        }
    }
    static void sleeper(btRigidBody& body) {
        body.forceActivationState(ACTIVE_TAG);
        body.setDeactivationTime(0);
    }
    void tick(int count) {
        const double x = -3 + (count < 240 ? 0 : 0.02 * (count - 240));
        btTransform pose = at(x, 0.5, 0);
        paddle->setWorldTransform(pose);
        if (count == 300) world.bodies.back()->activate();
        world.tick();
    }
};

}  // namespace

TEST_CASE("islands that find their constraints at once are Bullet's own, bit for bit", "[slow]") {
    const int batch = GENERATE(1, 5, 128);
    const bool isFixedOrder = GENERATE(false, true);
    const int solverMode = GENERATE(0, static_cast<int>(SOLVER_RANDMIZE_ORDER));
    CAPTURE(batch, isFixedOrder, solverMode);
    Restless linear(true, batch, isFixedOrder, solverMode);
    Restless bullets(false, batch, isFixedOrder, solverMode);
    int asleep = 0;
    int woken = 0;
    std::vector<int> before(bullets.world.bodies.size(), ACTIVE_TAG);
    for (int i = 0; i < 480; ++i) {
        linear.tick(i);
        bullets.tick(i);
        bool isSame = true;
        for (std::size_t k = 0; k < bullets.world.bodies.size(); ++k) {
            const btRigidBody& ours = *linear.world.bodies[k];
            const btRigidBody& theirs = *bullets.world.bodies[k];
            isSame = isSame && ours.getWorldTransform() == theirs.getWorldTransform() &&
                     ours.getLinearVelocity() == theirs.getLinearVelocity() &&
                     ours.getAngularVelocity() == theirs.getAngularVelocity() &&
                     ours.getActivationState() == theirs.getActivationState();
            asleep += theirs.getActivationState() == ISLAND_SLEEPING ? 1 : 0;
            woken += before[k] == ISLAND_SLEEPING && theirs.isActive() ? 1 : 0;
            before[k] = theirs.getActivationState();
        }
        CAPTURE(i);
        REQUIRE(isSame);
        REQUIRE(linear.world.world->getSimulationIslandManager()->getSplitIslands());
    }
    CHECK(asleep > 1000);
    CHECK(woken > 5);
}
