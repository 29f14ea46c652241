// Networks with contacts whose elements cannot act are Bullet's own.

#include <catch2/catch.hpp>

#include "test_world.h"

using namespace elasto;
using namespace elasto::test;

namespace {

btRigidBody& addFloor(TestWorld& world) {
    return world.body(0, new btBoxShape(vec(5, 1, 5)), at(0, -1, 0));
}

bool areSame(const btRigidBody& x, const btRigidBody& y) {
    return std::memcmp(&x.getWorldTransform(), &y.getWorldTransform(), sizeof(btTransform)) == 0 &&
           x.getLinearVelocity() == y.getLinearVelocity() && x.getAngularVelocity() == y.getAngularVelocity();
}

}  // namespace

TEST_CASE("a stack far from its stops moves as without them, to the last bit") {
    const bool hasJoint = GENERATE(false, true);
    TestWorld ours;
    TestWorld plain(false);
    std::vector<std::unique_ptr<btHingeConstraint>> joints;
    for (TestWorld* world : {&ours, &plain}) {
        addFloor(*world);
        for (int i = 0; i < 9; ++i) {
            world->box(1, 0.001 * i, 0.0999 + 0.1998 * i, 0);
        }
        if (hasJoint) {
            btRigidBody& top = *world->bodies.back();
            joints.push_back(std::make_unique<btHingeConstraint>(top, vec(0.3, 0, 0), vec(0, 0, 1)));
            world->world->addConstraint(joints.back().get());
        }
    }
    auto& stop =
        ours.add<ElastoGap>(*ours.bodies[2], upwards(), upwards(0, -20, 0), ElastoGapParameters{.c = 1e6, .d = 10});
    for (int i = 0; i < 100; ++i) {
        ours.tick();
        plain.tick();
        for (std::size_t b = 0; b < ours.bodies.size(); ++b) {
            REQUIRE(areSame(*ours.bodies[b], *plain.bodies[b]));
        }
        CHECK(ours.plugin->statistics().idle == 1);
    }
    CHECK(ours.messages.empty());
    CHECK_FALSE(stop.uncoupled());
    CHECK(stop.s_rel() > 20);
    CHECK(ours.plugin->totals().uncoupled == 0);
    CHECK(ours.plugin->totals().missed == 0);
    const EnergyBook book = ours.plugin->energy();
    CHECK(book.dissipated == 0);
    CHECK(book.handedOut == 0);
    for (TestWorld* world : {&ours, &plain}) {
        for (const auto& joint : joints) {
            world->world->removeConstraint(joint.get());
        }
    }
}

TEST_CASE("a gap that can be reached, a spring and a backlash are never idle") {
    TestWorld world;
    addFloor(world);
    btRigidBody& box = world.box(1, 0, 0.0999, 0);
    world.tick(5);
    SECTION("gap") {
        world.add<ElastoGap>(box, upwards(), upwards(0, 0.0999 + 1e-3, 0), ElastoGapParameters{.c = 1e4, .d = 10});
    }
    SECTION("spring") {
        world.add<Spring>(box, vec(0, 0, 0), vec(0, 1, 0), 10.0, 0.9);
    }
    world.tick(20);
    CHECK(world.plugin->totals().idle == 0);
    CHECK(world.plugin->totals().networks == 20);
}

TEST_CASE("no element is reached unseen in a pile that falls on gaps") {
    TestWorld world;
    addFloor(world);
    for (int i = 0; i < 12; ++i) {
        btRigidBody& box = world.box(i % 3 == 0 ? 4 : 0.5, 0.07 * (i % 3), 0.12 + 0.24 * i, 0.05 * (i % 2), 0.1);
        if (i % 3 == 1) {
            world.add<ElastoGap>(box, upwards(), upwards(0, 0.05 + 0.1 * i, 0), ElastoGapParameters{.c = 1e4, .d = 20});
        }
    }
    world.tick(longRun(600));
    CHECK(world.plugin->totals().missed == 0);
}
