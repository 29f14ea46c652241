// Bodies that come at each other faster than Bullet's collision detection looks.

#include <catch2/catch.hpp>

#include <cmath>

#include "test_world.h"

namespace fast_contacts_test {

using namespace elasto;
using namespace elasto::test;

/// A plunger of 5 kg on a soft spring, at 10 m/s, and a ball of 0.1 kg that it meets.
struct Shot {
    double ball = 0;     ///< speed afterwards [m/s]
    double plunger = 0;  ///< the same
    double deepest = 0;  ///< how far they were in each other at a tick's end [m]
};

Shot shoot(double hz, double phase, double aside, double restitution) {
    constexpr double kHalf = 0.05, kRadius = 0.04, kSpeed = 10;
    TestWorld world;
    world.world->setGravity(vec(0, 0, 0));
    const double gap = 0.1 + phase * kSpeed / 60;
    btRigidBody& plunger = world.body(5, new btBoxShape(vec(kHalf, kHalf, kHalf)), at(-gap - kRadius - kHalf, 0, 0));
    btRigidBody& ball = world.ball(0.1, 0, 0, 0, kRadius);
    ball.setWorldTransform(at(0, aside, 0));
    for (btRigidBody* body : {&plunger, &ball}) {
        body->setRestitution(btScalar(std::sqrt(restitution)));
        body->setFriction(0);
        body->setAngularFactor(body == &plunger ? 0 : 1);
    }
    world.add<SpringDamperParallel>(Placement::alongLine(plunger, vec(0, 0, 0), vec(-1, 0, 0)),
                                    SpringDamperParameters{.c = 10, .d = 0, .s_rel0 = 1});
    plunger.setLinearVelocity(vec(kSpeed, 0, 0));
    Shot shot;
    for (int i = 0; i < static_cast<int>(0.1 * hz); ++i) {
        world.tick(1, hz);
        const double front = static_cast<double>(plunger.getWorldTransform().getOrigin().x()) + kHalf;
        const double back = static_cast<double>(ball.getWorldTransform().getOrigin().x()) - kRadius;
        shot.deepest = std::max(shot.deepest, front - back);
    }
    shot.ball = static_cast<double>(ball.getLinearVelocity().x());
    shot.plunger = static_cast<double>(plunger.getLinearVelocity().x());
    return shot;
}

TEST_CASE("a plunger at 10 m/s launches its ball at 60 Hz as at 1000 Hz") {
    const double aside = GENERATE(0.0, 0.01);
    const double restitution = GENERATE(0.0, 0.5);
    const int tenth = GENERATE(range(0, 10));
    const Shot coarse = shoot(60, tenth / 10., aside, restitution);
    const Shot fine = shoot(1000, tenth / 10., aside, restitution);
    CAPTURE(aside, restitution, tenth, coarse.ball, fine.ball, coarse.plunger, fine.plunger);
    CHECK(coarse.ball == Approx(fine.ball).epsilon(0.01));
    CHECK(coarse.plunger == Approx(fine.plunger).epsilon(0.01));
    CHECK(coarse.deepest < 1e-3);
}

/// Shapes of 20 cm that come flat, at 10 m/s along -y, at a plane or a large box.
enum class Flat { Box, Hull, Cylinder };

btCollisionShape* flatShape(Flat kind) {
    const btVector3 half = vec(0.1, 0.1, 0.1);
    if (kind == Flat::Box) return new btBoxShape(half);
    if (kind == Flat::Cylinder) return new btCylinderShape(half);
    auto* hull = new btConvexHullShape;
    for (int corner = 0; corner < 8; ++corner) {
        hull->addPoint(
            vec((corner & 1) != 0 ? 0.1 : -0.1, (corner & 2) != 0 ? 0.1 : -0.1, (corner & 4) != 0 ? 0.1 : -0.1));
    }
    return hull;
}

TEST_CASE("what comes flat and fast at a floor is not struck at one corner") {
    const Flat kind = GENERATE(Flat::Box, Flat::Hull, Flat::Cylinder);
    const bool isPlane = GENERATE(true, false);
    const double restitution = GENERATE(0., 1.);
    const double speed = GENERATE(1., 2., 10.);
    for (int tenth = 0; tenth < 10; ++tenth) {
        TestWorld world;
        world.world->setGravity(vec(0, 0, 0));
        btRigidBody& floor = isPlane ? world.body(0, new btStaticPlaneShape(vec(0, 1, 0), 0), at(0, 0, 0))
                                     : world.body(0, new btBoxShape(vec(2, 0.5, 2)), at(0, -0.5, 0));
        btRigidBody& body = world.body(1, flatShape(kind), at(0.013, 0.2 + speed / 60 * (1 + tenth / 10.), 0.007));
        for (btRigidBody* one : {&floor, &body}) {
            one->setRestitution(btScalar(restitution));
            one->setFriction(0);
        }
        world.add<SpringDamperParallel>(Placement::alongAxis(Placement::world(), body, Eigen::Vector3d::Zero(),
                                                             Eigen::Vector3d::Zero(), Eigen::Vector3d::UnitX()),
                                        SpringDamperParameters{.c = 1e-3, .d = 0});
        body.setLinearVelocity(vec(0, -speed, 0));
        world.tick(12);
        CAPTURE(static_cast<int>(kind), isPlane, restitution, speed, tenth);
        CHECK(static_cast<double>(body.getAngularVelocity().length()) < 0.05 * speed);
        CHECK(static_cast<double>(body.getLinearVelocity().y()) == Approx(restitution * speed).margin(0.02 * speed));
    }
}

}  // namespace fast_contacts_test
