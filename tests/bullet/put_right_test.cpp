// What somebody has put wrong, or a tick has left so: joints that are apart, bodies inside each other under a taut
// spring, limits that were moved past where the body is. It is put right without a kick.

#include <catch2/catch.hpp>

#include <algorithm>
#include <cmath>

#include "contact_scenes.h"

using namespace elasto;
using namespace elasto::test;

namespace {

double deepest(TestWorld& world) {
    double depth = 0;
    for (int m = 0; m < world.dispatcher.getNumManifolds(); ++m) {
        const btPersistentManifold& manifold = *world.dispatcher.getManifoldByIndexInternal(m);
        for (int i = 0; i < manifold.getNumContacts(); ++i) {
            depth = std::max(depth, -static_cast<double>(manifold.getContactPoint(i).getDistance()));
        }
    }
    return depth;
}

// Mechanical energy less what the book says that it is: nothing but a constant.
double bookError(const TestWorld& world) {
    const EnergyBook book = world.plugin->energy();
    return book.kinetic + book.stored -
           (book.work + book.pushed - book.dissipated - book.damping - book.contacts - book.exchanged + book.numerical);
}

void lieOrFloat(TestWorld& world, bool hasFloor, btScalar friction = 0.5) {
    if (hasFloor) {
        addFloor(world).setFriction(friction);
    } else {
        world.world->setGravity(vec(0, 0, 0));
    }
}

double fastest(const TestWorld& world) {
    double speed = 0;
    for (const auto& body : world.bodies) speed = std::max(speed, double(body->getLinearVelocity().length()));
    return speed;
}

}  // namespace

TEST_CASE("crates that a taut spring pulls into each other come out") {
    // Boxes are found when they overlap: by then the spring has pulled them in.
    const double hz = GENERATE(60., 240.);
    const double c = GENERATE(20., 200.);
    const double speed = GENERATE(1., 3., 6.);
    TestWorld world;
    addFloor(world);
    btRigidBody& first = world.body(2, new btBoxShape(vec(0.2, 0.2, 0.2)), at(0, 0.2, 0));
    btRigidBody& second = world.body(1, new btBoxShape(vec(0.15, 0.15, 0.15)), at(0.8, 0.15, 0.03));
    second.setLinearVelocity(vec(-speed, 0, 0));
    world.add<SpringDamperParallel>(first, second, vec(0, 0, 0), vec(0, 0, 0),
                                    SpringDamperParameters{.c = c, .d = 0.1 * std::sqrt(c), .s_rel0 = 0.2});
    world.tick(1, hz);
    const double start = bookError(world);
    world.tick(static_cast<int>(4 * hz) - 1, hz);
    CAPTURE(hz, c, speed);
    CHECK(deepest(world) < 1.5e-3);
    CHECK(bookError(world) == Approx(start).margin(byPrecision(1e-9, 1e-2)));
}

TEST_CASE("a joint that was torn apart closes while springs act on its bodies") {
    const bool hasFloor = GENERATE(true, false);
    const double apart = GENERATE(0.002, 0.02, 0.1);
    TestWorld world;
    lieOrFloat(world, hasFloor);
    btRigidBody& first = world.body(2, new btBoxShape(vec(0.2, 0.2, 0.2)), at(0, 0.2, 0));
    btRigidBody& second = world.body(2, new btBoxShape(vec(0.2, 0.2, 0.2)), at(0.5, 0.2, 0));
    btPoint2PointConstraint joint(first, second, vec(0.25, 0, 0), vec(-0.25, 0, 0));
    world.world->addConstraint(&joint, true);
    world.add<Spring>(first, second, vec(0, 0.2, 0), vec(0, 0.2, 0), 100., 0.5);
    world.tick(10);
    btTransform pose = second.getWorldTransform();
    pose.setOrigin(pose.getOrigin() + vec(0, 0, apart));
    second.setWorldTransform(pose);
    const auto gap = [&] {
        return double(
            (first.getWorldTransform() * vec(0.25, 0, 0) - second.getWorldTransform() * vec(-0.25, 0, 0)).length());
    };
    double speed = 0;
    for (int i = 0; i < 120; ++i) {
        world.tick();
        speed = std::max(speed, fastest(world));
        CHECK(gap() < apart + 1e-3);
    }
    CAPTURE(hasFloor, apart, speed);
    CHECK(gap() < 1e-4);
    CHECK(speed < std::sqrt(100. / 2) * apart + 0.02);  // what the spring gives that was stretched, and no more
    world.world->removeConstraint(&joint);
}

TEST_CASE("a body follows the pivot of its joint that is moved, springs or not") {
    const bool hasFloor = GENERATE(true, false);
    TestWorld world;
    lieOrFloat(world, hasFloor);
    btRigidBody& crate = world.body(2, new btBoxShape(vec(0.2, 0.2, 0.2)), at(0, 0.2, 0));
    btPoint2PointConstraint joint(crate, vec(0, 0, 0));
    world.world->addConstraint(&joint, true);
    world.add<Spring>(crate, vec(0, 0, 0), vec(0, 3, 0), 0.1, 2.8);
    for (int i = 1; i <= 60; ++i) {
        joint.setPivotB(vec(i / 60., 0.2, 0));
        world.tick();
    }
    world.tick(60);
    CAPTURE(hasFloor);
    CHECK(crate.getWorldTransform().getOrigin().x() == Approx(1).margin(1e-3));
    CHECK(fastest(world) < 1.5);
    world.world->removeConstraint(&joint);
}

TEST_CASE("a gate follows its hinge's limit that is moved, springs or not") {
    const bool hasFloor = GENERATE(true, false);
    TestWorld world;
    lieOrFloat(world, hasFloor, 0);
    btRigidBody& gate = world.body(5, new btBoxShape(vec(0.4, 0.2, 0.1)), at(0.4, 0.2, 0));
    gate.setFriction(0);
    btHingeConstraint hinge(gate, vec(-0.4, 0, 0), vec(0, 1, 0));
    hinge.setLimit(-1, 1);
    world.world->addConstraint(&hinge, true);
    world.add<Spring>(gate, vec(0.4, 0, 0), vec(0.8, 3, 0), 1., 2.8);
    world.tick(10);
    const double before = static_cast<double>(hinge.getHingeAngle());
    hinge.setLimit(btScalar(0.5), 1);
    world.tick(240);
    CAPTURE(hasFloor, before);
    CHECK(static_cast<double>(hinge.getHingeAngle()) > 0.49);
    world.world->removeConstraint(&hinge);
}
