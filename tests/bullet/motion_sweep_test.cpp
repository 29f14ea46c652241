// Continuous collision detection: a ball of 5 cm at 40 m/s (0.667 m per tick) and a plate of 1 cm with its top at 0.
// The plate is a compound, which the flow does not foresee.

#include <catch2/catch.hpp>

#include "test_world.h"

using namespace elasto;
using namespace elasto::test;

namespace {

struct Shot {
    TestWorld world;
    btRigidBody* ball;
    btRigidBody* plate;

    explicit Shot(double height) {
        world.world->setGravity(vec(0, 0, 0));
        ball = &world.ball(1, 0, height, 0);
        ball->setLinearVelocity(vec(0, -40, 0));
        ball->setCcdMotionThreshold(btScalar(0.1));
        ball->setCcdSweptSphereRadius(btScalar(0.04));
        ball->setRestitution(btScalar(0.5));
        plate = &world.body(0, new btBoxShape(vec(1, 0.005, 1)), at(0, -0.005, 0));
        plate->setContactProcessingThreshold(btScalar(1e-3));
        plate->setRestitution(1);
    }

    // So stiff that the ball turns within a micrometre.
    ElastoGap& stopAt(double height) {
        return world.add<ElastoGap>(*ball, btTransform(btQuaternion(vec(0, 0, 1), SIMD_HALF_PI)), upwards(0, height, 0),
                                    ElastoGapParameters{.c = 1e13, .d = 0});
    }
};

}  // namespace

TEST_CASE("a ball that an element turns back never meets the plate behind") {
    Shot shot(0.3);
    shot.stopAt(0.1);
    const double way = 40.0 / 60;
    shot.world.tick();
    CHECK(heightOf(*shot.ball) == Approx(0.1 + way - 0.2).margin(1e-4));
    CHECK(climbOf(*shot.ball) == Approx(40).epsilon(1e-6));
    shot.world.tick();
    CHECK(heightOf(*shot.ball) == Approx(0.1 + 2 * way - 0.2).margin(1e-4));
    CHECK(shot.world.plugin->totals().cutBack == 0);
    CHECK(shot.ball->getCcdMotionThreshold() == btScalar(0.1));
}

TEST_CASE("a ball on the way of an element stops at a plate in between") {
    // The element would turn it back behind the plate, so that the chord of the tick does not touch the plate.
    const double stop = GENERATE(-0.1, -10.0);
    Shot shot(0.4);
    shot.stopAt(stop);
    shot.world.tick();
    CAPTURE(stop);
    CHECK(heightOf(*shot.ball) == Approx(0.05).margin(2e-3));
    CHECK(climbOf(*shot.ball) == Approx(-40).epsilon(1e-6));
    CHECK(shot.world.plugin->statistics().cutBack == 1);
    shot.world.tick();  // an ordinary contact; with a restitution of 0.5 where the element is out of reach
    CHECK(climbOf(*shot.ball) > 19);
    CHECK(climbOf(*shot.ball) < (stop < -1 ? 21 : 40.001));
    CHECK(heightOf(*shot.ball) > 0.05);
    CHECK(shot.ball->getCcdMotionThreshold() == btScalar(0.1));
}

TEST_CASE("a plate that the flow looks ahead to turns the ball back within the tick") {
    const double stop = -10;
    for (const bool isSwept : {true, false}) {
        Shot shot(0.4);
        shot.plate->setContactProcessingThreshold(BT_LARGE_FLOAT);
        if (!isSwept) shot.ball->setCcdMotionThreshold(0);
        shot.stopAt(stop);
        shot.world.tick();
        const double rest = 1. / 60 - 0.35 / 40;
        CHECK(climbOf(*shot.ball) == Approx(20).epsilon(1e-4));
        CHECK(heightOf(*shot.ball) == Approx(0.05 + 20 * rest).margin(1e-3));
        CHECK(shot.world.plugin->statistics().cutBack == 0);
    }
}

TEST_CASE("without a threshold nothing is swept") {
    Shot shot(0.4);
    shot.ball->setCcdMotionThreshold(0);
    shot.stopAt(-10);
    shot.world.tick();
    CHECK(heightOf(*shot.ball) == Approx(0.4 - 40.0 / 60).epsilon(1e-6));
}

TEST_CASE("objects that do not collide with the body are not in its way") {
    Shot shot(0.4);
    shot.stopAt(-10);
    SECTION("by their filter") {
        shot.plate->getBroadphaseHandle()->m_collisionFilterMask = 0;
    }
    SECTION("by having no response") {
        shot.plate->setCollisionFlags(shot.plate->getCollisionFlags() | btCollisionObject::CF_NO_CONTACT_RESPONSE);
    }
    SECTION("by being switched off for the body") {
        shot.ball->setIgnoreCollisionCheck(shot.plate, true);
    }
    shot.world.tick();
    CHECK(heightOf(*shot.ball) == Approx(0.4 - 40.0 / 60).epsilon(1e-6));
}

TEST_CASE("a network that is stopped on its way keeps its energy together") {
    Shot shot(0.4);
    btRigidBody& other = shot.world.ball(1, 2, 0.4, 0);
    auto& spring = shot.world.add<Spring>(*shot.ball, other, vec(0, 0, 0), vec(0, 0, 0), 100, 2);
    const auto energy = [&] {
        return 0.5 *
                   static_cast<double>(shot.ball->getLinearVelocity().length2() + other.getLinearVelocity().length2()) +
               spring.storedEnergy();
    };
    const double start = energy();
    shot.world.tick();
    CHECK(shot.world.plugin->statistics().cutBack == 1);
    CHECK(energy() == Approx(start).epsilon(byPrecision(1e-8, 1e-5)));
    CHECK(spring.tickLength() < 1.0 / 60);
}
