// Elements on bodies that also have joints or contacts which the flow cannot solve.

#include <catch2/catch.hpp>

#include "test_world.h"

using namespace elasto;
using namespace elasto::test;

namespace {

// The most that kinetic, potential and stored energy rise over their start, and the same with heat; and how far the
// last body went in all: what gains nothing must still move.
struct Rise {
    double mechanical = -1e9;
    double total = -1e9;
    double path = 0;
};

Rise riseOf(TestWorld& world, const std::vector<btRigidBody*>& bodies, const ForceElement& element, double seconds,
            double hz) {
    const auto energy = [&] {
        double sum = element.storedEnergy();
        for (const btRigidBody* body : bodies) {
            sum += energyOf(*body);
        }
        return sum;
    };
    const double start = energy();
    Rise rise;
    for (int i = 0; i < longRun(static_cast<int>(seconds * hz)); ++i) {
        const btVector3 before = bodies.back()->getWorldTransform().getOrigin();
        world.tick(1, hz);
        rise.path += static_cast<double>((bodies.back()->getWorldTransform().getOrigin() - before).length());
        rise.mechanical = std::max(rise.mechanical, energy() - start);
        rise.total = std::max(rise.total, energy() + element.heat() - start);
    }
    return rise;
}

// Contacts that the flow cannot solve.
void setAnchors(btRigidBody& body) {
    body.setCollisionFlags(body.getCollisionFlags() | btCollisionObject::CF_HAS_FRICTION_ANCHOR);
}

// Weights times the lengths of these scenes.
const double kAddsNothing = byPrecision(1e-8, 1e-4);

}  // namespace

TEST_CASE("an element on a jointed body is named once and counted") {
    TestWorld world;
    btRigidBody& arm = world.box(1, 0.5, 0, 0);
    btHingeConstraint hinge(arm, vec(-0.5, 0, 0), vec(0, 0, 1));
    hinge.setParam(BT_CONSTRAINT_STOP_CFM, 0, 5);  // without effect, but the flow cannot hold it
    world.world->addConstraint(&hinge);
    auto& spring = world.add<SpringDamperParallel>(arm, vec(0, 0, 0), vec(0.5, 1, 0),
                                                   SpringDamperParameters{.c = 100, .d = 5, .s_rel0 = 1});
    spring.setName("support");
    world.tick(300);
    CHECK(spring.uncoupled());
    CHECK(world.messages.size() == 1);
    CHECK_THAT(world.messages.at(0), Catch::Contains("SpringDamperParallel 'support'") &&
                                         Catch::Contains("uncoupled") && Catch::Contains("softness"));
    CHECK(world.plugin->statistics().uncoupled == 1);
    CHECK(world.plugin->totals().uncoupled == 300);
    // The arm hangs on the spring.
    CHECK(spring.f() == Approx(TestWorld::kGravity).epsilon(0.1));
    world.world->removeConstraint(&hinge);
}

TEST_CASE("an uncoupled stop never gives back more than was put in") {
    const double c = GENERATE(1e3, 1e4, 1e5, 1e6, 1e8);
    const double hz = GENERATE(60.0, 240.0);
    TestWorld world;
    btRigidBody& arm = world.box(1, 0.5, 0, 0);
    btHingeConstraint hinge(arm, vec(-0.5, 0, 0), vec(0, 0, 1));
    hinge.setParam(BT_CONSTRAINT_STOP_CFM, 0, 5);  // without effect, but the flow cannot hold it
    world.world->addConstraint(&hinge);
    auto& stop = world.add<ElastoGap>(arm, btTransform(btQuaternion(vec(0, 0, 1), SIMD_HALF_PI)), upwards(0, -0.3, 0),
                                      ElastoGapParameters{.c = c, .d = 0});
    const double start = energyOf(arm);
    double highest = start;
    for (int i = 0; i < 5 * static_cast<int>(hz); ++i) {
        world.tick(1, hz);
        highest = std::max(highest, energyOf(arm));
    }
    CAPTURE(c, hz, highest - start);
    CHECK(highest - start < 0.02 * TestWorld::kGravity * 0.3);  // what Bullet's own hinge gains at 60 Hz
    CHECK(world.plugin->energy().handedOut < 0.02);             // a debt that was paid later
    CHECK(stop.heat() >= 0);
    CHECK(heightOf(arm) < 0.3);
    world.world->removeConstraint(&hinge);
}

