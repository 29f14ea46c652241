// Bushings and bump stops in a real world.

#include <catch2/catch.hpp>

#include <algorithm>
#include <cmath>

#include "test_world.h"

using namespace elasto;
using namespace elasto::test;

namespace {

constexpr double kMass = 0.5;
const BushingParameters kMount = {.c = 200, .d = 0.3, .c_slip = 1000, .f_slip = 3};

btTransform at(double y) {
    btTransform frame = btTransform::getIdentity();
    frame.setOrigin(vec(0, y, 0));
    return frame;
}

/// x axis upwards.
btTransform upwards(double y) {
    btTransform frame(btQuaternion(vec(0, 0, 1), static_cast<btScalar>(SIMD_HALF_PI)));
    frame.setOrigin(vec(0, y, 0));
    return frame;
}

/// A mass on a bushing under its weight, by many short Runge-Kutta steps with the slider set back after each.
struct Oscillator {
    double s, v, z = 0;

    double acceleration(double s_, double v_) const {
        const double h = std::clamp(kMount.c_slip * (s_ - z), -kMount.f_slip, kMount.f_slip);
        return -TestWorld::kGravity - (kMount.c * s_ + kMount.d * v_ + h) / kMass;
    }
    void advance(double time) {
        constexpr int kSteps = 2000;
        const double dt = time / kSteps;
        for (int i = 0; i < kSteps; ++i) {
            const double a1 = acceleration(s, v);
            const double a2 = acceleration(s + dt / 2 * v, v + dt / 2 * a1);
            const double a3 = acceleration(s + dt / 2 * v + dt * dt / 4 * a1, v + dt / 2 * a2);
            const double a4 = acceleration(s + dt * v + dt * dt / 2 * a2, v + dt * a3);
            s += dt * v + dt * dt / 6 * (a1 + a2 + a3);
            v += dt / 6 * (a1 + 2 * a2 + 2 * a3 + a4);
            const double reach = kMount.f_slip / kMount.c_slip;
            z = std::clamp(z, s - reach, s + reach);
        }
    }
};

}  // namespace

TEST_CASE("a mass on a bushing swings, slips and sticks as its law says") {
    const double hz = GENERATE(60.0, 240.0);
    TestWorld world;
    btRigidBody& mass = world.ball(kMass, 0, 0.02, 0);
    mass.setLinearVelocity(vec(0, 1.5, 0));
    auto& mount = world.add<Bushing>(Placement::alongAxis(Placement::world(), mass, upwards(0), upwards(0)), kMount);
    CHECK(std::string(mount.typeName()) == "Bushing");
    Oscillator expected{0.02, 1.5};
    double error = 0, slipped = 0;
    for (int i = 0; i < static_cast<int>(hz); ++i) {
        world.tick(1, hz);
        expected.advance(1 / hz);
        error = std::max(error, std::abs(mount.s_rel() - expected.s));
        error = std::max(error, std::abs(mount.s_damper() - expected.z));
        slipped = std::max(slipped, std::abs(expected.z));
    }
    CHECK(slipped > 0.02);
    CHECK(error < byPrecision(2e-7, 2e-6));
    CHECK(mount.heat() > 0.1);
}

TEST_CASE("a bushing goes back to a state that was saved, bit for bit") {
    TestWorld world;
    btRigidBody& mass = world.ball(kMass, 0, 0.02, 0);
    auto& mount = world.add<Bushing>(Placement::alongAxis(Placement::world(), mass, at(0), at(0)), kMount);
    mass.setLinearVelocity(vec(2, 0, 0));
    world.tick(20);
    const ElementState saved = mount.saveState();
    CHECK(saved.s_damper != 0);
    const btTransform pose = mass.getWorldTransform();
    const btVector3 velocity = mass.getLinearVelocity();
    const auto run = [&] {
        world.tick(30);
        return std::pair(mount.s_rel(), mount.s_damper());
    };
    const auto first = run();
    mass.setWorldTransform(pose);
    mass.setInterpolationWorldTransform(pose);
    mass.setLinearVelocity(velocity);
    mass.setAngularVelocity(vec(0, 0, 0));
    mount.restoreState(saved);
    CHECK(run() == first);
}

TEST_CASE("an element takes the law of its class and no other") {
    TestWorld world;
    btRigidBody& mass = world.ball(kMass, 0, 0, 0);
    auto& mount = world.add<Bushing>(Placement::aboutAxis(Placement::world(), mass, at(0), at(0)), kMount);
    CHECK(std::string(mount.typeName()) == "RotationalBushing");
    BushingParameters other = kMount;
    other.f_slip = 7;
    mount.setLaw(BushingLaw(other));
    CHECK(mount.parameters() == other);
    other.d = -1;
    CHECK_THROWS_WITH(mount.setParameters(other), Catch::Contains("RotationalBushing: d = -1"));
    CHECK_THROWS_WITH(mount.setLaw(SpringDamperLaw({.c = 1, .d = 1})), Catch::Contains("not that of a SpringDamper"));
    CHECK(mount.parameters().f_slip == 7);
}

TEST_CASE("a crate that slides into a bump stop on a floor comes back as often as it has energy") {
    TestWorld world;
    btRigidBody& crate = world.ball(kMass, 0.3, 0, 0);
    world.world->setGravity(vec(0, 0, 0));
    crate.setLinearVelocity(vec(-2, 0, 0));
    const ForceTable table({{0, 0}, {0.01, 20}, {0.02, 70}, {0.03, 300}});
    auto& stop = world.add<BumpStop>(Placement::alongAxis(Placement::world(), crate, at(0), at(0)),
                                     BumpStopParameters{.table = table, .d = 0, .s_rel0 = 0.1});
    int begins = 0;
    double deepest = 1;
    stop.onContactBegin([&](ForceElement&, const ContactInfo& info) {
        ++begins;
        CHECK(info.speed == Approx(2).epsilon(1e-6));
    });
    for (int i = 0; i < 60; ++i) {
        world.tick(1, 60);
        deepest = std::min(deepest, stop.s_rel());
        CHECK(stop.f() <= 0);
    }
    CHECK(begins == 1);
    CHECK(static_cast<double>(crate.getLinearVelocity().x()) == Approx(2).epsilon(1e-5));
    CHECK(deepest < 0.1);
    CHECK(table.energy(0.1 - deepest) <= Approx(0.5 * kMass * 4).epsilon(1e-4));
}
