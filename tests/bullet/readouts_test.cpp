// Readouts against the geometry written out by hand.

#include <catch2/catch.hpp>

#include <algorithm>

#include "test_world.h"

using namespace elasto;
using namespace elasto::test;

namespace {

void checkNear(const btVector3& value, double x, double y, double z, double margin = kRounding) {
    CHECK(static_cast<double>(value.x()) == Approx(x).margin(margin));
    CHECK(static_cast<double>(value.y()) == Approx(y).margin(margin));
    CHECK(static_cast<double>(value.z()) == Approx(z).margin(margin));
}

}  // namespace

TEST_CASE("a gap reads out what Modelica's component does") {
    TestWorld world;
    btRigidBody& a = world.ball(1, 0, 0, 0);
    btRigidBody& b = world.ball(1, 0.9, 0.3, 0);
    b.setLinearVelocity(vec(-0.2, 5, 0));
    auto& gap = world.add<ElastoGap>(a, b, at(0.1, 0, 0), at(-0.1, 0, 0),
                                     ElastoGapParameters{.c = 1000, .d = 100, .s_rel0 = 1});
    gap.setName("stop");
    CHECK(gap.label() == "ElastoGap 'stop'");
    CHECK(gap.geometry() == Geometry::AlongAxis);
    CHECK(gap.s_rel() == Approx(0.7).margin(kRounding));
    CHECK(gap.v_rel() == Approx(-0.2).margin(kRounding));
    CHECK(gap.length() == Approx(std::hypot(0.7, 0.3)).margin(kRounding));
    CHECK(gap.s() == gap.s_rel());
    // f_c = -1000 * 0.3, f_d2 = 100 * -0.2
    CHECK(gap.contact());
    CHECK(gap.f_c() == Approx(-300).margin(1e4 * kRounding));
    CHECK(gap.f_d2() == Approx(-20).margin(1e4 * kRounding));
    CHECK(gap.f_d() == Approx(-20).margin(1e4 * kRounding));
    CHECK(gap.f() == Approx(-320).margin(1e4 * kRounding));
    CHECK(gap.flange_a_f() == -gap.f());
    CHECK(gap.flange_b_f() == gap.f());
    CHECK(gap.lossPower() == Approx(4).margin(1e4 * kRounding));
    CHECK(gap.dissipatedPower() == gap.lossPower());
    CHECK(gap.storedEnergy() == Approx(45).margin(1e4 * kRounding));
    checkNear(gap.pointA(), 0.1, 0, 0);
    checkNear(gap.pointB(), 0.8, 0.3, 0);
    checkNear(gap.axis(), 1, 0, 0);
    checkNear(gap.r_rel_0(), 0.7, 0.3, 0);
    // Pushed apart through the origin of frame B, 0.3 above A's centre: A turns against the clock.
    checkNear(gap.forceOnA(), -320, 0, 0, 1e4 * kRounding);
    checkNear(gap.forceOnB(), 320, 0, 0, 1e4 * kRounding);
    checkNear(gap.torqueOnA(), 0, 0, 0.3 * 320, 1e4 * kRounding);
    checkNear(gap.torqueOnB(), 0, 0, 0, 1e4 * kRounding);
    CHECK(gap.TheatPort() == 293.15);
    const Readout all = gap.readout();
    CHECK(all.force.f == gap.f());
    CHECK(all.storedEnergy == gap.storedEnergy());

    gap.setEnabled(false);
    CHECK(gap.f() == 0);
    CHECK(gap.storedEnergy() == 0);
    CHECK_FALSE(gap.contact());
    CHECK(gap.s_rel() == Approx(0.7).margin(kRounding));
}

TEST_CASE("a line element reads out the line in the world and in frame A") {
    TestWorld world;
    btRigidBody& a = world.body(1, new btSphereShape(1), btTransform(btQuaternion(vec(0, 0, 1), SIMD_HALF_PI)));
    btRigidBody& b = world.ball(1, 3, 4, 0);
    b.setLinearVelocity(vec(1, 0, 0));
    auto& spring = world.add<SpringDamperParallel>(a, b, vec(0, 0, 0), vec(0, 0, 0),
                                                   SpringDamperParameters{.c = 10, .d = 1, .s_rel0 = 4});
    CHECK(spring.s() == Approx(5));
    CHECK(spring.v_rel() == Approx(0.6));
    CHECK(spring.f() == Approx(10.6));
    checkNear(spring.e_rel_0(), 0.6, 0.8, 0);
    checkNear(spring.r_rel_a(), 4, -3, 0, 10 * kRounding);  // A is turned by +90 degrees
    checkNear(spring.e_a(), 0.8, -0.6, 0);
    checkNear(spring.forceOnA(), 6.36, 8.48, 0, 10 * kRounding);
    checkNear(spring.forceOnB(), -6.36, -8.48, 0, 10 * kRounding);
}

TEST_CASE("a line of no length has no direction but a number") {
    TestWorld world;
    btRigidBody& b = world.ball(1, 0, 0, 0);
    auto& spring = world.add<Spring>(b, vec(0, 0, 0), vec(0, 0, 0), 10);
    CHECK(spring.length() == 0);
    CHECK(spring.s() == 1e-10);
    spring.setS_small(1e-3);
    CHECK(spring.s() == 1e-3);
    world.tick();
    CHECK(std::isfinite(heightOf(b)));
}

