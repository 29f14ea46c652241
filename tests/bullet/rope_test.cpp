// Ropes, shock absorbers and stops of an angle in a real world.

#include <catch2/catch.hpp>

#include <algorithm>
#include <cmath>
#include <string>

#include "test_world.h"

using namespace elasto;
using namespace elasto::test;

TEST_CASE("a ball thrown up on a rope flies freely, and comes back as fast as it was thrown") {
    const double hz = GENERATE(60.0, 240.0);
    TestWorld world;
    btRigidBody& ball = world.ball(2, 0, -1, 0);
    ball.setLinearVelocity(vec(0, 3, 0));
    auto& rope = world.add<Rope>(
        Placement::alongLine(Placement::world(), ball, Eigen::Vector3d::Zero(), Eigen::Vector3d::Zero()),
        RopeParameters{.c = 1e5, .d = 0, .s_unstretched = 1});
    CHECK(std::string(rope.typeName()) == "Rope");
    CHECK(rope.geometry() == Geometry::AlongLine);
    double largest = 0, taut = 0;
    double error = 0;
    const double flight = 6 / TestWorld::kGravity;
    for (int i = 0; i < static_cast<int>(hz); ++i) {
        world.tick(1, hz);
        largest = std::max(largest, rope.meanForce());
        CHECK(rope.meanForce() >= 0);
        const double t = (i + 1) / hz;
        if (t < flight) {
            error = std::max(error, std::abs(rope.s_rel() - (1 - 3 * t + TestWorld::kGravity / 2 * t * t)));
            CHECK(rope.f() == 0);
        }
        taut += rope.contact() ? 1 : 0;
    }
    CHECK(error < byPrecision(1e-12, 1e-5));
    CHECK(largest > 100);
    const double energy = 0.5 * 2 * static_cast<double>(ball.getLinearVelocity().length2()) +
                          2 * TestWorld::kGravity * (static_cast<double>(ball.getCenterOfMassPosition().y()) + 1) +
                          rope.storedEnergy();
    CHECK(energy == Approx(9).epsilon(byPrecision(1e-9, 1e-5)));
}

TEST_CASE("a winch whose brake gives way lets a crate down at its largest force") {
    TestWorld world;
    btRigidBody& crate = world.ball(10, 0, -1, 0);
    auto& rope = world.add<Rope>(
        Placement::alongLine(Placement::world(), crate, Eigen::Vector3d::Zero(), Eigen::Vector3d::Zero()),
        RopeParameters{.c = 1e5, .d = 100, .s_unstretched = 1, .f_max = 90});
    world.tick(60, 60);
    CHECK(rope.f() == Approx(90).epsilon(byPrecision(1e-9, 1e-5)));
    // 10 kg weigh 98 N: the rest accelerates it. While the rope got taut, over 0.9 mm, it reached 0.1 m/s.
    const double fallen = rope.s_rel() - 1;
    CHECK(fallen == Approx(0.5 * (TestWorld::kGravity - 9) + 0.08).epsilon(0.05));
    CHECK(rope.s_damper() == Approx(fallen - 90 / 1e5).margin(byPrecision(1e-9, 1e-6)));
    CHECK(rope.heat() == Approx(90 * rope.s_damper()).epsilon(0.05));
}

TEST_CASE("what a rope has slipped is part of its state, bit for bit") {
    TestWorld world;
    btRigidBody& crate = world.ball(10, 0, -1, 0);
    auto& rope = world.add<Rope>(
        Placement::alongLine(Placement::world(), crate, Eigen::Vector3d::Zero(), Eigen::Vector3d::Zero()),
        RopeParameters{.c = 1e5, .d = 100, .s_unstretched = 1, .f_max = 90});
    world.tick(20, 60);
    const ElementState saved = rope.saveState();
    CHECK(saved.s_damper > 0);
    const btTransform pose = crate.getWorldTransform();
    const btVector3 velocity = crate.getLinearVelocity();
    world.tick(20, 60);
    const double first = rope.s_damper();
    rope.restoreState(saved);
    crate.setWorldTransform(pose);
    crate.setInterpolationWorldTransform(pose);
    crate.setLinearVelocity(velocity);
    world.tick(20, 60);
    CHECK(rope.s_damper() == Approx(first).margin(byPrecision(1e-12, 1e-6)));
}

TEST_CASE("a crate that a rope sets down on a floor stands on it, and lifts off with it") {
    const double hz = GENERATE(60.0, 240.0);
    TestWorld world;
    world.body(0, new btStaticPlaneShape(vec(0, 1, 0), 0), btTransform::getIdentity());
    btRigidBody& crate = world.body(20, new btBoxShape(vec(0.25, 0.25, 0.25)), at(0, 0.6, 0));
    btRigidBody& hook = world.ball(0, 0, 3, 0);
    hook.setCollisionFlags(hook.getCollisionFlags() | btCollisionObject::CF_KINEMATIC_OBJECT);
    auto& rope =
        world.add<Rope>(Placement::alongLine(hook, crate, Eigen::Vector3d::Zero(), Eigen::Vector3d(0, 0.25, 0)),
                        RopeParameters{.c = 1e5, .d = 500, .s_unstretched = 2.148});
    const auto moveHook = [&](double y) {
        btTransform pose = hook.getWorldTransform();
        pose.setOrigin(vec(0, y, 0));
        hook.setWorldTransform(pose);
    };
    const int second = static_cast<int>(hz);
    double y = 3;
    for (int i = 0; i < second; ++i) moveHook(y -= 0.6 / second), world.tick(1, hz);
    world.tick(second, hz);
    CHECK(rope.f() == 0);
    CHECK(static_cast<double>(crate.getCenterOfMassPosition().y()) == Approx(0.25).margin(2e-3));
    for (int i = 0; i < second; ++i) moveHook(y += 0.6 / second), world.tick(1, hz);
    world.tick(2 * second, hz);
    CHECK(rope.f() == Approx(20 * TestWorld::kGravity).epsilon(byPrecision(1e-3, 1e-3)));
    CHECK(static_cast<double>(crate.getCenterOfMassPosition().y()) == Approx(0.6).margin(3e-3));
}

TEST_CASE("a damper has another damping where its ends part") {
    TestWorld world;
    btRigidBody& rising = world.ball(1, 1, 0, 0);
    btRigidBody& falling = world.ball(1, 2, 0, 0);
    for (btRigidBody* ball : {&rising, &falling}) ball->setGravity(vec(0, 0, 0));
    rising.setLinearVelocity(vec(0, 1, 0));
    falling.setLinearVelocity(vec(0, -1, 0));
    const auto placed = [](btRigidBody& ball) {
        return Placement::alongAxis(Placement::world(), ball, Eigen::Vector3d(0, -5, 0), Eigen::Vector3d::Zero(),
                                    Eigen::Vector3d::UnitY());
    };
    auto& rebound = world.add<Damper>(placed(rising), 2., 6.);
    auto& compression = world.add<Damper>(placed(falling), 2., 6.);
    world.tick(60, 60);
    CHECK(static_cast<double>(rising.getLinearVelocity().y()) == Approx(std::exp(-6.)).margin(1e-6));
    CHECK(static_cast<double>(falling.getLinearVelocity().y()) == Approx(-std::exp(-2.)).margin(1e-6));
    CHECK(rebound.heat() == Approx(0.5 * (1 - std::exp(-12.))).epsilon(1e-5));
    CHECK(compression.heat() == Approx(0.5 * (1 - std::exp(-4.))).epsilon(1e-5));
}
