// Bullet's gears between joints of a multibody: relations that hold, against machines that have no gear.

#include <BulletDynamics/Featherstone/btMultiBodyGearConstraint.h>
#include <BulletDynamics/Featherstone/btMultiBodyJointLimitConstraint.h>

#include <catch2/catch.hpp>

#include <algorithm>
#include <cmath>

#include "multibody_world.h"

using namespace elasto;
using namespace elasto::test;

namespace {

const Law kNothing = SpringDamperLaw({.c = 0, .d = 0});

/// q_first = ratio q_second + offset.
btMultiBodyGearConstraint& gear(MultiBodyWorld& world, btMultiBody& body, int first, int second, double ratio,
                                double offset = 0) {
    auto& added = world.constrain<btMultiBodyGearConstraint>(&body, first, &body, second, vec(0, 0, 0), vec(0, 0, 0),
                                                             btMatrix3x3::getIdentity(), btMatrix3x3::getIdentity());
    added.setGearRatio(btScalar(-ratio));
    added.setRelativePositionTarget(btScalar(offset));
    added.setErp(1);
    added.setMaxAppliedImpulse(SIMD_INFINITY);
    return added;
}

double q(const btMultiBody& body, int link) {
    return static_cast<double>(body.getJointPos(link));
}

/// A bar of 1 kg and 1 m that starts level, and as much more inertia about its joint as `more` says: in the link
/// itself, or in a wheel on the same base that a gear turns `ratio` times as fast.
class Pendulum {
public:
    Pendulum(double more, double ratio, bool hasWheel, bool hasFloor) : body(world.multiBody(hasWheel ? 2 : 1)) {
        const double along = 1. / 12 + (hasWheel ? 0 : more);
        body.setupRevolute(0, 1, vec(1e-3, 1. / 12, along), -1, btQuaternion::getIdentity(), vec(0, 0, 1), vec(0, 1, 0),
                           vec(0.5, 0, 0), true);
        if (hasWheel) {
            const double inertia = more / (ratio * ratio);
            body.setupRevolute(1, 1, vec(inertia, inertia, inertia), -1, btQuaternion::getIdentity(), vec(0, 0, 1),
                               vec(-1, 1, 0), vec(0, 0, 0), true);
        }
        if (hasFloor) {
            auto& hand = world.collider(body, 0, new btBoxShape(vec(0.5, 0.05, 0.05)));
            hand.setRestitution(btScalar(0.8));
            hand.setFriction(0);
            btRigidBody& floor = world.rigid(0, new btBoxShape(vec(5, 0.5, 5)), at(0, -0.5 + 0.2, 0));
            floor.setRestitution(1);
            floor.setFriction(0);
        }
        world.add(body);
        if (hasWheel) gear(world, body, 1, 0, ratio, 0.3);
        if (hasWheel) body.setJointPos(1, btScalar(0.3));
        world.place(body);
        world.element(JointCoordinate{&body, 0}, kNothing);
    }

    MultiBodyWorld world;
    btMultiBody& body;
};

}  // namespace

TEST_CASE("a gear without play makes a pendulum swing as if the other wheel's inertia were its own") {
    const double hz = GENERATE(60., 240., 1000.);
    const double ratio = GENERATE(-1., 0.5, 100.);
    CAPTURE(hz, ratio);
    Pendulum geared(0.2, ratio, true, false), alone(0.2, ratio, false, false);
    for (int i = 0; i < hz; ++i) {
        geared.world.tick(1, hz);
        alone.world.tick(1, hz);
        const double led =
            static_cast<double>(btScalar(ratio)) * q(geared.body, 0) + static_cast<double>(btScalar(0.3));
        REQUIRE(std::abs(q(geared.body, 1) - led) < byPrecision(1e-12, 1e-5) * (1 + std::abs(led)));
        REQUIRE(q(geared.body, 0) == Approx(q(alone.body, 0)).margin(byPrecision(1e-8, 1e-5)));
    }
    CHECK(geared.world.messages.empty());
}

