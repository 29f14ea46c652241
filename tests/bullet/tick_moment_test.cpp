// Bodies and elements inside the last tick.

#include "test_world.h"

#include <elasto/errors.h>
#include <elasto/tick_moment.h>

#include <catch2/catch.hpp>

using namespace elasto;
using namespace elasto::test;

namespace {

Eigen::Vector3d placeOf(const btRigidBody& body) {
    const btVector3& p = body.getWorldTransform().getOrigin();
    return {static_cast<double>(p.x()), static_cast<double>(p.y()), static_cast<double>(p.z())};
}

}  // namespace

TEST_CASE("a moment inside the tick shows where a world of finer ticks is") {
    // A ball hits a stop and another ball hangs on it by a joint: both are in the network.
    const auto build = [](TestWorld& world) {
        btRigidBody& mass = world.ball(0.2, 0, 0.02, 0);
        btRigidBody& hung = world.ball(0.1, 0, -0.3, 0);
        mass.setLinearVelocity(vec(0, -2.4, 0));
        hung.setLinearVelocity(vec(0, -2.4, 0));
        world.add<ElastoGap>(mass, upwards(), upwards(), ElastoGapParameters{.c = 1e4, .d = 5});
        world.add<btPoint2PointConstraint>(mass, hung, vec(0, -0.16, 0), vec(0, 0.16, 0));
        return std::pair(&mass, &hung);
    };
    TestWorld coarse;
    const auto [mass, hung] = build(coarse);
    CHECK(!coarse.plugin->insideTick(0).body(*mass));
    coarse.tick();
    const double h = 1 / 60.0;
    for (const int parts : {2, 5, 60}) {
        TestWorld fine;
        const auto [fineMass, fineHung] = build(fine);
        for (int i = 1; i < parts; ++i) {
            fine.world->stepSimulation(static_cast<btScalar>(h / parts), 0);
            const TickMoment moment = coarse.plugin->insideTick(i * h / parts);
            INFO(i << " of " << parts);
            CHECK(moment.time() == i * h / parts);
            REQUIRE(moment.body(*mass));
            REQUIRE(moment.body(*hung));
            const double exactness = byPrecision(1e-8, 1e-5);
            CHECK((moment.body(*mass)->position - placeOf(*fineMass)).norm() < exactness);
            CHECK((moment.body(*hung)->position - placeOf(*fineHung)).norm() < exactness);
        }
    }
}

TEST_CASE("a moment knows what networks moved in the last tick, and no more") {
    TestWorld world;
    btRigidBody& mass = world.ball(0.2, 0, 0.02, 0);
    btRigidBody& alone = world.ball(1, 3, 5, 0);
    btRigidBody& floor = world.box(0, 8, 0, 0);
    auto& stop = world.add<ElastoGap>(mass, upwards(), upwards(), ElastoGapParameters{.c = 1e6, .d = 5});
    auto& off = world.add<ElastoGap>(alone, upwards(), upwards(3), ElastoGapParameters{.c = 1e6, .d = 5});
    off.setEnabled(false);
    world.tick();
    const TickMoment moment = world.plugin->insideTick(0.004);
    REQUIRE(moment.element(stop));
    CHECK(moment.element(stop)->s_rel == stop.solutionAt(0.004).s_rel);
    CHECK(moment.element(stop)->force.f == stop.solutionAt(0.004).force.f);
    CHECK(!moment.element(off));
    CHECK(!moment.body(alone));
    CHECK(!moment.body(floor));
    CHECK((world.plugin->insideTick(stop.tickLength()).body(mass)->position - placeOf(mass)).norm() < kRounding);

    CHECK_THROWS_AS(world.plugin->insideTick(-1e-9), InvalidParameter);
    CHECK_THROWS_AS(world.plugin->insideTick(0.02), InvalidParameter);
    CHECK_THROWS_AS(world.plugin->insideTick(std::nan("")), InvalidParameter);

    // What a moment has seen stays, whatever becomes of the world; a restored world has no last tick.
    const WorldSnapshot snapshot = world.plugin->saveWorld();
    world.plugin->restoreWorld(snapshot);
    CHECK(moment.body(mass));
    CHECK(!world.plugin->insideTick(0).body(mass));
    CHECK(!world.plugin->insideTick(0).element(stop));
    world.tick();
    CHECK(world.plugin->insideTick(0).body(mass));
    stop.setEnabled(false);
    world.tick();
    CHECK(!world.plugin->insideTick(0).body(mass));
}

TEST_CASE("a moment of bodies in contact lies between the tick's ends") {
    TestWorld world;
    world.box(0, 0, -0.1, 0);
    btRigidBody& crate = world.box(1, 0, 0.1, 0);
    world.add<SpringDamperParallel>(crate, vec(0, 0, 0), vec(0, -1, 0),
                                    SpringDamperParameters{.c = 100, .d = 1, .s_rel0 = 0.5});
    crate.setLinearVelocity(vec(0.3, 0, 0));
    Eigen::Vector3d before = placeOf(crate);
    for (int i = 0; i < 20; ++i) {
        world.tick();
        REQUIRE(world.plugin->statistics().coupled == 1);
        const double h = 1 / 60.0;
        CHECK((world.plugin->insideTick(0).body(crate)->position - before).norm() < kRounding);
        const Eigen::Vector3d end = placeOf(crate);
        CHECK((world.plugin->insideTick(h * (1 - 1e-4)).body(crate)->position - end).norm() < 1e-5);
        const Eigen::Vector3d middle = world.plugin->insideTick(h / 2).body(crate)->position;
        CHECK(middle.x() >= before.x() - 1e-6);
        CHECK(middle.x() <= end.x() + 1e-6);
        CHECK(middle.y() == Approx((before.y() + end.y()) / 2).margin(1e-4));
        before = end;
    }
}