TEST_CASE("a box that springs press on the floor gains nothing and stays") {
    const double c = GENERATE(1e3, 1e5, 1e7);
    TestWorld world;
    world.body(0, new btBoxShape(vec(5, 1, 5)), at(0, -1, 0));
    btRigidBody& box = world.box(1, 0, 0.1, 0);
    setAnchors(box);
    // Longer than the room it has: pushes down with 100 N.
    auto& spring = world.add<Spring>(box, vec(0, 0, 0), vec(0, 1, 0), c, 0.9 + 100 / c);
    const double stored = spring.storedEnergy();
    double fastest = 0;
    for (int i = 0; i < 300; ++i) {
        world.tick();
        fastest = std::max(fastest, kineticOf(box));
    }
    CAPTURE(c, fastest, stored, heightOf(box));
    CHECK(fastest <= stored + 1e-3);
    CHECK(heightOf(box) == Approx(0.1).margin(0.02));
    CHECK(spring.uncoupled());
}

TEST_CASE("a falling stack with stops of its own loses energy only") {
    const double c = GENERATE(1e4, 1e6, 1e8);
    TestWorld world;
    world.body(0, new btBoxShape(vec(5, 1, 5)), at(0, -1, 0));
    std::vector<btRigidBody*> boxes;
    for (int i = 0; i < 5; ++i) {
        boxes.push_back(&world.box(1, 0.02 * i, 0.15 + 0.3 * i, 0));
        // A little above where the box will rest.
        world.add<ElastoGap>(*boxes.back(), upwards(), upwards(0.02 * i, 0.101 + 0.2 * i, 0),
                             ElastoGapParameters{.c = c, .d = 0});
    }
    const auto energy = [&] {
        double sum = 0;
        for (const btRigidBody* box : boxes) {
            sum += energyOf(*box);
        }
        return sum;
    };
    const double start = energy();
    double highest = start;
    double heat = 0;
    for (int i = 0; i < 300; ++i) {
        world.tick();
        highest = std::max(highest, energy());
        const EnergyBook book = world.plugin->energy();
        CHECK(book.dissipated >= heat);
        heat = book.dissipated;
    }
    CAPTURE(c, start, highest - start);
    // Bullet moves a body that bounced inside the tick by h times its end velocity, so a little too high.
    CHECK(highest - start < 0.01 * start);
    CHECK(world.plugin->energy().handedOut < 0.01 * start);
}

TEST_CASE("a body that leaves its contact is coupled again") {
    TestWorld world;
    world.body(0, new btBoxShape(vec(5, 1, 5)), at(0, -1, 0));
    btRigidBody& box = world.box(1, 0, 0.1, 0);
    setAnchors(box);
    auto& spring = world.add<Spring>(box, vec(0, 0, 0), vec(0, 2, 0), 15, 1);
    world.tick();
    REQUIRE(spring.uncoupled());
    int ticks = 0;
    while (spring.uncoupled() && ticks < 600) {
        world.tick();
        ++ticks;
    }
    CHECK(ticks < 600);
    // It swings without loss from here on.
    const auto energy = [&] { return energyOf(box) + spring.storedEnergy(); };
    const double start = energy();
    double lowest = 10;
    double highest = -10;
    for (int i = 0; i < 200; ++i) {
        world.tick();
        lowest = std::min(lowest, heightOf(box));
        highest = std::max(highest, heightOf(box));
        if (!spring.uncoupled()) {
            CHECK(energy() < start + 1e-3);
        }
    }
    CHECK(highest - lowest > 0.1);
}

