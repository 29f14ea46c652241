// What falls on its corners, and what leaves a face by its edge: in closed form, or the same in ticks of 1/60 s as in
// shorter ones.

#include <catch2/catch.hpp>

#include <cmath>

#include "test_world.h"

namespace edges_and_corners_test {

using namespace elasto;
using namespace elasto::test;

namespace {

constexpr double g = TestWorld::kGravity;

/// What makes a body the plugin's, and hardly pulls at it.
void addTie(TestWorld& world, btRigidBody& body) {
    world.add<SpringDamperParallel>(body, vec(0, 0, 0), vec(-9, 0, 0), SpringDamperParameters{.c = 1e-6, .d = 0});
}

btRigidBody& addTable(TestWorld& world, const btVector3& half, double friction) {
    btRigidBody& table = world.body(0, new btBoxShape(half), at(0, -static_cast<double>(half.y()), 0));
    table.setFriction(btScalar(friction));
    return table;
}

struct Pose {
    btVector3 place, velocity;
    btQuaternion turn;
};

Pose poseOf(const btRigidBody& body) {
    return {body.getCenterOfMassPosition(), body.getLinearVelocity(), body.getOrientation()};
}

double distanceOf(const Pose& x, const Pose& y) {
    return static_cast<double>((x.place - y.place).length()) + static_cast<double>(x.turn.angleShortestPath(y.turn));
}

/// A box that comes down turning: first one corner strikes, and then others do.
Pose boxOnCorners(double friction, double hz, double end) {
    TestWorld world;
    addTable(world, vec(4, 0.5, 4), friction);
    btRigidBody& box = world.body(1, new btBoxShape(vec(0.15, 0.1, 0.125)), at(0, 0.5, 0));
    box.setAngularVelocity(vec(1, 2, 3));
    addTie(world, box);
    world.tick(static_cast<int>(end * hz + 0.5), hz);
    return poseOf(box);
}

/// A box that falls on the end of a plank which turns about its middle.
Pose boxOnSeesaw(double hz, double end) {
    TestWorld world;
    btRigidBody& plank = world.body(4, new btBoxShape(vec(1, 0.04, 0.2)), at(0, 0.5, 0));
    world.add<btHingeConstraint>(plank, vec(0, 0, 0), vec(0, 0, 1));
    btRigidBody& box = world.body(1, new btBoxShape(vec(0.1, 0.1, 0.1)), at(0.7, 0.9, 0));
    addTie(world, box);
    world.tick(static_cast<int>(end * hz + 0.5), hz);
    return poseOf(box);
}

}  // namespace

TEST_CASE("a box that falls on a corner goes on to the next within the tick") {
    // It was 2 % of its way off at 60 Hz: the other corners were met a tick late, inside the floor.
    const double hz = GENERATE(60., 240.);
    // Later it falls flat, and in single precision rounding tells which corners of a face strike.
    const double end = GENERATE(0.3, byPrecision(0.5, 0.25));
    const double friction = GENERATE(0.1, 0.4);  // of the floor: the box has half that, too
    const double off = distanceOf(boxOnCorners(friction, hz, end), boxOnCorners(friction, 960, end));
    CAPTURE(hz, end, friction, off);
    CHECK(off < byPrecision(1e-6, 2e-3));
}

TEST_CASE("a box on what tilts under it keeps its corners") {
    // Bullet's points keep the normal of the time when they were found: at 240 Hz they made another face of it, 3 %
    // off.
    const double hz = GENERATE(60., 120., 240.);
    // In ticks of some lengths (960 Hz) the box rocks by 0.003 rad for some of its way, and those ticks say that they
    // are not exact.
    const double off = distanceOf(boxOnSeesaw(hz, 0.45), boxOnSeesaw(1920, 0.45));
    CAPTURE(hz, off);
    CHECK(off < byPrecision(1e-3, 5e-3));
}

TEST_CASE("a box that tips over an edge slides off it along its own face") {
    // Bullet's points keep the normal of the table's top: the force was up to six times as steep as friction lets it
    // be.
    const double hz = GENERATE(60., 240.);
    TestWorld world;
    addTable(world, vec(0.5, 0.5, 0.5), 0.6);
    btRigidBody& box = world.body(1, new btBoxShape(vec(0.2, 0.05, 0.1)), at(0.52, 0.05, 0));
    box.setFriction(btScalar(0.4));
    addTie(world, box);
    bool isTipping = false;
    for (int tick = 0; tick < static_cast<int>(0.6 * hz); ++tick) {
        const btVector3 before = box.getLinearVelocity();
        const btVector3 up = box.getWorldTransform().getBasis().getColumn(1);
        world.tick(1, hz);
        const btVector3 force = (box.getLinearVelocity() - before) * btScalar(hz) + vec(0, g, 0);
        const auto press = static_cast<double>(force.dot(up));
        const auto along = static_cast<double>((force - force.dot(up) * up).length());
        isTipping = isTipping || up.y() < btScalar(0.95);
        CAPTURE(hz, tick, press, along);
        // The face turns within the tick, by less than this.
        if (press < 0.1) continue;
        CHECK(along <= (0.24 + static_cast<double>(box.getAngularVelocity().length()) / hz) * press);
    }
    CHECK(isTipping);
}

TEST_CASE("a small ball does not get through a plate that it is very near") {
    // Bullet looks no farther than 2 % of its size, and what is nearer than a millimetre was not looked for along its
    // way.
    const double radius = GENERATE(0.005, 0.01, 0.02);
    const double gap = GENERATE(2e-4, 5e-4, 9e-4);
    TestWorld world;
    world.body(0, new btBoxShape(vec(0.5, radius / 2, 0.5)), at(0, -radius / 2, 0));
    btRigidBody& ball = world.body(0.1, new btSphereShape(btScalar(radius)), at(0, radius + gap, 0));
    ball.setLinearVelocity(vec(0, -3, 0));
    addTie(world, ball);
    world.tick(30);
    CAPTURE(radius, gap);
    CHECK(static_cast<double>(ball.getCenterOfMassPosition().y()) == Approx(radius).margin(byPrecision(1e-5, 1e-4)));
}

TEST_CASE("a ball without friction leaves a table where it presses no more") {
    const double hz = GENERATE(60., 240.);
    const double margin = GENERATE(0.01, 0.04);
    constexpr double kRadius = 0.1, kSpeed = 0.5;
    TestWorld world;
    btRigidBody& table = addTable(world, vec(0.5, 0.5, 0.5), 0);
    table.getCollisionShape()->setMargin(btScalar(margin));
    btRigidBody& ball = world.body(0.7, new btSphereShape(btScalar(kRadius)), at(0.45 - margin, kRadius, 0));
    ball.setFriction(0);
    ball.setLinearVelocity(vec(kSpeed, 0, 0));
    addTie(world, ball);
    world.tick(static_cast<int>(0.5 * hz), hz);
    // Bullet's box is round by its margin where balls see it.
    const double r = kRadius + margin;
    const double cosine = (kSpeed * kSpeed + 2 * g * r) / (3 * g * r);
    const double along = std::sqrt(g * r * cosine) * cosine;
    CAPTURE(hz, margin);
    CHECK(static_cast<double>(ball.getLinearVelocity().x()) == Approx(along).epsilon(byPrecision(1e-5, 1e-3)));
}

TEST_CASE("what slides off a face falls from there on") {
    // It keeps its attitude: at 60 Hz it began to fall up to a tick late, 1.4 mm.
    const double hz = GENERATE(60., 240.);
    constexpr double kHalf = 0.1, kOverlap = 0.11, kSpeed = 2, kEnd = 0.1;
    TestWorld world;
    addTable(world, vec(0.5, 0.5, 0.5), 0);
    btRigidBody& box = world.body(1, new btBoxShape(vec(kHalf, kHalf, kHalf)), at(0.5 + kHalf - kOverlap, kHalf, 0));
    box.setAngularFactor(0);
    box.setFriction(0);
    box.setLinearVelocity(vec(kSpeed, 0, 0));
    addTie(world, box);
    world.tick(static_cast<int>(kEnd * hz + 0.5), hz);
    const double falls = kEnd - kOverlap / kSpeed;
    const double fallen = kHalf - static_cast<double>(box.getCenterOfMassPosition().y());
    CAPTURE(hz, fallen);
    CHECK(fallen == Approx(g / 2 * falls * falls).margin(byPrecision(1e-7, 1e-4)));
}

}  // namespace edges_and_corners_test