TEST_CASE("a bar that a gear holds strikes the floor as if the other wheel's inertia were its own") {
    const double hz = GENERATE(60., 240., 1000.);
    const double ratio = GENERATE(-1., 0.5, 100.);
    CAPTURE(hz, ratio);
    Pendulum geared(0.2, ratio, true, true), alone(0.2, ratio, false, true);
    double lowest = 0, worst = 0, apart = 0;
    for (int i = 0; i < hz; ++i) {
        geared.world.tick(1, hz);
        alone.world.tick(1, hz);
        lowest = std::min(lowest, q(alone.body, 0));
        const double led =
            static_cast<double>(btScalar(ratio)) * q(geared.body, 0) + static_cast<double>(btScalar(0.3));
        worst = std::max(worst, std::abs(q(geared.body, 1) - led) / (1 + std::abs(led)));
        apart = std::max(apart, std::abs(q(geared.body, 0) - q(alone.body, 0)));
    }
    CHECK(lowest < -0.5);
    CHECK(worst < byPrecision(1e-12, 1e-5));
    CHECK(apart < byPrecision(1e-7, 1e-4));
    CHECK(geared.world.messages.empty());
}

TEST_CASE("links in a row that gears hold keep their energy, in joint coordinates and among bodies") {
    const double hz = GENERATE(60., 240.);
    const bool isAmongBodies = GENERATE(false, true);
    CAPTURE(hz, isAmongBodies);
    // Three bars, of which the second turns back by twice the first one's angle, and the third as the first does. One
    // angle is left, so that the energy tells its motion.
    MultiBodyWorld world;
    btMultiBody& body = world.multiBody(3);
    for (const int i : {0, 1, 2}) MultiBodyWorld::bar(body, i, i - 1, 1, 0.5, vec(i > 0 ? 0.25 : 0, 0, 0));
    world.add(body);
    gear(world, body, 1, 0, -2);
    gear(world, body, 2, 1, -0.5, 0.4);
    body.setJointPos(2, btScalar(0.4));
    world.element(JointCoordinate{&body, 0}, kNothing);
    if (isAmongBodies) {
        world.element(LinkPlacement::alongLine(Flange::world(), Flange(body, 2), vec(0, 9, 0), vec(0, 0, 0)), kNothing);
    }
    world.tick(1, hz);
    const auto total = [&] { return world.plugin->energy().kinetic - world.plugin->energy().work; };
    const double before = total();
    double most = 0, apart = 0, lowest = 0;
    for (int i = 0; i < 2 * hz; ++i) {
        world.tick(1, hz);
        most = std::max(most, world.plugin->energy().kinetic);
        lowest = std::min(lowest, q(body, 0));
        apart = std::max(apart, std::abs(q(body, 1) + 2 * q(body, 0)));
        apart = std::max(apart, std::abs(q(body, 2) + 0.5 * q(body, 1) - static_cast<double>(btScalar(0.4))));
    }
    CHECK(lowest < -1.5);
    CHECK(apart < byPrecision(1e-12, 1e-5));
    CHECK(std::abs(total() - before) < byPrecision(1e-9, 1e-4) * most);
    CHECK(world.messages.empty());
}

TEST_CASE("a rack and a pinion fall as their masses say, and gears hold gears") {
    const double hz = GENERATE(60., 240.);
    CAPTURE(hz);
    MultiBodyWorld world;
    btMultiBody& body = world.multiBody(3);
    const btQuaternion straight = btQuaternion::getIdentity();
    body.setupPrismatic(0, 2, vec(0.1, 0.1, 0.1), -1, straight, vec(0, 1, 0), vec(0, 0, 0), vec(0, 0, 0), true);
    for (const int i : {1, 2}) {
        body.setupRevolute(i, 1, vec(0.01, 0.01, 0.01), -1, straight, vec(0, 0, 1), vec(i, 0, 0), vec(0, 0, 0), true);
    }
    world.add(body);
    // The pinion of 50 mm turns by 20 rad/m, the other wheel by -3 times that.
    gear(world, body, 2, 1, -3);
    gear(world, body, 1, 0, 20);
    world.element(JointCoordinate{&body, 0}, kNothing);
    const double a = -2 * MultiBodyWorld::kGravity / (2 + 400 * 0.01 + 3600 * 0.01);
    for (int i = 1; i <= hz; ++i) {
        world.tick(1, hz);
        const double t = i / hz;
        REQUIRE(q(body, 0) == Approx(a / 2 * t * t).epsilon(byPrecision(1e-9, 1e-5)));
        REQUIRE(std::abs(q(body, 1) - 20 * q(body, 0)) < byPrecision(1e-11, 1e-4));
        REQUIRE(std::abs(q(body, 2) + 3 * q(body, 1)) < byPrecision(1e-11, 1e-4));
    }
}

