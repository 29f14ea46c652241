// Stops in the place of the limits of cone-twist joints.

#include <elasto/from_bullet.h>
#include <elasto/parameter_forms.h>

#include <catch2/catch.hpp>

#include <cmath>

#include "test_world.h"

namespace cone_stops_test {

using namespace elasto;
using namespace elasto::test;

/// A body at the place of a base that does not move, on a cone-twist joint whose frames are no axis' own.
struct Cone {
    TestWorld world;
    btTransform frameA = btTransform(btQuaternion(vec(1, 2, 3).normalized(), btScalar(0.7)));
    btTransform frameB = btTransform(btQuaternion(vec(-2, 1, 1).normalized(), btScalar(1.1)));
    btRigidBody& base = world.body(0, new btSphereShape(btScalar(0.05)), at(0, 0, 0));
    btRigidBody& part;
    btConeTwistConstraint joint;
    std::vector<std::unique_ptr<ElastoGap>> stops;

    /// @param isPartA the part is Bullet's body A, which swings against B; else the base is
    Cone(const btVector3& halves, double aboutZ, double aboutY, double twist, bool isPartA = true)
        : part(world.body(1, new btBoxShape(halves), isPartA ? frameB * frameA.inverse() : frameA * frameB.inverse())),
          joint(isPartA ? part : base, isPartA ? base : part, frameA, frameB) {
        world.world->setGravity(vec(0, 0, 0));
        joint.setLimit(btScalar(aboutZ), btScalar(aboutY), btScalar(twist));
        world.world->addConstraint(&joint, true);
    }
    ~Cone() {
        for (const auto& stop : stops) world.world->removeConstraint(stop.get());
        world.world->removeConstraint(&joint);
    }
    ElastoGap& add(std::unique_ptr<ElastoGap> stop) {
        world.world->addConstraint(stop.get(), true);
        stops.push_back(std::move(stop));
        return *stops.back();
    }
    /// About an axis of the joint's frame, where both frames coincide.
    void spin(const btVector3& axis, double rate) {
        const btMatrix3x3 frame = joint.getRigidBodyA().getWorldTransform().getBasis() * frameA.getBasis();
        part.setAngularVelocity(frame * axis * btScalar(rate));
    }
    /// A's x axis as seen from B's frame.
    btVector3 axis() const {
        const btTransform b = joint.getRigidBodyB().getWorldTransform() * frameB;
        return (joint.getRigidBodyA().getWorldTransform().getBasis() * frameA.getBasis().getColumn(0)) * b.getBasis();
    }
    double inertia() const { return 1 / static_cast<double>(part.getInvInertiaDiagLocal().x()); }
    double energy() const {
        double sum = kineticOf(part);
        for (const auto& stop : stops) sum += stop->storedEnergy();
        return sum;
    }
};

btVector3 cube() {
    return vec(0.2, 0.2, 0.2);
}
btVector3 brick() {
    return vec(0.1, 0.2, 0.3);
}

TEST_CASE("a swing rebounds from its cone as from a stop about the axis of the swing") {
    const double hz = GENERATE(60., 240.);
    const double d = GENERATE(0., 2.);
    const double direction = GENERATE(0., 0.7, 2.5, 4.);
    const bool isPartA = GENERATE(true, false);
    const double c = 2000;
    const double rate = 1.5;
    Cone cone(cube(), 0.4, 0.4, -1, isPartA);
    const ElastoGap& stop = cone.add(swingStopFromLimits(cone.joint, c, d));
    const btVector3 about = vec(0, std::cos(direction), std::sin(direction));
    cone.spin(about, rate);
    const Impact impact = impactOf({.c = c, .d = d}, cone.inertia());
    const double time = 0.4 / rate + impact.penetrationTime + 0.1 / (rate * impact.restitution);
    cone.world.tick(static_cast<int>(std::ceil(time * hz)), hz);
    CAPTURE(hz, d, direction, isPartA);
    CHECK(static_cast<double>(cone.part.getAngularVelocity().length()) ==
          Approx(rate * impact.restitution).epsilon(byPrecision(1e-7, 1e-4)));
    CHECK_FALSE(stop.uncoupled());
    // Bullet's own limits are gone.
    CHECK(cone.joint.getSwingSpan1() >= btScalar(BT_LARGE_FLOAT));
    CHECK(cone.joint.getSwingSpan2() >= btScalar(BT_LARGE_FLOAT));
}

TEST_CASE("a cone of two spans stops where Bullet's does, and keeps the energy") {
    const double hz = GENERATE(60., 240.);
    const bool isPartA = GENERATE(true, false);
    Cone cone(brick(), 0.3, 0.6, 0.5, isPartA);
    ElastoGap& swing = cone.add(swingStopFromLimits(cone.joint, 3000, 0));
    StopPair twist = twistStopsFromLimits(cone.joint, 3000, 0);
    ElastoGap& lower = cone.add(std::move(twist.lower));
    ElastoGap& upper = cone.add(std::move(twist.upper));
    CHECK(cone.joint.getTwistSpan() < 0);
    cone.part.setAngularVelocity(vec(2, 1.3, -1.7));
    const double energy = cone.energy();
    double worst = 0, deepest = 0;
    int touches[3] = {0, 0, 0};
    swing.onContactBegin([&](ForceElement&, const ContactInfo&) { ++touches[0]; });
    lower.onContactBegin([&](ForceElement&, const ContactInfo&) { ++touches[1]; });
    upper.onContactBegin([&](ForceElement&, const ContactInfo&) { ++touches[2]; });
    for (int i = 0; i < static_cast<int>(5 * hz); ++i) {
        cone.world.tick(1, hz);
        worst = std::max(worst, std::abs(cone.energy() / energy - 1));
        const btVector3 x = cone.axis();
        const double sine = std::hypot(static_cast<double>(x.y()), static_cast<double>(x.z()));
        const double angle = std::atan2(sine, static_cast<double>(x.x()));
        const double bound =
            1 / std::hypot(static_cast<double>(x.z()) / sine / 0.6, static_cast<double>(x.y()) / sine / 0.3);
        CHECK(swing.s_rel() == Approx(bound - angle).margin(byPrecision(1e-7, 1e-4)));
        deepest = std::max(deepest, angle - bound);
        CHECK(upper.s_rel() == Approx(-lower.s_rel()).margin(byPrecision(1e-12, 1e-5)));
    }
    CAPTURE(hz, worst, deepest, touches[0], touches[1], touches[2]);
    CHECK(touches[0] > 3);
    CHECK(touches[1] > 1);
    CHECK(touches[2] > 1);
    CHECK(deepest < 0.05);
    CHECK(worst < byPrecision(1e-11, 1e-4));
    CHECK_FALSE(swing.uncoupled());
}

TEST_CASE("a twist rebounds from its stops, of which the lower one is that of negative angles") {
    const double hz = GENERATE(60., 240.);
    const double d = GENERATE(0., 2.);
    const double side = GENERATE(1., -1.);
    const double c = 2000;
    const double rate = 1.47;  // meets the stop within a tick
    Cone cone(cube(), 1, 1, 0.4);
    cone.joint.setLimit(1, 1, btScalar(0.5), btScalar(0.8));  // begins at softness times span
    StopPair twist = twistStopsFromLimits(cone.joint, c, d);
    ElastoGap& lower = cone.add(std::move(twist.lower));
    ElastoGap& upper = cone.add(std::move(twist.upper));
    CHECK(lower.parameters().s_rel0 == Approx(-0.4));
    cone.spin(vec(1, 0, 0), side * rate);
    cone.world.tick(static_cast<int>(0.2 * hz), hz);
    CHECK(lower.s_rel() == Approx(side * 0.2 * rate).epsilon(byPrecision(1e-7, 1e-4)));
    const Impact impact = impactOf({.c = c, .d = d}, cone.inertia());
    bool hasTouched[2] = {false, false};
    lower.onContactBegin([&](ForceElement&, const ContactInfo&) { hasTouched[0] = true; });
    upper.onContactBegin([&](ForceElement&, const ContactInfo&) { hasTouched[1] = true; });
    const double time = (0.4 - 0.2 * rate) / rate + impact.penetrationTime + 0.1 / (rate * impact.restitution);
    cone.world.tick(static_cast<int>(std::ceil(time * hz)), hz);
    CHECK(static_cast<double>(cone.part.getAngularVelocity().length()) ==
          Approx(rate * impact.restitution).epsilon(byPrecision(1e-7, 1e-4)));
    CHECK(hasTouched[side > 0 ? 0 : 1] == false);
    CHECK(hasTouched[side > 0 ? 1 : 0] == true);
}

TEST_CASE("where one swing is held the stop is that of the other, on both sides") {
    const double hz = GENERATE(60., 240.);
    const bool isAboutZ = GENERATE(true, false);
    Cone cone(cube(), isAboutZ ? 0.4 : 0.01, isAboutZ ? 0.01 : 0.4, -1);
    cone.add(swingStopFromLimits(cone.joint, 2000, 0));
    CHECK(cone.joint.getSwingSpan2() == (isAboutZ ? btScalar(0.01) : btScalar(BT_LARGE_FLOAT)));
    const btVector3 about = isAboutZ ? vec(0, 0, 1) : vec(0, 1, 0);
    cone.spin(about, 1.5);
    double least = 0, most = 0, fastest = 0;
    for (int i = 0; i < static_cast<int>(3 * hz); ++i) {
        cone.world.tick(1, hz);
        const btVector3 x = cone.axis();
        const double angle = static_cast<double>(isAboutZ ? btAtan2(x.y(), x.x()) : btAtan2(-x.z(), x.x()));
        least = std::min(least, angle);
        most = std::max(most, angle);
        if (std::abs(angle) < 0.39) {
            fastest = std::max(fastest, std::abs(static_cast<double>(cone.part.getAngularVelocity().length()) - 1.5));
        }
    }
    CHECK(least == Approx(-0.4).margin(0.02));
    CHECK(most == Approx(0.4).margin(0.02));
    CHECK(fastest < byPrecision(1e-7, 1e-3));
}

TEST_CASE("a limb on the stops of its cone falls on a floor, and they hand nothing out") {
    const double hz = GENERATE(60., 240.);
    const double d = GENERATE(0., 0.5);
    TestWorld world;
    world.body(0, new btStaticPlaneShape(vec(0, 1, 0), 0), at(0, 0, 0));
    btRigidBody& trunk = world.body(2, new btBoxShape(vec(0.2, 0.1, 0.15)), at(0, 0.6, 0));
    btRigidBody& limb = world.body(1, new btBoxShape(vec(0.2, 0.04, 0.05)), at(0.42, 0.6, 0));
    btConeTwistConstraint joint(trunk, limb, at(0.21, 0, 0), at(-0.21, 0, 0));
    joint.setLimit(btScalar(0.3), btScalar(0.6), btScalar(0.4));
    StopPair twist = twistStopsFromLimits(joint, 300, d);
    const std::unique_ptr<ElastoGap> stops[] = {swingStopFromLimits(joint, 300, d), std::move(twist.lower),
                                                std::move(twist.upper)};
    world.world->addConstraint(&joint, true);
    int touched = 0;
    for (const auto& stop : stops) {
        world.world->addConstraint(stop.get(), true);
        stop->onContactBegin([&](ForceElement&, const ContactInfo&) { ++touched; });
    }
    trunk.setAngularVelocity(vec(1, 2, 3));
    limb.setAngularVelocity(vec(-1, 0, 1));
    std::int64_t coupled = 0;
    for (int i = 0; i < static_cast<int>(3 * hz); ++i) {
        world.tick(1, hz);
        coupled += world.plugin->statistics().coupled;
        for (const auto& stop : stops) CHECK_FALSE(stop->uncoupled());
    }
    CHECK(touched > 1);
    CHECK(coupled > 10);
    CHECK(world.plugin->energy().handedOut < byPrecision(1e-12, 1e-6));
    CHECK(heightOf(limb) < 0.2);
    for (const auto& stop : stops) world.world->removeConstraint(stop.get());
    world.world->removeConstraint(&joint);
}

TEST_CASE("a span that is open leaves a stop of the other one") {
    Cone cone(cube(), 0.4, 1e18, -1);
    const ElastoGap& stop = cone.add(swingStopFromLimits(cone.joint, 2000, 0));
    cone.spin(vec(0, 1, 0), 2);
    for (int i = 0; i < 60; ++i) {
        cone.world.tick();
        CHECK_FALSE(stop.contact());
    }
    CHECK(static_cast<double>(cone.part.getAngularVelocity().length()) == Approx(2).epsilon(1e-5));
    Cone other(cube(), 0.4, 1e18, -1);
    other.add(swingStopFromLimits(other.joint, 2000, 0));
    other.spin(vec(0, 0, 1), 1.5);
    other.world.tick(24);
    const double turn = static_cast<double>(btAtan2(other.axis().y(), other.axis().x()));
    CHECK(std::abs(turn) < 0.4);
    CHECK(static_cast<double>(other.part.getAngularVelocity().length()) == Approx(1.5).epsilon(1e-5));
}

TEST_CASE("limits of a cone-twist joint that are none are refused") {
    Cone cone(cube(), 3.2, 4, 3.3);
    CHECK_THROWS_WITH(swingStopFromLimits(cone.joint, 1e3, 0), Catch::Contains("swingSpan1 = 3.2"));
    CHECK_THROWS_WITH(twistStopsFromLimits(cone.joint, 1e3, 0), Catch::Contains("twistSpan = 3.3"));
    cone.joint.setLimit(btScalar(0.01), btScalar(0.02), 0);
    CHECK_THROWS_WITH(swingStopFromLimits(cone.joint, 1e3, 0),
                      Catch::Contains("does not swing") && Catch::Contains("swingSpan1 = 0.01"));
    CHECK_THROWS_WITH(twistStopsFromLimits(cone.joint, 1e3, 0), Catch::Contains("its twist is locked"));
    cone.joint.setLimit(btScalar(0.5), btScalar(0.5), btScalar(0.4));
    CHECK_THROWS_WITH(swingStopFromLimits(cone.joint, -1, 0), Catch::Contains("c = -1"));
    CHECK_THROWS_WITH(twistStopsFromLimits(cone.joint, 1, -2), Catch::Contains("d = -2"));
    CHECK(cone.joint.getSwingSpan1() == btScalar(0.5));
    CHECK(cone.joint.getTwistSpan() == btScalar(0.4));

    const auto make = [&](double spanY, double spanZ) {
        return ElastoGap(Placement::swingClearance(cone.base, cone.part, at(0, 0, 0), at(0, 0, 0), spanY, spanZ),
                         ElastoGapParameters{.c = 1, .d = 0});
    };
    CHECK_THROWS_WITH(make(0, 1), Catch::Contains("spanY = 0"));
    CHECK_THROWS_WITH(make(1, -1), Catch::Contains("spanZ = -1"));
    CHECK_NOTHROW(make(1, 2));
}

}  // namespace cone_stops_test
