// Elements alone in ticks that are not like others: one that throws after their bodies have been taken out of Bullet's
// hands, and one in which Bullet moves them after all.

#include <elasto/errors.h>

#include <catch2/catch.hpp>

#include <algorithm>
#include <limits>

#include "test_world.h"

using namespace elasto;
using namespace elasto::test;

namespace {

/// What Bullet does not show.
class Lists : btDiscreteDynamicsWorld {
public:
    static std::vector<btRigidBody*> moved(btDiscreteDynamicsWorld& world) {
        const btAlignedObjectArray<btRigidBody*>& bodies = world.*(&Lists::m_nonStaticRigidBodies);
        std::vector<btRigidBody*> result;
        for (int i = 0; i < bodies.size(); ++i) result.push_back(bodies[i]);
        return result;
    }
};

/// A ball alone on its stop; and, in an island of their own, an arm with an element and a weight that hangs on it by a
/// joint that the flow cannot hold. What spoils the weight reaches the arm in Bullet's solver only, so that it is found
/// when Bullet has moved its bodies.
struct Scene {
    Scene() {
        weight.setGravity(vec(0, 0, 0));
        world.add<ElastoGap>(arm, upwards(), upwards(5, -5, 0), ElastoGapParameters{.c = 1e5, .d = 1});
        auto& joint = world.add<btPoint2PointConstraint>(arm, weight, vec(0.25, 0, 0), vec(-0.25, 0, 0));
        joint.setParam(BT_CONSTRAINT_CFM, btScalar(0.1));
        world.tick(5);
    }

    void fail() {
        weight.setLinearVelocity(vec(std::numeric_limits<double>::quiet_NaN(), 0, 0));
        REQUIRE_THROWS_WITH(world.tick(), Catch::Contains("body B: velocity = "));
    }
    /// What Bullet spoils where it moves bodies, and what it does at the end of a tick only.
    void cure() {
        for (btRigidBody* body : {&arm, &weight}) {
            body->setCenterOfMassTransform(at(body == &arm ? 5 : 5.5, 0.3, 0));
            body->setInterpolationWorldTransform(body->getWorldTransform());
            body->setLinearVelocity(vec(0, 0, 0));
            body->setAngularVelocity(vec(0, 0, 0));
            body->setInterpolationLinearVelocity(vec(0, 0, 0));
            body->setInterpolationAngularVelocity(vec(0, 0, 0));
        }
        world.world->clearForces();
    }

    TestWorld world;
    btRigidBody& ball = world.ball(0.2, 0, 0.3, 0);
    btRigidBody& arm = world.ball(1, 5, 0.3, 0);
    btRigidBody& weight = world.ball(1, 5.5, 0.3, 0);
    ElastoGap& stop = world.add<ElastoGap>(ball, upwards(), upwards(), ElastoGapParameters{.c = 1e5, .d = 1});
};

}  // namespace

TEST_CASE("after a tick that throws when bodies have moved an element alone goes on") {
    Scene usual, spoilt;
    usual.world.tick();
    const std::vector<btRigidBody*> moved = Lists::moved(*spoilt.world.world);
    spoilt.fail();
    CHECK(Lists::moved(*spoilt.world.world) == moved);
    CHECK(heightOf(spoilt.ball) == heightOf(usual.ball));
    CHECK(climbOf(spoilt.ball) == climbOf(usual.ball));
    CHECK(spoilt.world.plugin->totals().ticks == 5);
    spoilt.cure();
    double fastest = 0;
    for (int tick = 0; tick < 30; ++tick) {  // it falls, and is thrown back
        usual.world.tick();
        spoilt.world.tick();
        CHECK(heightOf(spoilt.ball) == Approx(heightOf(usual.ball)).margin(byPrecision(1e-12, 1e-6)));
        CHECK(climbOf(spoilt.ball) == Approx(climbOf(usual.ball)).margin(byPrecision(1e-11, 1e-5)));
        fastest = std::max(fastest, climbOf(spoilt.ball));
    }
    CHECK(fastest > 1);
    CHECK(spoilt.world.plugin->totals().ticks == 35);
    CHECK(std::isfinite(spoilt.world.plugin->energy().work));
}

TEST_CASE("after a tick that throws when bodies have moved Bullet moves the body of an element alone") {
    Scene scene;
    scene.fail();
    scene.cure();
    scene.world.world->removeConstraint(&scene.stop);
    const double height = heightOf(scene.ball);
    const double climb = climbOf(scene.ball);
    SECTION("with the plugin") {}
    SECTION("without the plugin") {
        for (const auto& constraint : scene.world.elements) scene.world.world->removeConstraint(constraint.get());
        scene.world.plugin.reset();
    }
    scene.world.tick();
    const double h = 1.0 / 60;
    const double fall = climb - TestWorld::kGravity * h;
    CHECK(climbOf(scene.ball) == Approx(fall).epsilon(byPrecision(1e-12, 1e-5)));
    CHECK(heightOf(scene.ball) == Approx(height + h * fall).epsilon(byPrecision(1e-12, 1e-5)));
}

TEST_CASE("after a tick that throws when bodies have moved an element alone and its body may go") {
    Scene scene;
    scene.fail();
    TestWorld& world = scene.world;
    world.world->removeConstraint(world.elements[0].get());
    world.world->removeRigidBody(world.bodies[0].get());
    world.elements.erase(world.elements.begin());
    world.bodies.erase(world.bodies.begin());
    scene.cure();
    CHECK_NOTHROW(world.tick(3));
    CHECK(Lists::moved(*world.world).size() == 2);
    CHECK(world.plugin->statistics().elements == 1);
}

TEST_CASE("where Bullet sweeps a body it meets that of an element alone where this was") {
    // A hammer strikes a shot, which flies through the place that the ball has just left, a metre above its end.
    const auto run = [](bool isShort) {
        TestWorld world;
        world.plugin->setLinearIslands(isShort);
        world.world->setGravity(vec(0, 0, 0));
        btRigidBody& shot = world.ball(1, -1, 0, 0);
        btRigidBody& hammer = world.ball(1000, -1.2, 0, 0);
        btRigidBody& ball = world.ball(0.2, 0, 2, 0);
        ball.setLinearVelocity(vec(0, -60, 0));
        for (btRigidBody* body : {&shot, &hammer}) body->setRestitution(1);
        shot.setCcdMotionThreshold(btScalar(0.1));
        shot.setCcdSweptSphereRadius(btScalar(0.04));
        world.add<ElastoGap>(ball, upwards(), upwards(0, -100, 0), ElastoGapParameters{.c = 1e5, .d = 1});
        world.tick(2);
        hammer.setWorldTransform(at(-1.099, 0, 0));
        hammer.setLinearVelocity(vec(40, 0, 0));
        world.tick();
        CHECK(static_cast<double>(shot.getLinearVelocity().x()) > 60);
        CHECK(heightOf(ball) == Approx(-1));
        return static_cast<double>(shot.getWorldTransform().getOrigin().x());
    };
    const double place = run(true);
    CHECK(place < -0.05);  // and not 0.3 m behind
    CHECK(place == Approx(run(false)).margin(1e-3));
}
