// Crates under a press on a kinematic platform that lifts, shakes and turns.

#include <catch2/catch.hpp>

#include <algorithm>
#include <cmath>

#include "contact_readouts.h"
#include "contact_scenes.h"

using namespace elasto;
using namespace elasto::test;

namespace {

constexpr double kFriction = 0.5;
constexpr double kLoad = 100;  // [N]

struct Platform {
    TestWorld world;
    btRigidBody& platform;
    btRigidBody& crate;
    ElastoGap& press;
    const double hz;

    explicit Platform(double rate, double x = 0, double load = kLoad)
        : platform(world.body(0, new btBoxShape(vec(4, 0.125, 4)), at(0, -0.125, 0))),
          crate(addCrate(world, x, 0.5, 0)),
          press(addPress(world, crate, load, 100, 0)),
          hz(rate) {
        platform.setCollisionFlags(platform.getCollisionFlags() | btCollisionObject::CF_KINEMATIC_OBJECT);
        platform.setFriction(1);
        crate.setFriction(btScalar(kFriction));
        world.tick(static_cast<int>(hz), hz);
    }

    void moveTo(const btTransform& pose) {
        platform.setWorldTransform(pose);
        world.tick(1, hz);
    }
    btVector3 place() const { return crate.getWorldTransform().getOrigin(); }
    // Friction over mass.
    double grip() const { return kFriction * (TestWorld::kGravity - press.f()); }
};

double x(const btVector3& place) {
    return static_cast<double>(place.x());
}

}  // namespace

TEST_CASE("a lift bears what lies on it, and what its acceleration adds") {
    const double hz = GENERATE(60., 240.);
    Platform scene(hz);
    constexpr double a = 2;
    for (int i = 1; i <= static_cast<int>(hz); ++i) {
        const double t = i / hz;
        scene.moveTo(at(0, a * t * t / 2 - 0.125, 0));
        const double bearing = static_cast<double>(reactionOn(scene.world, scene.crate).y()) * hz;
        CAPTURE(hz, i);
        // The platform's speed changes in steps; it begins with half a one.
        const double force = TestWorld::kGravity + (i > 1 ? a : a / 2) - scene.press.meanForce();
        REQUIRE(bearing == Approx(force).epsilon(byPrecision(1e-6, 1e-2)));
        REQUIRE(heightOf(scene.crate) == Approx(0.5 + a * t * t / 2).margin(byPrecision(1e-7, 1e-4)));
    }
    CHECK(scene.world.plugin->totals().uncoupled == 0);
}

TEST_CASE("a platform takes along all that stand on it, each in a network of its own") {
    const double hz = GENERATE(60., 240.);
    Platform scene(hz);
    btRigidBody& second = addCrate(scene.world, 2.5, 0.5, 0);
    btRigidBody& third = addCrate(scene.world, -2.5, 0.5, 0);
    addThread(scene.world, second);
    addThread(scene.world, third);
    scene.world.tick(static_cast<int>(hz) / 4, hz);
    constexpr double kSpeed = 0.2;  // that friction gives within a tenth of a second
    for (int i = 1; i <= static_cast<int>(hz) / 2; ++i) scene.moveTo(at(kSpeed * i / hz, -0.125, 0));
    for (const btRigidBody* crate : {&scene.crate, &second, &third}) {
        CAPTURE(hz, crate->getWorldArrayIndex());
        CHECK(static_cast<double>(crate->getLinearVelocity().x()) == Approx(kSpeed).epsilon(byPrecision(1e-6, 1e-3)));
    }
}

TEST_CASE("a shaking platform takes a crate along by friction") {
    const double hz = GENERATE(60., 240.);
    Platform scene(hz);
    const auto path = [&](int tick) { return 0.1 * (1 - std::cos(2 * M_PI * tick / hz)); };
    // Friction brings the crate to the platform's speed, which changes with each tick.
    double place = 0;
    double speed = 0;
    double worst = 0;
    for (int i = 1; i <= static_cast<int>(2 * hz); ++i) {
        const double grip = scene.grip();
        scene.moveTo(at(path(i), -0.125, 0));
        const double left = (path(i) - path(i - 1)) * hz - speed;
        const double slipping = std::min(std::abs(left) / grip, 1 / hz);
        place += speed / hz + std::copysign(grip * slipping * (1 / hz - slipping / 2), left);
        speed += std::copysign(grip * slipping, left);
        worst = std::max(worst, std::abs(x(scene.place()) - place));
    }
    CAPTURE(hz, worst);
    CHECK(worst < byPrecision(1e-6, 2e-4));
    CHECK(scene.world.plugin->totals().uncoupled == 0);
}

TEST_CASE("a platform that accelerates too fast slides away below a crate") {
    const double hz = GENERATE(60., 240.);
    Platform scene(hz, 0, 1);
    double worst = 0;
    const double grip = scene.grip();
    for (int i = 1; i <= static_cast<int>(0.5 * hz); ++i) {
        const double t = i / hz;
        scene.moveTo(at(10 * t * t, -0.125, 0));
        worst = std::max(worst, std::abs(x(scene.place()) - grip * t * t / 2));
    }
    CAPTURE(hz, worst);
    CHECK(worst < byPrecision(1e-5, 2e-4));
}

TEST_CASE("a turntable carries a crate round") {
    const double hz = GENERATE(60., 240.);
    constexpr double w = 1;
    constexpr double r = 1.5;
    Platform scene(hz, r);
    const auto turn = [&](int tick) {
        return btTransform(btQuaternion(vec(0, 1, 0), btScalar(w * tick / hz)), vec(0, -0.125, 0));
    };
    const auto angle = [&] {
        const btVector3 place = scene.place();
        return std::atan2(-static_cast<double>(place.z()), x(place));
    };
    const int early = static_cast<int>(0.5 * hz);
    for (int i = 1; i <= early; ++i) scene.moveTo(turn(i));
    const double firstAngle = angle();
    const double firstRadius = static_cast<double>(scene.place().length());
    for (int i = early + 1; i <= 3 * early; ++i) scene.moveTo(turn(i));
    CAPTURE(hz, firstAngle, angle(), firstRadius, static_cast<double>(scene.place().length()), heightOf(scene.crate));
    CHECK(firstRadius == Approx(std::hypot(r, 0.5)).margin(0.02));  // it slips until it turns along
    CHECK(angle() - firstAngle == Approx(2 * w * early / hz).margin(byPrecision(1e-4, 1e-3)));
    CHECK(static_cast<double>(scene.place().length()) == Approx(firstRadius).margin(byPrecision(1e-4, 1e-3)));
    CHECK(static_cast<double>(scene.crate.getAngularVelocity().y()) == Approx(w).margin(byPrecision(1e-4, 1e-3)));
    CHECK(heightOf(scene.crate) == Approx(0.5).margin(byPrecision(1e-6, 1e-4)));
}
