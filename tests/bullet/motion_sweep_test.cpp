// Continuous collision detection: a ball of 5 cm at 40 m/s (0.667 m per tick) and a plate of 1 cm with its top at 0.
// The plate is a compound, which the flow does not foresee.

#include <catch2/catch.hpp>

#include <random>

#include "test_world.h"

using namespace elasto;
using namespace elasto::test;

namespace {

struct Shot {
    TestWorld world;
    btRigidBody* ball;
    btRigidBody* plate;

    explicit Shot(double height) {
        world.world->setGravity(vec(0, 0, 0));
        ball = &world.ball(1, 0, height, 0);
        ball->setLinearVelocity(vec(0, -40, 0));
        ball->setCcdMotionThreshold(btScalar(0.1));
        ball->setCcdSweptSphereRadius(btScalar(0.04));
        ball->setRestitution(btScalar(0.5));
        plate = &world.body(0, new btBoxShape(vec(1, 0.005, 1)), at(0, -0.005, 0));
        plate->setContactProcessingThreshold(btScalar(1e-3));
        plate->setRestitution(1);
    }

    // So stiff that the ball turns within a micrometre.
    ElastoGap& stopAt(double height) {
        return world.add<ElastoGap>(*ball, btTransform(btQuaternion(vec(0, 0, 1), SIMD_HALF_PI)), upwards(0, height, 0),
                                    ElastoGapParameters{.c = 1e13, .d = 0});
    }
};

}  // namespace

TEST_CASE("a ball that an element turns back never meets the plate behind") {
    Shot shot(0.3);
    shot.stopAt(0.1);
    const double way = 40.0 / 60;
    shot.world.tick();
    CHECK(heightOf(*shot.ball) == Approx(0.1 + way - 0.2).margin(1e-4));
    CHECK(climbOf(*shot.ball) == Approx(40).epsilon(1e-6));
    shot.world.tick();
    CHECK(heightOf(*shot.ball) == Approx(0.1 + 2 * way - 0.2).margin(1e-4));
    CHECK(shot.world.plugin->totals().cutBack == 0);
    CHECK(shot.ball->getCcdMotionThreshold() == btScalar(0.1));
}

TEST_CASE("a ball on the way of an element stops at a plate in between") {
    // The element would turn it back behind the plate, so that the chord of the tick does not touch the plate.
    const double stop = GENERATE(-0.1, -10.0);
    Shot shot(0.4);
    shot.stopAt(stop);
    shot.world.tick();
    CAPTURE(stop);
    CHECK(heightOf(*shot.ball) == Approx(0.05).margin(2e-3));
    CHECK(climbOf(*shot.ball) == Approx(-40).epsilon(1e-6));
    CHECK(shot.world.plugin->statistics().cutBack == 1);
    shot.world.tick();  // an ordinary contact; with a restitution of 0.5 where the element is out of reach
    CHECK(climbOf(*shot.ball) > 19);
    CHECK(climbOf(*shot.ball) < (stop < -1 ? 21 : 40.001));
    CHECK(heightOf(*shot.ball) > 0.05);
    CHECK(shot.ball->getCcdMotionThreshold() == btScalar(0.1));
}

TEST_CASE("a plate that the flow looks ahead to turns the ball back within the tick") {
    const double stop = -10;
    for (const bool isSwept : {true, false}) {
        Shot shot(0.4);
        shot.plate->setContactProcessingThreshold(BT_LARGE_FLOAT);
        if (!isSwept) shot.ball->setCcdMotionThreshold(0);
        shot.stopAt(stop);
        shot.world.tick();
        const double rest = 1. / 60 - 0.35 / 40;
        CHECK(climbOf(*shot.ball) == Approx(20).epsilon(1e-4));
        CHECK(heightOf(*shot.ball) == Approx(0.05 + 20 * rest).margin(1e-3));
        CHECK(shot.world.plugin->statistics().cutBack == 0);
    }
}

TEST_CASE("without a threshold nothing is swept") {
    Shot shot(0.4);
    shot.ball->setCcdMotionThreshold(0);
    shot.stopAt(-10);
    shot.world.tick();
    CHECK(heightOf(*shot.ball) == Approx(0.4 - 40.0 / 60).epsilon(1e-6));
}

TEST_CASE("objects that do not collide with the body are not in its way") {
    Shot shot(0.4);
    shot.stopAt(-10);
    SECTION("by their filter") {
        shot.plate->getBroadphaseHandle()->m_collisionFilterMask = 0;
    }
    SECTION("by having no response") {
        shot.plate->setCollisionFlags(shot.plate->getCollisionFlags() | btCollisionObject::CF_NO_CONTACT_RESPONSE);
    }
    SECTION("by being switched off for the body") {
        shot.ball->setIgnoreCollisionCheck(shot.plate, true);
    }
    shot.world.tick();
    CHECK(heightOf(*shot.ball) == Approx(0.4 - 40.0 / 60).epsilon(1e-6));
}

TEST_CASE("what springs gain where a body is stopped on its way is in the book") {
    Shot shot(0.4);
    btRigidBody& other = shot.world.ball(1, 2, 0.4, 0);
    auto& spring = shot.world.add<Spring>(*shot.ball, other, vec(0, 0, 0), vec(0, 0, 0), 100, 2);
    const auto energy = [&] {
        return 0.5 *
                   static_cast<double>(shot.ball->getLinearVelocity().length2() + other.getLinearVelocity().length2()) +
               spring.storedEnergy();
    };
    const double start = energy();
    shot.world.tick();
    CHECK(shot.world.plugin->statistics().cutBack == 1);
    const EnergyBook book = shot.world.plugin->energy();
    CHECK(energy() - start == Approx(-book.exchanged).margin(byPrecision(1e-6, 1e-3)));
    CHECK(std::abs(book.work) < byPrecision(1e-6, 1e-3));
    CHECK(spring.tickLength() == Approx(1.0 / 60));
    const btVector3 apart = shot.ball->getWorldTransform().getOrigin() - other.getWorldTransform().getOrigin();
    CHECK(spring.s_rel() == Approx(double(apart.length())));
}

