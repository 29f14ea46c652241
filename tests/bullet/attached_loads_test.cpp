// Loads that turn with their body.

#include <catch2/catch.hpp>

#include <elasto/errors.h>

#include "test_world.h"

using namespace elasto;
using namespace elasto::test;

namespace {

constexpr double kMass = 2;
constexpr double kInertia = 0.5;  // about all axes [kg.m2]

btRigidBody& craft(TestWorld& world) {
    world.world->setGravity(vec(0, 0, 0));
    btRigidBody& body = world.ball(kMass, 0, 0, 0);
    body.setMassProps(kMass, vec(kInertia, kInertia, kInertia));
    body.updateInertiaTensor();
    addThread(world, body);
    return body;
}

struct Planar {
    double x = 0, y = 0, phi = 0, vx = 0, vy = 0, w = 0;
};

/// A body in the plane under a force and a torque that depend on its angle and the time, by fine midpoint steps.
template <class Wrench>
Planar planar(double duration, double w, Wrench&& wrench) {
    Planar state;
    state.w = w;
    constexpr int kSteps = 400000;
    const double h = duration / kSteps;
    for (int i = 0; i < kSteps; ++i) {
        const double middle = state.phi + h / 2 * state.w;
        const auto [fx, fy, torque] = wrench(middle, (i + 0.5) * h);
        state.x += h * (state.vx + h / 2 * fx / kMass);
        state.y += h * (state.vy + h / 2 * fy / kMass);
        state.phi += h * (state.w + h / 2 * torque / kInertia);
        state.vx += h * fx / kMass;
        state.vy += h * fy / kMass;
        state.w += h * torque / kInertia;
    }
    return state;
}

}  // namespace

TEST_CASE("a thruster off the centre turns with its body") {
    const double hz = GENERATE(60.0, 240.0);
    constexpr double kThrust = 20;
    constexpr double kArm = 0.3;
    TestWorld world;
    btRigidBody& body = craft(world);
    world.plugin->addLoad(Load::constant(body, Load::Kind::Force, vec(kThrust, 0, 0))
                              .at(vec(-0.4, -kArm, 0))
                              .resolvedIn(Load::Axes::Body));
    world.tick(static_cast<int>(hz), hz);
    const Planar expected = planar(1, 0, [](double phi, double) {
        return std::array{kThrust * std::cos(phi), kThrust * std::sin(phi), kThrust * kArm};
    });
    const btVector3 v = body.getLinearVelocity();
    const double off = std::hypot(static_cast<double>(v.x()) - expected.vx, static_cast<double>(v.y()) - expected.vy);
    CAPTURE(hz, off, expected.vx, expected.vy);
    CHECK(static_cast<double>(body.getAngularVelocity().z()) == Approx(expected.w).epsilon(byPrecision(1e-10, 1e-6)));
    // With the loads of the tick's start alone it is 1e-4 off at 60 Hz.
    CHECK(off < byPrecision(hz < 100 ? 2e-7 : 2e-8, 2e-6));
}

TEST_CASE("a force of the world at a point follows the point") {
    const double hz = GENERATE(60.0, 240.0);
    TestWorld world;
    btRigidBody& body = craft(world);
    body.setAngularVelocity(vec(0, 0, 3));
    world.plugin->addLoad(
        Load::sine(body, Load::Kind::Force, vec(0, 1, 0), {.amplitude = 5, .f = 2}).at(vec(0.5, 0, 0)));
    world.tick(static_cast<int>(hz), hz);
    const Planar expected = planar(1, 3, [](double phi, double t) {
        const double f = 5 * std::sin(4 * M_PI * t);
        return std::array{0., f, 0.5 * std::cos(phi) * f};
    });
    const double off = std::fabs(static_cast<double>(body.getAngularVelocity().z()) - expected.w);
    CAPTURE(hz, off, expected.w);
    CHECK(off < byPrecision(hz < 100 ? 2e-6 : 2e-7, 2e-6));
    CHECK(static_cast<double>(body.getLinearVelocity().y()) == Approx(expected.vy).margin(byPrecision(1e-6, 1e-5)));
}

