// Kinematic and static bodies on the other end of an element.

#include <catch2/catch.hpp>

#include <algorithm>
#include <random>

#include "test_world.h"

using namespace elasto;
using namespace elasto::test;

namespace {

btRigidBody& platform(TestWorld& world) {
    btRigidBody& body = world.body(0, new btBoxShape(vec(0.1, 0.1, 0.1)), at(0, 0, 0));
    body.setCollisionFlags(body.getCollisionFlags() | btCollisionObject::CF_KINEMATIC_OBJECT);
    body.setActivationState(DISABLE_DEACTIVATION);
    return body;
}

}  // namespace

TEST_CASE("a kinematic body's path runs evenly through the substeps of a frame") {
    // A damper reads the velocity that the flow sees: the platform's 1 m/s, whatever the frames are.
    const double frame = GENERATE(1.0 / 60, 0.05, 0.1);
    TestWorld world;
    world.world->setGravity(vec(0, 0, 0));
    btRigidBody& driver = platform(world);
    btRigidBody& mass = world.ball(1, 0, -1, 0);
    auto& spring = world.add<SpringDamperParallel>(driver, mass, vec(0, 0, 0), vec(0, 0, 0),
                                                   SpringDamperParameters{.c = 50, .d = 2, .s_rel0 = 1});
    // Length of the spring in the frame of the even motion: x'' = -(c x + d x') / m after a start with -1 m/s.
    const double omega = std::sqrt(50 - 1.0);
    double worst = 0;
    double t = 0;
    int ticks = 0;
    for (int i = 0; i < static_cast<int>(2 / frame); ++i) {
        t += frame;
        driver.setWorldTransform(at(0, t, 0));
        ticks += world.world->stepSimulation(btScalar(frame), 10, btScalar(1.0 / 60));
        const double at = ticks / 60.0;
        const double x = std::exp(-at) * std::sin(omega * at) / omega;
        if (std::fabs(at - t) < 1e-3) {  // single precision may have one substep less in a frame
            worst = std::max(worst, std::fabs(spring.length() - 1 - x));
        }
    }
    CAPTURE(frame, worst, ticks);
    CHECK(ticks >= 115);
    CHECK(worst < byPrecision(1e-9, 2e-3));
}

TEST_CASE("a kinematic body turns an element with it") {
    TestWorld world;
    world.world->setGravity(vec(0, 0, 0));
    btRigidBody& driver = platform(world);
    btRigidBody& wheel = world.ball(1, 2, 0, 0);
    wheel.setMassProps(1, vec(1, 1, 1));
    wheel.updateInertiaTensor();
    auto& clutch = world.add<RotationalSpringDamper>(
        driver, wheel, btTransform::getIdentity(), btTransform::getIdentity(), SpringDamperParameters{.c = 0, .d = 4});
    const double w = 3;
    for (int i = 1; i <= 120; ++i) {
        btTransform turned(btQuaternion(vec(0, 0, 1), btScalar(w * i / 60)), vec(0, 0, 0));
        driver.setWorldTransform(turned);
        world.tick();
        const double t = i / 60.0;
        CHECK(static_cast<double>(wheel.getAngularVelocity().z()) ==
              Approx(w * (1 - std::exp(-4 * t))).margin(byPrecision(1e-9, 2e-4)));
    }
    CHECK(clutch.phi_rel() == Approx(-w / 4).epsilon(byPrecision(1e-3, 1e-3)));
}

TEST_CASE("a kinematic body moved while it sleeps is set, not driven") {
    TestWorld world;
    world.world->setGravity(vec(0, 0, 0));
    btRigidBody& driver = platform(world);
    btRigidBody& mass = world.ball(1, 0, -1, 0);
    auto& damper = world.add<Damper>(driver, mass, vec(0, 0, 0), vec(0, 0, 0), 5);
    world.tick();
    driver.forceActivationState(ISLAND_SLEEPING);
    driver.setWorldTransform(at(0, 1, 0));
    world.tick(2);
    CHECK(damper.length() == Approx(2));
    CHECK(climbOf(mass) == 0);
}

TEST_CASE("moving the kinematic or static end wakes the body at the other end") {
    const bool isKinematic = GENERATE(true, false);
    TestWorld world;
    world.world->setGravity(vec(0, 0, 0));
    btRigidBody& anchor = isKinematic ? platform(world) : world.body(0, new btSphereShape(1), at(0, 0, 0));
    btRigidBody& mass = world.ball(1, 0, -3, 0);
    world.add<Spring>(anchor, mass, vec(0, 0, 0), vec(0, 0, 0), 100, 3);
    mass.forceActivationState(ACTIVE_TAG);
    world.tick(180);
    REQUIRE(mass.getActivationState() == ISLAND_SLEEPING);
    anchor.setWorldTransform(at(0, 0.1, 0));
    world.tick(5);
    CHECK(mass.isActive());
    CHECK(climbOf(mass) > 0.1);
}

TEST_CASE("a static body's pose may be set between ticks") {
    TestWorld world;
    btRigidBody& ceiling = world.body(0, new btSphereShape(btScalar(0.1)), at(0, 0, 0));
    btRigidBody& mass = world.ball(1, 0, -1, 0);
    auto& spring = world.add<SpringDamperParallel>(ceiling, mass, vec(0, 0, 0), vec(0, 0, 0),
                                                   SpringDamperParameters{.c = 100, .d = 10, .s_rel0 = 1});
    world.tick(600);
    ceiling.setWorldTransform(at(0, 0.5, 0));
    CHECK(spring.length() == Approx(1.5 + TestWorld::kGravity / 100).epsilon(1e-5));
    world.tick(600);
    CHECK(heightOf(mass) == Approx(0.5 - 1 - TestWorld::kGravity / 100).epsilon(1e-5));
}

TEST_CASE("a lift that comes down on a crate does not shoot it away", "[slow]") {
    TestWorld world;
    std::mt19937 random(GENERATE(range(1, 25)));
    const auto any = [&] { return std::uniform_real_distribution(-1., 1.)(random); };
    world.body(0, new btBoxShape(vec(20, 0.5, 20)), at(0, -0.5, 0));
    btRigidBody& lift = world.body(0, new btBoxShape(vec(0.6, 0.1, 0.6)), at(0, 1, 0));
    lift.setCollisionFlags(lift.getCollisionFlags() | btCollisionObject::CF_KINEMATIC_OBJECT);
    btRigidBody& crate = world.body(1, new btBoxShape(vec(0.15, 0.15, 0.15)), at(0, 0, 0));
    const btQuaternion crooked(vec(any(), any(), any()).normalized(), btScalar(0.6 * any()));
    crate.setWorldTransform(btTransform(crooked, vec(0.7 * any(), 0.25, 0.5 * any())));
    btRigidBody& other = world.box(1, 1.2, 0.15, 0, 0.15);
    world.add<SpringDamperParallel>(crate, other, vec(0, 0, 0), vec(0, 0, 0),
                                    SpringDamperParameters{.c = 30, .d = 1, .s_rel0 = 0.6});
    double fastest = 0;
    for (int i = 1; i <= 180; ++i) {
        const double t = i / 60.;
        const double height = t < 0.5 ? 1 : t < 1.8 ? std::max(0.3, 1 - 0.9 * (t - 0.5)) : 0.3 + 0.9 * (t - 1.8);
        lift.setWorldTransform(at(0, height, 0));
        world.tick();
        fastest = std::max(fastest, double(crate.getLinearVelocity().length()));
    }
    CHECK(fastest < 8);
}
