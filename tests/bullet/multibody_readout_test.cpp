// Forces in joints and contacts of multibodies, against statics and the laws of motion.

#include <catch2/catch.hpp>

#include <cmath>

#include "multibody_world.h"

using namespace elasto;
using namespace elasto::test;
using Eigen::Vector3d;

namespace {

constexpr double kG = MultiBodyWorld::kGravity;
/// Of forces of some 10 N, from differences of momentum over a tick.
constexpr double kForceNear = sizeof(btScalar) == 8 ? 1e-6 : 5e-3;

void requireNear(const Vector3d& value, const Vector3d& expected, double bound = kForceNear) {
    INFO(value.transpose() << " against " << expected.transpose());
    CHECK((value - expected).norm() <= bound);
}

}  // namespace

TEST_CASE("a spring between a link and the world shares its weight with the hinge") {
    MultiBodyWorld world;
    btMultiBody& body = world.multiBody(1);
    MultiBodyWorld::bar(body, 0, -1, 2, 1, vec(0, 0, 0));
    world.add(body);
    const auto line = LinkPlacement::alongLine(Flange::world(), {body, 0}, vec(1, 1, 0), vec(0.5, 0, 0));
    world.element(line, SpringDamperLaw({.c = 1000, .d = 100, .s_rel0 = 1 - kG / 1000}));  // holds half of it level
    world.tick(400);
    const MultiBodyReadout readout = world.plugin->readout(body).value();
    requireNear(readout.links[1].force, {0, kG, 0});
    requireNear(readout.links[1].torque, {0, 0, 0});
    requireNear(readout.links[0].force, {0, kG, 0});
    requireNear(readout.links[1].pivot, {-0.5, 0, 0}, 1e-6);
    requireNear(readout.links[1].torqueAbout({0, 0, 0}), {0, 0, -kG / 2});
    requireNear(readout.links[1].contactForce, {0, 0, 0}, 0);
}

TEST_CASE("a bar that lies on a step is borne by its hinge and by the step") {
    MultiBodyWorld world;
    btMultiBody& body = world.multiBody(1);
    MultiBodyWorld::bar(body, 0, -1, 2, 1, vec(0, 0, 0));
    btMultiBodyLinkCollider& bar = world.collider(body, 0, new btBoxShape(vec(0.5, 0.01, 0.01)));
    world.add(body);
    world.element(JointCoordinate{&body, 0}, SpringDamperLaw({.c = 0, .d = 0}));
    btRigidBody& step = world.rigid(0, new btBoxShape(vec(0.1, 0.1, 0.1)), at(0.9, -0.11, 0));
    world.tick(120);
    const MultiBodyReadout readout = world.plugin->readout(body).value();
    const std::vector<ContactReadout> onBar = world.plugin->contactsOf(bar);
    REQUIRE(!onBar.empty());
    Vector3d force = Vector3d::Zero(), moment = Vector3d::Zero();  // about the hinge
    for (const ContactReadout& contact : onBar) {
        CHECK(contact.other == &step);
        CHECK(contact.normalForce >= 0);
        requireNear(contact.normal, {0, 1, 0}, 1e-3);
        CHECK(contact.place.x() > 0.79);
        CHECK(contact.place.x() < 1.01);
        force += contact.force();
        moment += contact.place.cross(contact.force());
    }
    CHECK(moment.z() == Approx(2 * kG * 0.5).epsilon(1e-3));
    requireNear(readout.links[1].contactForce, force, 1e-9);
    requireNear(readout.links[1].force + force, {0, 2 * kG, 0}, 10 * kForceNear);
    Vector3d onStep = Vector3d::Zero();
    for (const ContactReadout& contact : world.plugin->contactsOf(step)) {
        CHECK(contact.other == &bar);
        onStep += contact.force();
    }
    requireNear(onStep, -force, 1e-9);
}

TEST_CASE("a lift bears the ball on it, and a ball that slides is slowed by what its contact says") {
    MultiBodyWorld world;
    btMultiBody& body = world.multiBody(1);
    body.setupPrismatic(0, btScalar(3), vec(0.1, 0.1, 0.1), -1, btQuaternion::getIdentity(), vec(0, 1, 0), vec(0, 0, 0),
                        vec(0, 0, 0), true);
    btMultiBodyLinkCollider& lift = world.collider(body, 0, new btBoxShape(vec(5, 0.1, 5)));
    world.add(body);
    world.element(JointCoordinate{&body, 0}, SpringDamperLaw({.c = 5000, .d = 300}));
    btRigidBody& ball = world.rigid(1, new btSphereShape(btScalar(0.2)), at(-4, 0.3, 0));
    lift.setFriction(btScalar(0.5));
    ball.setFriction(btScalar(0.5));
    ball.setLinearVelocity(vec(4, 0, 0));
    ball.setDamping(0, 0);
    int slides = 0;
    for (int i = 0; i < 120; ++i) {
        const double before = static_cast<double>(ball.getLinearVelocity().x());
        world.tick();
        Vector3d onBall = Vector3d::Zero();
        for (const ContactReadout& contact : world.plugin->contactsOf(ball)) onBall += contact.force();
        const double after = static_cast<double>(ball.getLinearVelocity().x());
        CHECK(onBall.x() == Approx(60 * (after - before)).epsilon(1e-4).margin(10 * kForceNear));
        slides += onBall.x() < -1 ? 1 : 0;
        const MultiBodyReadout readout = world.plugin->readout(body).value();
        requireNear(readout.links[1].contactForce, -onBall, 1e-9);
    }
    CHECK(slides > 10);
    const MultiBodyReadout readout = world.plugin->readout(body).value();
    CHECK(readout.links[1].force.y() == Approx(4 * kG).epsilon(1e-4));
    CHECK(readout.links[1].contactForce.y() == Approx(-kG).epsilon(1e-4));
}

TEST_CASE("there are no readouts of what the Plugin has not moved") {
    MultiBodyWorld world;
    btMultiBody& body = world.multiBody(1);
    MultiBodyWorld::bar(body, 0, -1, 2, 1, vec(0, 0, 0));
    btMultiBodyLinkCollider& bar = world.collider(body, 0, new btBoxShape(vec(0.5, 0.01, 0.01)));
    world.add(body);
    world.tick();
    CHECK(!world.plugin->readout(body));
    CHECK(world.plugin->contactsOf(bar).empty());
    world.element(JointCoordinate{&body, 0}, SpringDamperLaw({.c = 0, .d = 0}));
    world.tick();
    CHECK(world.plugin->readout(body));
    world.plugin->restoreWorld(world.plugin->saveWorld());
    CHECK(!world.plugin->readout(body));
}
