// Dry friction in a real world: rest, letting go, brakes, sleep and snapshots.

#include <elasto/errors.h>
#include <catch2/catch.hpp>

#include <cmath>

#include "test_world.h"

using namespace elasto;
using namespace elasto::test;

namespace {

/// A ball on a vertical guide, that its friction may hold.
struct Guide {
    TestWorld world;
    btRigidBody& ball = world.ball(2, 0, 1, 0);
    Friction& friction;

    explicit Guide(const FrictionParameters& parameters)
        : friction(
              world.add<Friction>(Placement::alongAxis(Placement::world(), ball, upwards(), upwards()), parameters)) {}
    double height() const { return static_cast<double>(ball.getWorldTransform().getOrigin().y()); }
    double speed() const { return static_cast<double>(ball.getLinearVelocity().y()); }
};

constexpr double kWeight = 2 * TestWorld::kGravity;

}  // namespace

TEST_CASE("a guide that rubs holds what is light, and says with how much") {
    Guide guide({.F_Coulomb = 25});
    CHECK(std::string(guide.friction.typeName()) == "SupportFriction");
    guide.world.tick(120, 60);
    CHECK(guide.height() == 1);
    CHECK(guide.friction.contact());
    CHECK(guide.friction.f() == Approx(-kWeight).epsilon(1e-6));
    CHECK(guide.friction.meanForce() == Approx(-kWeight).epsilon(1e-6));
    CHECK(guide.friction.heat() == Approx(0).margin(1e-9));
}

TEST_CASE("a ball that is thrown up a guide comes to rest where Coulomb says, and stays") {
    const double hz = GENERATE(60., 240.);
    Guide guide({.F_Coulomb = 25});
    guide.ball.setLinearVelocity(vec(0, 4, 0));
    guide.world.tick(static_cast<int>(hz), hz);
    const double way = 0.5 * 16 * 2 / (25 + kWeight);
    CHECK(guide.height() == Approx(1 + way).epsilon(1e-6));
    CHECK(std::abs(guide.speed()) < 1e-6);
    CHECK(guide.friction.heat() == Approx(25 * way).epsilon(1e-5));
    CHECK(std::string(methodName(guide.friction.method())) == "DOP853");
}

TEST_CASE("friction that is too weak brakes the fall") {
    Guide guide({.F_Coulomb = 10});
    guide.world.tick(60, 60);
    const double a = (10 - kWeight) / 2;
    CHECK(guide.height() == Approx(1 + a / 2).epsilon(1e-5));
    CHECK(guide.speed() == Approx(a).epsilon(1e-5));
    CHECK_FALSE(guide.friction.contact());
    CHECK(guide.friction.f() == Approx(-10));
}

TEST_CASE("a brake holds until it is released, inside a tick too, and lets nothing fall asleep") {
    Guide guide({.F_Coulomb = 50});
    const double release = 3.0 + 0.4 / 60;
    guide.ball.forceActivationState(ACTIVE_TAG);
    guide.friction.setF_normalized([release](double t) { return t < release ? 1. : 0.; }, breaksAt({release}));
    guide.world.tick(180, 60);
    CHECK(guide.height() == 1);
    guide.world.tick(1, 60);
    CHECK(guide.speed() == Approx(-TestWorld::kGravity * 0.6 / 60).epsilon(1e-5));
    guide.world.tick(59, 60);
    const double fall = 1 - 0.4 / 60;
    CHECK(guide.height() == Approx(1 - TestWorld::kGravity * fall * fall / 2).epsilon(1e-5));
}

TEST_CASE("a mass that friction holds falls asleep") {
    Guide guide({.F_Coulomb = 50});
    guide.ball.forceActivationState(ACTIVE_TAG);
    guide.world.tick(300, 60);
    CHECK(guide.ball.getActivationState() == ISLAND_SLEEPING);
    CHECK(guide.height() == 1);
}

TEST_CASE("a bearing that rubs stops its wheel") {
    TestWorld world;
    btRigidBody& wheel = world.ball(1, 0, 1, 0);
    wheel.setGravity(vec(0, 0, 0));
    wheel.setLinearFactor(vec(0, 0, 0));
    wheel.setAngularVelocity(vec(0, 0, 30));
    auto& friction = world.add<Friction>(Placement::aboutAxis(Placement::world(), wheel, at(0, 1, 0), at(0, 0, 0)),
                                         FrictionParameters{.F_Coulomb = 0.01});
    CHECK(std::string(friction.typeName()) == "BearingFriction");
    const double inertia = 1 / static_cast<double>(wheel.getInvInertiaDiagLocal().z());
    world.tick(600, 60);
    CHECK(std::abs(static_cast<double>(wheel.getAngularVelocity().z())) < 1e-6);
    CHECK(friction.heat() == Approx(0.5 * inertia * 900).epsilon(1e-5));
    CHECK(friction.s_rel() == Approx(0.5 * inertia * 900 / 0.01).epsilon(1e-5));
}

TEST_CASE("a saved world goes on as it did where it sticks and slides") {
    Guide guide({.F_Coulomb = 8, .F_Stribeck = 14, .fexp = 3, .peak = 1.2});
    guide.ball.setLinearVelocity(vec(0, 2, 0));
    guide.friction.setF_normalized([](double t) { return 0.8 + 0.4 * std::sin(9 * t); });
    guide.world.tick(20, 60);
    const WorldSnapshot snapshot = guide.world.plugin->saveWorld();
    guide.world.tick(100, 60);
    const double height = guide.height(), heat = guide.friction.heat();
    guide.world.plugin->restoreWorld(snapshot);
    guide.world.tick(100, 60);
    CHECK(guide.height() == height);
    CHECK(guide.friction.heat() == heat);
}

TEST_CASE("friction between a ball on the floor and a wall rubs beside the contact") {
    TestWorld world;
    world.body(0, new btBoxShape(vec(20, 1, 20)), at(0, -1, 0)).setFriction(0);
    btRigidBody& box = world.ball(2, 0, 0.05, 0);
    box.setFriction(0);
    box.setAngularFactor(0);
    box.setLinearVelocity(vec(3, 0, 0));
    auto& friction = world.add<Friction>(Placement::alongAxis(Placement::world(), box, at(0, 0, 0), at(0, 0, 0)),
                                         FrictionParameters{.F_Coulomb = 12});
    world.tick(120, 60);
    const double way = 0.5 * 9 * 2 / 12;
    CHECK(static_cast<double>(box.getWorldTransform().getOrigin().x()) == Approx(way).epsilon(0.02));
    CHECK(friction.heat() == Approx(9).epsilon(0.02));
    CHECK(friction.contact());
}

TEST_CASE("friction that cannot be is refused with a message") {
    TestWorld world;
    btRigidBody& ball = world.ball(1, 0, 1, 0);
    CHECK_THROWS_WITH(
        Friction(Placement::alongLine(Placement::world(), ball, vec(0, 0, 0), vec(0, 0, 0)), {.F_Coulomb = 1}),
        Catch::Contains("neither along a line nor in a gear"));
    CHECK_THROWS_WITH(Friction(Placement::alongAxis(Placement::world(), ball, at(0, 0, 0), at(0, 0, 0)), {}),
                      Catch::Contains("F_Coulomb"));
    auto& friction = world.add<Friction>(Placement::alongAxis(Placement::world(), ball, at(0, 0, 0), at(0, 0, 0)),
                                         FrictionParameters{.F_Coulomb = 1});
    friction.setF_normalized([](double) { return std::nan(""); });
    CHECK_THROWS_WITH(world.tick(1, 60), Catch::Contains("f_normalized"));
}
