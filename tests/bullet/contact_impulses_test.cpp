// The impulses that Bullet's contact points report of networks solved by the flow.

#include <catch2/catch.hpp>

#include <algorithm>
#include <cmath>

#include "contact_readouts.h"
#include "contact_scenes.h"

using namespace elasto;
using namespace elasto::test;

namespace {

constexpr double kGravity = TestWorld::kGravity;

double momentum(const btRigidBody& body, int axis) {
    return static_cast<double>(body.getMass()) * static_cast<double>(body.getLinearVelocity()[axis]);
}

// What Bullet's callback was told in the present tick, of the one before.
double toldImpulse = 0;

bool tell(btManifoldPoint& point, void* /*bodyA*/, void* /*bodyB*/) {
    toldImpulse += static_cast<double>(point.getAppliedImpulse());
    return true;
}

}  // namespace

TEST_CASE("Bullet's contact callback is told what a body at rest weighs and bears") {
    const double hz = GENERATE(60., 240.);
    TestWorld world;
    addFloor(world);
    btRigidBody& crate = addCrate(world, 0, 0.5, 0);
    ElastoGap& press = addPress(world, crate, 100, 1e4, 10);
    world.tick(10, hz);
    gContactProcessedCallback = tell;
    for (int i = 0; i < 20; ++i) {
        const double told = -press.meanForce() + kGravity;
        toldImpulse = 0;
        world.tick(1, hz);
        CHECK(toldImpulse * hz == Approx(told).epsilon(byPrecision(1e-9, 1e-4)));
    }
    gContactProcessedCallback = nullptr;
}

TEST_CASE("contact points report the momentum of an impact") {
    const double hz = GENERATE(60., 240.);
    const double restitution = GENERATE(0., 0.6);
    TestWorld world;
    world.body(0, new btStaticPlaneShape(vec(0, 1, 0), 0), at(0, 0, 0)).setRestitution(1);
    btRigidBody& ball = world.ball(2, 0, 0.3, 0, 0.25);
    ball.setRestitution(btScalar(restitution));
    addThread(world, ball);
    double highest = 0;
    for (int i = 0; i < static_cast<int>(hz); ++i) {
        const double before = momentum(ball, 1);
        world.tick(1, hz);
        const double reported = static_cast<double>(reactionOn(world, ball).y());
        CAPTURE(hz, restitution, i);
        REQUIRE(reported == Approx(momentum(ball, 1) - before + 2 * kGravity / hz).margin(byPrecision(1e-7, 1e-4)));
        highest = std::max(highest, reported);
    }
    CHECK(highest > 2 * (1 + restitution) * 0.7);  // the impact was seen
}

TEST_CASE("both bodies of an impact report the same impulse") {
    const double hz = GENERATE(60., 240.);
    TestWorld world;
    world.world->setGravity(vec(0, 0, 0));
    btRigidBody& left = world.ball(1, -0.4, 0, 0, 0.25);
    btRigidBody& right = world.ball(3, 0.4, 0.1, 0, 0.25);
    for (btRigidBody* ball : {&left, &right}) {
        ball->setRestitution(btScalar(0.8));
        ball->setFriction(btScalar(0.7));
    }
    left.setLinearVelocity(vec(2, 0, 0));
    addThread(world, left);
    addThread(world, right);
    bool isHit = false;
    for (int i = 0; i < static_cast<int>(0.4 * hz); ++i) {
        const btVector3 leftBefore = left.getLinearVelocity();
        const btVector3 rightBefore = right.getLinearVelocity();
        world.tick(1, hz);
        const btVector3 onLeft = reactionOn(world, left);
        const btVector3 onRight = reactionOn(world, right);
        REQUIRE(static_cast<double>((onLeft + onRight).length()) < byPrecision(1e-12, 1e-5));
        // Bullet's normal is that of the tick's start; the balls turn about each other until they hit.
        REQUIRE(static_cast<double>((left.getLinearVelocity() - leftBefore - onLeft).length()) < 3e-3);
        REQUIRE(static_cast<double>((3 * (right.getLinearVelocity() - rightBefore) - onRight).length()) < 3e-3);
        isHit = isHit || onLeft.length() > btScalar(0.5);
    }
    CHECK(isHit);
}

TEST_CASE("contact points report friction that slides, stops within a tick and holds") {
    const double hz = GENERATE(60., 240.);
    constexpr double kPull = 3;  // [N], less than friction holds
    TestWorld world;
    addFloor(world).setFriction(1);
    btRigidBody& crate = addCrate(world, 0, 0.5, 0);
    crate.setFriction(btScalar(0.5));
    addPress(world, crate, 20, 100, 0);
    world.tick(5, hz);
    auto& spring =
        world.add<SpringDamperParallel>(Placement::alongAxis(Placement::world(), crate, Eigen::Vector3d(0, 0.5, 0),
                                                             Eigen::Vector3d::Zero(), Eigen::Vector3d::UnitX()),
                                        SpringDamperParameters{.c = 1, .d = 0, .s_rel0 = -kPull});
    crate.setLinearVelocity(vec(0.5, 0, 0));
    double most = 0;
    for (int i = 0; i < static_cast<int>(0.5 * hz); ++i) {
        const double before = momentum(crate, 0);
        world.tick(1, hz);
        const btVector3 reaction = reactionOn(world, crate);
        const double expected = momentum(crate, 0) - before + spring.meanForce() / hz;
        CAPTURE(hz, i);
        REQUIRE(static_cast<double>(reaction.x()) == Approx(expected).margin(byPrecision(1e-7, 1e-4)));
        REQUIRE(std::abs(static_cast<double>(reaction.z())) < byPrecision(1e-9, 1e-5));
        most = std::max(most, std::abs(static_cast<double>(reaction.x())) * hz);
    }
    CHECK(most == Approx(0.5 * (20 + kGravity)).epsilon(byPrecision(1e-6, 1e-3)));
    CHECK(static_cast<double>(crate.getLinearVelocity().length()) < byPrecision(1e-9, 1e-5));
    CHECK(static_cast<double>(reactionOn(world, crate).x()) * hz ==
          Approx(spring.f()).epsilon(byPrecision(1e-6, 1e-3)));
}

TEST_CASE("triggers report contacts without impulses") {
    TestWorld world;
    addFloor(world);
    btRigidBody& crate = addCrate(world, 0, 0.5, 0);
    btRigidBody& trigger = addTrigger(world);
    addPress(world, crate, 100, 1e4, 10);
    for (int i = 0; i < 30; ++i) {
        world.tick();
        int points = 0;
        for (int m = 0; m < world.dispatcher.getNumManifolds(); ++m) {
            const btPersistentManifold& manifold = *world.dispatcher.getManifoldByIndexInternal(m);
            if (manifold.getBody0() == &trigger || manifold.getBody1() == &trigger) points += manifold.getNumContacts();
        }
        CHECK(points > 0);
        CHECK(reactionOn(world, trigger).length() == 0);
        CHECK(heightOf(crate) == Approx(0.5).margin(byPrecision(1e-9, 1e-6)));
    }
}