TEST_CASE("a limit of one joint stops both that a gear holds") {
    MultiBodyWorld world;
    btMultiBody& body = world.multiBody(2);
    for (const int i : {0, 1}) {
        body.setupRevolute(i, 1, vec(0.01, 0.01, 0.01), -1, btQuaternion::getIdentity(), vec(0, 0, 1), vec(i, 0, 0),
                           vec(0, 0, 0), true);
    }
    world.add(body);
    gear(world, body, 1, 0, -2, 0.1);
    body.setJointPos(1, btScalar(0.1));
    auto& limit = world.constrain<btMultiBodyJointLimitConstraint>(&body, 1, btScalar(-0.3), btScalar(5));
    limit.setMaxAppliedImpulse(btScalar(1e18));
    world.element(JointCoordinate{&body, 0}, kNothing);
    for (int i = 0; i < 60; ++i) {
        body.addJointTorque(0, 1);
        world.tick();
    }
    CHECK(q(body, 0) == Approx(0.2).margin(byPrecision(1e-9, 1e-6)));
    CHECK(q(body, 1) == Approx(-0.3).margin(byPrecision(1e-9, 1e-6)));
}

TEST_CASE("a gear takes back what its joints are set apart by, and its strength may have a bound") {
    MultiBodyWorld world;
    btMultiBody& body = world.multiBody(2);
    for (const int i : {0, 1}) {
        body.setupRevolute(i, 1, vec(0.01, 0.01, 0.01), -1, btQuaternion::getIdentity(), vec(0, 0, 1), vec(i, 0, 0),
                           vec(0, 0, 0), true);
    }
    world.add(body);
    btMultiBodyGearConstraint& pair = gear(world, body, 1, 0, 1);
    world.element(JointCoordinate{&body, 0}, kNothing);
    body.setJointPos(1, btScalar(0.2));
    world.tick();
    CHECK(q(body, 0) == Approx(0.1).margin(1e-5));
    CHECK(q(body, 1) == Approx(0.1).margin(1e-5));
    world.tick();
    CHECK(q(body, 0) == Approx(0.1).margin(1e-5));
    // 0.1 N.m hold 0.2 N.m on one of two equal wheels, and no more: what is beyond turns that one alone.
    pair.setMaxAppliedImpulse(btScalar(0.1 / 60));
    pair.setErp(0);
    body.addJointTorque(0, btScalar(0.5));
    world.tick();
    CHECK(static_cast<double>(body.getJointVel(0)) == Approx(0.4 / 0.01 / 60).epsilon(1e-4));
    CHECK(static_cast<double>(body.getJointVel(1)) == Approx(0.1 / 0.01 / 60).epsilon(1e-4));
}

TEST_CASE("gears that a tick cannot have are refused with a message") {
    const int kind = GENERATE(0, 1, 2);
    CAPTURE(kind);
    MultiBodyWorld world;
    btMultiBody& body = world.multiBody(2);
    btMultiBody& other = world.multiBody(1);
    for (const int i : {0, 1}) {
        body.setupRevolute(i, 1, vec(0.01, 0.01, 0.01), -1, btQuaternion::getIdentity(), vec(0, 0, 1), vec(i, 0, 0),
                           vec(0, 0, 0), true);
    }
    other.setupRevolute(0, 1, vec(0.01, 0.01, 0.01), -1, btQuaternion::getIdentity(), vec(0, 0, 1), vec(2, 0, 0),
                        vec(0, 0, 0), true);
    world.add(body);
    world.add(other);
    world.element(JointCoordinate{&body, 0}, kNothing);
    if (kind == 0) {
        world.constrain<btMultiBodyGearConstraint>(&body, 1, &other, 0, vec(0, 0, 0), vec(0, 0, 0),
                                                   btMatrix3x3::getIdentity(), btMatrix3x3::getIdentity());
    } else if (kind == 1) {
        gear(world, body, 1, 0, 1).setGearAuxLink(0);
    } else {
        gear(world, body, 1, 1, 1);
    }
    const char* said[] = {"a btMultiBodyGearConstraint with another body",
                          "a btMultiBodyGearConstraint with an auxiliary link",
                          "a btMultiBodyGearConstraint between a joint and itself"};
    world.tick();
    REQUIRE_FALSE(world.messages.empty());
    CHECK_THAT(world.messages.front(), Catch::Contains(said[kind]));
}
