// Networks of many contacts, in which small speeds count as none.

#include <catch2/catch.hpp>

#include <algorithm>
#include <cmath>
#include <random>

#include "contact_scenes.h"

using namespace elasto;
using namespace elasto::test;

namespace {

// A crate on a plate on the floor, and on the plate a ball that spins: nine points in one network.
class SpinBeside {
public:
    explicit SpinBeside(double spin) {
        addFloor(world);
        btRigidBody& plate = world.body(10, new btBoxShape(vec(1, 0.1, 1)), at(0, 0.1, 0));
        crate = &world.body(2, new btBoxShape(vec(0.2, 0.2, 0.2)), at(0.4, 0.4, 0));
        btRigidBody& ball = world.ball(0.5, -0.5, 0.25, 0);
        world.add<SpringDamperParallel>(plate, vec(-0.8, 0.1, 0), vec(-0.8, 1.2, 0),
                                        SpringDamperParameters{.c = 20, .d = 1, .s_rel0 = 1});
        world.tick(60);
        ball.setAngularVelocity(vec(0, spin, 0));
        world.tick(2);
    }

    TestWorld world;
    btRigidBody* crate;
};

// Boxes that tumble onto each other, the lowest onto bumpers.
class Tumble {
public:
    Tumble(unsigned seed, double c) {
        addFloor(world);
        std::mt19937 random(seed);
        const auto number = [&] { return 2 * static_cast<double>(random()) / 4294967296.0 - 1; };
        for (int i = 0; i < 12; ++i) {
            const double x = 0.4 * number(), z = 0.4 * number();
            btRigidBody& box = addCrate(world, x, 1 + 1.1 * i, z, number());
            box.setAngularVelocity(vec(3 * number(), 3 * number(), 3 * number()));
            if (i < 4) addStopBelow(world, box, c);
        }
    }

    TestWorld world;
};

}  // namespace

TEST_CASE("what is thrown up in a crowd flies, whatever spins elsewhere") {
    const double spin = GENERATE(0., 50., 200.);
    const double speed = GENERATE(0.5, 2.);
    SpinBeside scene(spin);
    scene.crate->setLinearVelocity(vec(0, speed, 0));
    scene.world.tick();
    CAPTURE(spin, speed);
    const double later = speed - TestWorld::kGravity / 60;
    CHECK(static_cast<double>(scene.crate->getLinearVelocity().y()) == Approx(later).epsilon(byPrecision(1e-9, 1e-5)));
}

TEST_CASE("what slides in a crowd slides on, and what falls rebounds, whatever spins elsewhere") {
    const auto run = [](double spin, bool falls) {
        SpinBeside scene(spin);
        btTransform pose = scene.crate->getWorldTransform();
        if (falls) pose.getOrigin() += vec(0, 0.3, 0);
        scene.crate->setWorldTransform(pose);
        scene.crate->setLinearVelocity(falls ? vec(0, 0, 0) : vec(0, 0, 0.6));
        for (const auto& body : scene.world.bodies) body->setRestitution(falls ? btScalar(0.9) : btScalar(0));
        double fastest = 0;
        for (int i = 0; i < 25; ++i) {
            scene.world.tick();
            const btVector3 velocity = scene.crate->getLinearVelocity();
            fastest = std::max(fastest, static_cast<double>(falls ? velocity.y() : velocity.z()));
        }
        return fastest;
    };
    for (const bool falls : {false, true}) {
        const double still = run(0, falls);
        CHECK(still > 0.4);
        CHECK(run(200, falls) == Approx(still).epsilon(1e-2));
    }
}

TEST_CASE("bodies of a crowd press each other and never pull, and do not rub without pressure", "[slow]") {
    const unsigned seed = GENERATE(1u, 2u, 3u, 4u);
    const double c = GENERATE(1e4, 1e6);
    CAPTURE(seed, c);
    Tumble tumble(seed, c);
    for (int i = 0; i < 150; ++i) {
        tumble.world.tick();
        double least = 0, largest = 0, rubs = 0;
        for (int m = 0; m < tumble.world.dispatcher.getNumManifolds(); ++m) {
            const btPersistentManifold& pair = *tumble.world.dispatcher.getManifoldByIndexInternal(m);
            double sum = 0;
            for (int k = 0; k < pair.getNumContacts(); ++k) {
                const btManifoldPoint& point = pair.getContactPoint(k);
                sum += static_cast<double>(point.m_appliedImpulse);
                rubs = std::max({rubs, std::abs(static_cast<double>(point.m_appliedImpulseLateral1)),
                                 std::abs(static_cast<double>(point.m_appliedImpulseLateral2))});
            }
            least = std::min(least, sum);
            largest = std::max(largest, sum);
        }
        CAPTURE(i, least, largest, rubs);
        REQUIRE(least >= -2e-3 * largest);
        REQUIRE(rubs < 1e3);
    }
}

TEST_CASE("a light crate between heavy ones is not pulled, however much lands elsewhere", "[slow]") {
    const double hz = GENERATE(120., 1000.);
    TestWorld world;
    world.body(0, new btBoxShape(vec(20, 1, 20)), at(0, -1, 0));
    for (int i = 0; i < 6; ++i) world.box(i % 2 == 1 ? 0.05 : 50, 0.1 * (i % 2), 0.16 + 0.31 * i, 0, 0.15);
    world.add<ElastoGap>(*world.bodies[1], btTransform(btQuaternion(vec(0, 1, 0), SIMD_PI), vec(0, 0, 0)),
                         btTransform(btQuaternion(vec(0, 1, 0), SIMD_PI), vec(0.6, 0.15, 0)),
                         ElastoGapParameters{.c = 1e8, .d = 10});
    const int period = static_cast<int>(hz / 2);
    for (int i = 0; i < longRun(static_cast<int>(4 * hz)); ++i) {
        if (i % period == period - 1) world.world->setGravity(vec(i / period % 2 == 1 ? 5 : -5, -9.81, 0));
        double fastest = 0;
        const auto look = [&] {
            for (const auto& body : world.bodies) {
                fastest = std::max(fastest, static_cast<double>(body->getLinearVelocity().length()));
            }
        };
        look();
        world.tick(1, hz);
        look();
        for (int m = 0; m < world.dispatcher.getNumManifolds(); ++m) {
            const btPersistentManifold& pair = *world.dispatcher.getManifoldByIndexInternal(m);
            const auto* a = static_cast<const btRigidBody*>(pair.getBody0());
            const auto* b = static_cast<const btRigidBody*>(pair.getBody1());
            double sum = 0;
            for (int k = 0; k < pair.getNumContacts(); ++k) {
                sum += static_cast<double>(pair.getContactPoint(k).m_appliedImpulse);
            }
            const double speed = sum * static_cast<double>(a->getInvMass() + b->getInvMass());
            CAPTURE(hz, i, speed, fastest);
            REQUIRE(speed >= -2e-3 * fastest);
        }
    }
}