TEST_CASE("angles count turns, above Bullet's own limit of pi/4 per tick") {
    const double w = GENERATE(40.0, 150.0, -150.0);  // rad/s: up to 2.5 rad per tick
    TestWorld world;
    world.world->setGravity(vec(0, 0, 0));
    btRigidBody& body = world.ball(1, 0, 0, 0);
    body.setAngularVelocity(vec(0, 0, w));
    auto& free =
        world.add<RotationalSpringDamper>(body, btTransform::getIdentity(), SpringDamperParameters{.c = 0, .d = 0});
    world.tick(120);
    CHECK(free.phi_rel() == Approx(2 * w).epsilon(byPrecision(1e-12, 1e-6)));
    CHECK(free.w_rel() == Approx(w));
    CHECK(free.tau() == 0);
}

TEST_CASE("a torsion spring stores whole turns") {
    TestWorld world;
    btRigidBody& body = world.ball(1, 0, 0, 0);
    body.setMassProps(1, vec(1, 1, 1));
    body.updateInertiaTensor();
    body.setAngularVelocity(vec(0, 0, 30));
    auto& spring =
        world.add<RotationalSpringDamper>(body, btTransform::getIdentity(), SpringDamperParameters{.c = 4, .d = 0});
    double highest = 0;
    for (int i = 0; i < 120; ++i) {
        world.tick();
        highest = std::max(highest, spring.phi_rel());
        CHECK(spring.phi_rel() == Approx(15 * std::sin(2 * (i + 1) / 60.0)).margin(byPrecision(1e-10, 2e-5)));
    }
    CHECK(highest > 14.9);
    const btVector3 torque = spring.torqueOnB();
    CHECK(static_cast<double>(torque.z()) == Approx(-spring.tau()));
    CHECK(spring.forceOnB().isZero());
}

TEST_CASE("the solution inside the last tick shows the impact") {
    TestWorld world;
    btRigidBody& mass = world.ball(0.2, 0, 0.02, 0);
    mass.setLinearVelocity(vec(0, -2.4, 0));
    auto& stop = world.add<ElastoGap>(mass, upwards(), upwards(), ElastoGapParameters{.c = 1e6, .d = 5});
    CHECK_THROWS_AS(stop.solutionAt(0), std::logic_error);
    world.tick();
    CHECK(climbOf(mass) > 2);
    CHECK(stop.solutionAt(0).s_rel == Approx(0.02));
    CHECK(stop.solutionAt(0).force.f == 0);
    double lowest = 0;
    double impulse = 0;
    const int samples = 10000;
    for (int i = 0; i <= samples; ++i) {
        const Readout inside = stop.solutionAt(stop.tickLength() * i / samples);
        lowest = std::min(lowest, inside.s_rel);
        impulse += inside.force.f * stop.tickLength() / samples;
        CHECK(inside.force.f <= 0);
    }
    CHECK(lowest < -1e-3 * 0.9);
    CHECK(impulse == Approx(stop.impulse()).epsilon(1e-3));
    CHECK(stop.meanForce() == Approx(stop.impulse() * 60).epsilon(1e-7));
    CHECK(stop.solutionAt(stop.tickLength()).s_rel == Approx(stop.s_rel()));
    CHECK_THROWS_AS(stop.solutionAt(0.02), std::out_of_range);
    CHECK_THROWS_AS(stop.solutionAt(-1e-9), std::out_of_range);
    CHECK(stop.method() == FlowMethod::ClosedForm);
}

TEST_CASE("heat goes into a port, or nowhere but the element") {
    TestWorld world;
    btRigidBody& mass = world.ball(1, 0, -1, 0);
    mass.setLinearVelocity(vec(0, -1, 0));
    auto& damper = world.add<Damper>(mass, vec(0, 0, 0), vec(0, 0, 0), 20);
    auto& second = world.add<Damper>(mass, vec(0, 0, 0), vec(0, 1, 0), 10);
    const auto port = std::make_shared<HeatPort>(10, 300);
    damper.setHeatPort(port);
    second.setHeatPort(port);
    world.tick(60);
    CHECK(damper.heat() > 0);
    CHECK(port->energy() == Approx(damper.heat() + second.heat()));
    CHECK(port->power() == Approx(damper.dissipatedPower() + second.dissipatedPower()));
    CHECK(damper.TheatPort() == Approx(300 + port->power() / 10));
    second.setHeatPort(nullptr);
    second.setT(310);
    CHECK(second.TheatPort() == 310);
}

TEST_CASE("a line that is shorter than its s_small is said, once") {
    TestWorld world;
    world.world->setGravity(vec(0, 0, 0));
    btRigidBody& mass = world.ball(1, 0.3, 0, 0);
    auto& spring = world.add<SpringDamperParallel>(mass, vec(0, 0, 0), vec(0, 0, 0),
                                                   SpringDamperParameters{.c = 100, .d = 0, .s_rel0 = 0.15});
    spring.setName("short");
    spring.setS_small(0.1);
    world.tick(2);
    CHECK(world.messages.empty());
    world.tick(60);
    const auto isOfLine = [](const std::string& message) {
        return message.find("'short': its line is") != std::string::npos &&
               message.find("shorter than s_small = 0.1 m") != std::string::npos;
    };
    CHECK(std::count_if(world.messages.begin(), world.messages.end(), isOfLine) == 1);
}