TEST_CASE("contacts that continuous collision detection only expects do not uncouple") {
    TestWorld world;
    world.body(0, new btBoxShape(vec(1, 0.005, 1)), at(0, -0.005, 0));
    btRigidBody& ball = world.ball(0.2, 0, 0.3, 0);
    ball.setCcdMotionThreshold(btScalar(0.01));
    ball.setCcdSweptSphereRadius(btScalar(0.04));
    ball.setLinearVelocity(vec(0, -30, 0));
    world.add<ElastoGap>(ball, upwards(), upwards(0, 0.2, 0), ElastoGapParameters{.c = 1e7, .d = 0});
    world.tick();
    CHECK(world.plugin->statistics().uncoupled == 0);
    CHECK(climbOf(ball) == Approx(30).epsilon(0.02));
}

TEST_CASE("a ball that meets floor and stop at once never gains", "[slow]") {
    const bool isCoupled = GENERATE(true, false);
    const double c = GENERATE(1e2, 1e3, 1e5, 1e7, 1e12);
    const double d = GENERATE(0.0, 5.0, 500.0);
    const double hz = GENERATE(60.0, 240.0, 1000.0);
    const double edge = GENERATE(0.05, 0.051, 0.049);  // 0.05: where the floor is
    for (int i = 0; i < 5; ++i) {
        TestWorld world;
        world.body(0, new btStaticPlaneShape(vec(0, 1, 0), 0), at(0, 0, 0));
        btRigidBody& ball = world.ball(0.2, 0, 0.35 + 0.0137 * i, 0);
        if (!isCoupled) {
            setAnchors(ball);
        }
        auto& stop =
            world.add<ElastoGap>(ball, upwards(), upwards(), ElastoGapParameters{.c = c, .d = d, .s_rel0 = edge});
        const Rise rise = riseOf(world, {&ball}, stop, hz > 500 ? 2 : 6, hz);  // two seconds: four impacts
        CAPTURE(c, d, hz, edge, i, isCoupled);
        CHECK(rise.mechanical < kAddsNothing);
        // Bullet lifts the ball out of the floor, which has no share in the heat.
        CHECK(rise.total < 0.2 * TestWorld::kGravity * 0.04);
        if (d == 0 && c >= 1e5) {
            CHECK(rise.total < kAddsNothing);
        }
        CHECK(rise.path > 0.95 * (0.3 + 0.0137 * i));  // it falls on the floor
    }
}

TEST_CASE("a stop that keeps a ball off the floor keeps its rebound") {
    const bool isCoupled = GENERATE(true, false);
    TestWorld world;
    world.body(0, new btStaticPlaneShape(vec(0, 1, 0), 0), at(0, 0, 0));
    btRigidBody& ball = world.ball(0.2, 0, 0.35, 0);
    if (!isCoupled) {
        setAnchors(ball);
    }
    world.add<ElastoGap>(ball, upwards(), upwards(), ElastoGapParameters{.c = 1e4, .d = 0, .s_rel0 = 0.065});
    world.tick(20);  // past the first impact, which takes 15 ticks
    double highest = 0;
    for (int i = 0; i < 15; ++i) {
        world.tick();
        highest = std::max(highest, heightOf(ball));
    }
    CHECK(highest == Approx(0.35).epsilon(isCoupled ? 0.003 : 0.02));
}

TEST_CASE("a box that lands on four contacts and a stop never gains", "[slow]") {
    const double c = GENERATE(1e3, 1e4, 1e5, 1e6, 1e9, 1e12);
    const double d = GENERATE(0.0, 5.0);
    const double hz = GENERATE(60.0, 240.0);
    TestWorld world;
    world.body(0, new btStaticPlaneShape(vec(0, 1, 0), 0), at(0, 0, 0));
    btRigidBody& box = world.box(1, 0, 0.55, 0);
    const bool isCoupled = GENERATE(true, false);
    if (!isCoupled) {
        setAnchors(box);
    }
    auto& stop = world.add<ElastoGap>(box, upwards(), upwards(), ElastoGapParameters{.c = c, .d = d, .s_rel0 = 0.1});
    const Rise rise = riseOf(world, {&box}, stop, 6, hz);
    CAPTURE(c, d, hz, isCoupled);
    CHECK(rise.mechanical < kAddsNothing);
    CHECK(rise.path > 0.95 * 0.45);  // it falls on the floor
}