TEST_CASE("a torque in the body's axes keeps to them") {
    TestWorld world;
    btRigidBody& body = craft(world);
    body.setCenterOfMassTransform(btTransform(btQuaternion(vec(0, 0, 1), static_cast<btScalar>(M_PI / 2))));
    body.setInterpolationWorldTransform(body.getWorldTransform());
    world.plugin->addLoad(Load::constant(body, Load::Kind::Torque, vec(1, 0, 0)).resolvedIn(Load::Axes::Body));
    world.tick(60);
    CHECK(static_cast<double>(body.getAngularVelocity().y()) == Approx(1 / kInertia).epsilon(byPrecision(1e-9, 1e-6)));
    CHECK(std::fabs(static_cast<double>(body.getAngularVelocity().x())) < byPrecision(1e-9, 1e-6));
}

TEST_CASE("forces that turn and cancel leave a body where it is") {
    const auto steps = [](bool isLoaded) {
        TestWorld world;
        btRigidBody& body = craft(world);
        body.setAngularVelocity(vec(0, 0, 2));
        for (const double side : {-1., 1.}) {
            for (const btVector3& force : {vec(3, 1, 0), vec(-3, -1, 0)}) {
                if (!isLoaded) continue;
                world.plugin->addLoad(Load::constant(body, Load::Kind::Force, force)
                                          .at(vec(0, 0.1 * side, 0.2))
                                          .resolvedIn(Load::Axes::Body));
            }
        }
        world.tick(60);
        CHECK(static_cast<double>(body.getLinearVelocity().length()) < byPrecision(1e-8, 1e-6));  // the thread's
        CHECK(static_cast<double>(body.getAngularVelocity().z()) == Approx(2).epsilon(byPrecision(1e-12, 1e-6)));
        return world.plugin->totals().steps;
    };
    // Their rounding has no course of its own, which would cut ticks into pieces.
    CHECK(steps(true) == steps(false));
}

TEST_CASE("a load on a body that no element holds turns with it too") {
    TestWorld world;
    world.world->setGravity(vec(0, 0, 0));
    btRigidBody& body = world.ball(kMass, 0, 0, 0);
    body.setAngularVelocity(vec(0, 0, static_cast<btScalar>(M_PI / 2)));
    world.plugin->addLoad(Load::constant(body, Load::Kind::Force, vec(1, 0, 0)).resolvedIn(Load::Axes::Body));
    world.tick(240, 240);
    // integral of (cos, sin) of a quarter turn
    CHECK(static_cast<double>(body.getLinearVelocity().x()) == Approx(2 / M_PI / kMass).epsilon(1e-4));
    CHECK(static_cast<double>(body.getLinearVelocity().y()) == Approx(2 / M_PI / kMass).epsilon(1e-4));
}

TEST_CASE("a load that is no number is refused, whatever it pulls at") {
    const bool hasElement = GENERATE(false, true);
    TestWorld world;
    btRigidBody& body = world.ball(1, 0, 0, 0);
    if (hasElement) addThread(world, body);
    const auto handle = world.plugin->addLoad(
        Load(body, Load::Kind::Force, [](double) { return vec(std::numeric_limits<double>::quiet_NaN(), 0, 0); }));
    CHECK_THROWS_WITH(world.tick(), Catch::Contains("finite"));
    world.plugin->removeLoad(handle);
    world.tick();
    CHECK(std::isfinite(static_cast<double>(body.getLinearVelocity().x())));
}

TEST_CASE("points of loads are refused where they mean nothing") {
    TestWorld world;
    btRigidBody& body = craft(world);
    const Load torque = Load::constant(body, Load::Kind::Torque, vec(1, 0, 0));
    CHECK_THROWS_AS(torque.at(vec(1, 0, 0)), InvalidParameter);
    const Load force = Load::constant(body, Load::Kind::Force, vec(1, 0, 0));
    CHECK_THROWS_AS(force.at(vec(std::numeric_limits<double>::quiet_NaN(), 0, 0)), InvalidParameter);
    CHECK(!force.turnsWithBody());
    CHECK(force.at(vec(0, 1, 0)).turnsWithBody());
}