TEST_CASE("a body that hits stops alone: the rest of its network goes on") {
    TestWorld world;
    world.world->setGravity(vec(0, 0, 0));
    // A mass whose period is 1 s, and a plate that is shot at, tied to it by almost nothing.
    constexpr double kMass = 10, kStiffness = kMass * 4 * M_PI * M_PI;
    btRigidBody& mass = world.box(kMass, 0, 1.1, 0);
    mass.setLinearFactor(vec(0, 1, 0));
    mass.setAngularFactor(vec(0, 0, 0));
    world.add<SpringDamperParallel>(Placement::alongAxis(mass, upwards(), upwards()),
                                    SpringDamperParameters{.c = kStiffness, .d = 0, .s_rel0 = 1});
    btRigidBody& plate = world.body(20, new btBoxShape(vec(0.05, 0.5, 0.5)), at(3, 1, 0));
    plate.setLinearFactor(vec(1, 0, 0));
    plate.setAngularFactor(vec(0, 0, 0));
    world.add<SpringDamperParallel>(Placement::alongAxis(plate, at(0, 0, 0), at(3, 0, 0)),
                                    SpringDamperParameters{.c = 2000, .d = 50, .s_rel0 = 0});
    world.add<SpringDamperParallel>(mass, plate, vec(0, 0, 0), vec(0, 0, 0),
                                    SpringDamperParameters{.c = 1e-6, .d = 0, .s_rel0 = 1});
    for (int tick = 0; tick < 240; ++tick) {
        if (tick % 3 == 0) {
            btRigidBody& bullet = world.box(0.01, 1, 1 + 0.2 * (tick % 9 / 3 - 1), 0, 0.03);
            bullet.setLinearVelocity(vec(60, 0, 0));
            bullet.setCcdMotionThreshold(btScalar(0.02));
            bullet.setCcdSweptSphereRadius(btScalar(0.02));
        }
        world.tick();
        if (world.bodies.size() > 12) {
            world.world->removeRigidBody(world.bodies[2].get());
            world.bodies.erase(world.bodies.begin() + 2);
        }
    }
    CHECK(world.plugin->totals().cutBack > 20);
    CHECK(heightOf(mass) == Approx(1.1).margin(1e-4));  // after four periods
    CHECK(std::abs(climbOf(mass)) < 2e-3);
}

TEST_CASE("bodies with a threshold pass thin walls no more often than in plain Bullet, and gain nothing", "[slow]") {
    std::mt19937 generator(20261130);
    const auto draw = [&](double low, double high) {
        return std::uniform_real_distribution<double>(low, high)(generator);
    };
    const auto drawVector = [&](double most) {
        const double x = draw(-most, most), y = draw(-most, most), z = draw(-most, most);
        return vec(x, y, z);
    };
    int passed = 0, passedPlain = 0;
    for (int throwing = 0; throwing < longRun(200); ++throwing) {
        const double r = throwing % 2 == 0 ? draw(0.05, 0.15) : draw(0.3, 0.6);
        const double thin = throwing % 2 == 0 ? draw(0.3, 1) : draw(0.05, 0.2);
        btTransform pose = at(-draw(1, 2.2), draw(-0.3, 0.3), draw(-0.3, 0.3));
        pose.setRotation(btQuaternion(drawVector(1).normalized(), btScalar(draw(0, 6))));
        const btVector3 velocity = vec(draw(10, 60), draw(-5, 5), draw(-5, 5)), spin = drawVector(60);
        std::vector<btVector3> corners;
        for (int i = 0; i < 12; ++i) corners.push_back(drawVector(1) * btScalar(r));
        const double restitution = draw(0, 1);
        for (const bool isOurs : {true, false}) {
            TestWorld world(isOurs);
            world.body(0, new btBoxShape(vec(0.01, 2, 2)), at(0, 0, 0));
            btCollisionShape* shape = nullptr;
            switch (throwing / 2 % 4) {
                case 0:
                    shape = new btBoxShape(vec(r, thin * r, thin * r));
                    break;
                case 1:
                    shape = new btCapsuleShape(btScalar(thin * r), btScalar(2 * r));
                    break;
                case 2:
                    shape = new btCylinderShape(vec(thin * r, r, thin * r));
                    break;
                default: {
                    auto* hull = new btConvexHullShape();
                    for (const btVector3& corner : corners) hull->addPoint(corner);
                    shape = hull;
                }
            }
            btRigidBody& body = world.body(1, shape, pose);
            body.setRestitution(btScalar(restitution));
            body.setLinearVelocity(velocity);
            body.setAngularVelocity(spin);
            body.setCcdMotionThreshold(btScalar(0.02));
            body.setCcdSweptSphereRadius(btScalar(0.2 * thin * r));
            if (isOurs) addThread(world, body);
            const double start = energyOf(body);
            for (int tick = 0; tick < 30; ++tick) {
                world.tick();
                if (isOurs) CHECK(energyOf(body) < 1.01 * start);
            }
            (isOurs ? passed : passedPlain) += body.getWorldTransform().getOrigin().x() > 0.02 ? 1 : 0;
        }
    }
    CHECK(passed <= passedPlain);
}