TEST_CASE("a stop on a slider never gains") {
    const double c = GENERATE(1e6, 1e9, 1e12);
    const double hz = GENERATE(60.0, 240.0);
    TestWorld world;
    btRigidBody& box = world.box(1, 0, 0, 0);
    btSliderConstraint slider(box, upwards(), true);
    slider.setLowerLinLimit(1);
    slider.setUpperLinLimit(-1);  // none
    world.world->addConstraint(&slider);
    auto& stop = world.add<ElastoGap>(box, upwards(), upwards(0, -0.3, 0), ElastoGapParameters{.c = c, .d = 0});
    const Rise rise = riseOf(world, {&box}, stop, 6, hz);
    CAPTURE(c, hz);
    CHECK(rise.mechanical < kAddsNothing);
    CHECK(rise.total < kAddsNothing);
    CHECK(rise.path > 10 * 0.3);  // it falls on the stop and comes back, for six seconds
    world.world->removeConstraint(&slider);
}

TEST_CASE("elements on a hinge never gain", "[slow]") {
    const double c = GENERATE(1e3, 1e6, 1e9, 1e12);
    const double d = GENERATE(0.0, 5.0, 500.0);
    const double hz = GENERATE(60.0, 240.0);
    const int kind = GENERATE(0, 1, 2);
    TestWorld world;
    btRigidBody& arm = world.box(1, 0.5, 0, 0);
    btHingeConstraint hinge(arm, vec(-0.5, 0, 0), vec(0, 0, 1));
    hinge.setParam(BT_CONSTRAINT_STOP_CFM, 0, 5);  // without effect, but the flow cannot hold it
    world.world->addConstraint(&hinge);
    const auto element = [&]() -> ForceElement& {
        if (kind == 0) {
            return world.add<ElastoGap>(arm, upwards(), upwards(0, -0.3, 0), ElastoGapParameters{.c = c, .d = d});
        }
        if (kind == 1) {
            return world.add<ElastoBacklash>(arm, at(0, 0, 0), at(0, 0, 0),
                                             ElastoBacklashParameters{.c = c, .d = d, .b = 0.8});
        }
        return world.add<SpringDamperSeries>(arm, vec(0, 0, 0), vec(0.5, 1, 0),
                                             SpringDamperSeriesParameters{.c = c, .d = d, .s_unstretched = 1});
    };
    const Rise rise = riseOf(world, {&arm}, element(), 5, hz);
    CAPTURE(c, d, hz, kind);
    CHECK(rise.mechanical < 0.02 * TestWorld::kGravity * 0.3);  // what Bullet's own hinge gains
    CHECK(rise.path > (kind == 0 ? 0.3 : 0));                   // it falls on the stop; the others may hold it at once
    world.world->removeConstraint(&hinge);
}

TEST_CASE("two boxes with a stop between them never gain") {
    const double c = GENERATE(1e3, 1e5, 1e7, 1e9);
    const double d = GENERATE(0.0, 500.0);
    const double hz = GENERATE(60.0, 240.0);
    TestWorld world;
    world.body(0, new btStaticPlaneShape(vec(0, 1, 0), 0), at(0, 0, 0));
    btRigidBody& lower = world.box(1, 0, 0.2, 0);
    btRigidBody& upper = world.box(1, 0, 0.6, 0);
    auto& stop =
        world.add<ElastoGap>(lower, upper, upwards(), upwards(), ElastoGapParameters{.c = c, .d = d, .s_rel0 = 0.21});
    const Rise rise = riseOf(world, {&lower, &upper}, stop, 3, hz);
    CAPTURE(c, d, hz);
    CHECK(rise.mechanical < kAddsNothing);
    CHECK(rise.path > 0.1);  // the lower one falls by 0.1 m, and the upper one with it
}
