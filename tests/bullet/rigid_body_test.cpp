// What Bullet's rigid bodies bring along: damping, the gyroscopic term, factors, applied forces.

#include <catch2/catch.hpp>

#include <elasto/flow.h>

#include "test_world.h"

using namespace elasto;
using namespace elasto::test;

namespace {

// An element that does nothing but make a network of its body.
ForceElement& idle(TestWorld& world, btRigidBody& body) {
    return world.add<RotationalSpringDamper>(body, btTransform::getIdentity(), SpringDamperParameters{.c = 0, .d = 0});
}

btRigidBody& brick(TestWorld& world) {
    btRigidBody& body = world.ball(1, 0, 0, 0);
    body.setMassProps(1, vec(1, 2, 3));
    body.updateInertiaTensor();
    body.setAngularVelocity(vec(0.01, 6, 0.02));
    return body;
}

Eigen::Vector3d eigen(const btVector3& v) {
    return {static_cast<double>(v.x()), static_cast<double>(v.y()), static_cast<double>(v.z())};
}

// Angular momentum and kinetic energy of the brick.
Eigen::Vector3d momentumOf(const btRigidBody& body) {
    const btMatrix3x3& R = body.getWorldTransform().getBasis();
    const btVector3 inBody = body.getAngularVelocity() * R;
    return eigen(R * (inBody * vec(1, 2, 3)));
}

double spinEnergyOf(const btRigidBody& body) {
    return 0.5 * eigen(body.getAngularVelocity()).dot(momentumOf(body));
}

}  // namespace

TEST_CASE("a body that tumbles about its middle axis keeps its energy and angular momentum") {
    TestWorld world;
    world.world->setGravity(vec(0, 0, 0));
    btRigidBody& body = brick(world);
    idle(world, body);
    const Eigen::Vector3d momentum = momentumOf(body);
    const double energy = spinEnergyOf(body);
    double flipped = 1;
    for (int i = 0; i < 600; ++i) {
        world.tick();
        flipped = std::min(flipped, static_cast<double>(body.getWorldTransform().getBasis()[1][1]));
    }
    CHECK(flipped < -0.99);  // the middle axis is not stable
    CHECK((momentumOf(body) - momentum).norm() < byPrecision(1e-4, 1e-3) * momentum.norm());
    CHECK(spinEnergyOf(body) == Approx(energy).epsilon(byPrecision(1e-4, 1e-3)));
}

TEST_CASE("without the gyroscopic flag the term is left out, as Bullet does") {
    TestWorld world;
    world.world->setGravity(vec(0, 0, 0));
    btRigidBody& body = brick(world);
    body.setFlags(body.getFlags() & ~BT_ENABLE_GYROSCOPIC_FORCE_IMPLICIT_BODY);
    idle(world, body);
    world.tick(100);
    CHECK((eigen(body.getAngularVelocity()) - Eigen::Vector3d(0.01, 6, 0.02)).norm() < kRounding * 100);
}

TEST_CASE("linear and angular factors hold axes back") {
    TestWorld world;
    btRigidBody& mass = world.ball(1, 0, 0, 0);
    mass.setLinearFactor(vec(0, 0.5, 1));
    mass.setAngularFactor(vec(0, 0, 0));
    world.add<Spring>(mass, vec(0, 0.05, 0), vec(1, 1, 0), 200, 1);
    world.tick(200);
    const btVector3 position = mass.getWorldTransform().getOrigin();
    CHECK(position.x() == 0);
    CHECK(position.y() != 0);
    CHECK(mass.getAngularVelocity().isZero());

    // Half the acceleration by gravity, as in Bullet.
    TestWorld falling;
    btRigidBody& ours = falling.ball(1, 0, 0, 0);
    ours.setLinearFactor(vec(1, 0.5, 1));
    falling.world->setGravity(vec(0, -10, 0));
    idle(falling, ours);
    falling.tick(60);
    CHECK(climbOf(ours) == Approx(-5).epsilon(byPrecision(1e-12, 1e-5)));
    CHECK(heightOf(ours) == Approx(-2.5).epsilon(byPrecision(1e-12, 1e-5)));
}

TEST_CASE("Bullet's damping acts as Bullet applies it and is an entry of its own") {
    const double damping = 0.3;
    TestWorld world;
    world.world->setGravity(vec(0, 0, 0));
    btRigidBody& mass = world.ball(2, 0, 0, 0);
    mass.setDamping(btScalar(damping), btScalar(damping));
    mass.setLinearVelocity(vec(3, 0, 0));
    mass.setAngularVelocity(vec(0, 2, 0));
    idle(world, mass);
    world.tick();  // the first tick's damping comes before the element has seen the body
    const double before = world.plugin->energy().kinetic;
    world.tick(60);
    const double v = 3 * std::pow(1 - damping, 61.0 / 60);
    CHECK(static_cast<double>(mass.getLinearVelocity().x()) == Approx(v).epsilon(byPrecision(1e-12, 1e-5)));
    const EnergyBook book = world.plugin->energy();
    CHECK(book.damping == Approx(before - book.kinetic).epsilon(byPrecision(1e-12, 1e-5)));
    CHECK(book.pushed == Approx(0).margin(byPrecision(1e-14, 1e-6)));
    CHECK(book.dissipated == 0);
}

TEST_CASE("additional damping counts as damping too") {
    TestWorld world;
    world.world->setGravity(vec(0, 0, 0));
    btRigidBody::btRigidBodyConstructionInfo info(1, nullptr, new btSphereShape(1), vec(1, 1, 1));
    world.shapes.emplace_back(info.m_collisionShape);
    info.m_additionalDamping = true;
    info.m_linearDamping = btScalar(0.5);
    world.bodies.push_back(std::make_unique<btRigidBody>(info));
    btRigidBody& mass = *world.bodies.back();
    mass.setActivationState(DISABLE_DEACTIVATION);
    world.world->addRigidBody(&mass);
    mass.setLinearVelocity(vec(0.3, 0.1, 0));
    idle(world, mass);
    world.tick();
    const double before = world.plugin->energy().kinetic;
    world.tick(10);
    const EnergyBook book = world.plugin->energy();
    CHECK(book.kinetic < 0.9 * before);
    CHECK(book.damping == Approx(before - book.kinetic).epsilon(1e-5));
    CHECK(book.pushed == Approx(0).margin(1e-9));
}

TEST_CASE("forces and torques applied to a body act over the tick") {
    TestWorld world;
    world.world->setGravity(vec(0, 0, 0));
    btRigidBody& mass = world.ball(2, 0, 0, 0);
    idle(world, mass);
    const double inertia = 1 / static_cast<double>(mass.getInvInertiaDiagLocal().x());
    mass.applyForce(vec(6, 0, 0), vec(0, 0.1, 0));
    world.tick();
    const double h = 1.0 / 60;
    CHECK(static_cast<double>(mass.getLinearVelocity().x()) == Approx(3 * h).epsilon(1e-6));
    CHECK(static_cast<double>(mass.getWorldTransform().getOrigin().x()) == Approx(3 * h * h / 2).epsilon(1e-6));
    CHECK(static_cast<double>(mass.getAngularVelocity().z()) == Approx(-0.6 / inertia * h).epsilon(1e-5));
    world.tick();  // cleared by Bullet
    CHECK(static_cast<double>(mass.getLinearVelocity().x()) == Approx(3 * h).epsilon(1e-6));
}
