// The energy book closes, and nothing is handed out.

#include <catch2/catch.hpp>

#include "test_world.h"

using namespace elasto;
using namespace elasto::test;

namespace {

double totalOf(const EnergyBook& book) {
    return book.kinetic + book.stored;
}

double rightSideOf(const EnergyBook& book) {
    return book.work + book.pushed - book.dissipated - book.damping - book.contacts - book.exchanged + book.numerical;
}

}  // namespace

TEST_CASE("an undamped mass never rises above its start", "[slow]") {
    const double c = GENERATE(1e3, 1e6, 1e9);
    const double hz = GENERATE(60.0, 240.0);
    TestWorld world;
    btRigidBody& mass = world.ball(0.2, 0, 0.3, 0);
    auto& stop = world.add<ElastoGap>(mass, upwards(), upwards(), ElastoGapParameters{.c = c, .d = 0});
    const double weight = TestWorld::kGravity / static_cast<double>(mass.getInvMass());
    const auto energy = [&] { return world.plugin->energy().kinetic + stop.storedEnergy() + weight * stop.s_rel(); };
    const double start = energy();
    double highest = start;
    double lowest = start;
    const int ticks = longRun(100000);
    for (int i = 0; i < ticks; ++i) {
        world.tick(1, hz);
        highest = std::max(highest, energy());
        lowest = std::min(lowest, energy());
    }
    CAPTURE(c, hz, highest / start - 1, lowest / start - 1);
    CHECK(highest / start - 1 < byPrecision(1e-9, 1e-6));
    CHECK(lowest / start - 1 > byPrecision(-1e-9, -1e-6));
    CHECK(std::fabs(world.plugin->energy().numerical) < 1e-9);
    CHECK(world.plugin->energy().handedOut < 1e-9);
}

TEST_CASE("the book closes over bouncing, damping, pushes, teleports, loads and changed parameters") {
    TestWorld world;
    btRigidBody& a = world.ball(0.5, 0, 0.2, 0);
    btRigidBody& b = world.ball(1, 0, 0.6, 0);
    a.setDamping(btScalar(0.1), btScalar(0.2));
    a.setAngularVelocity(vec(1, 2, 3));
    world.add<ElastoGap>(a, upwards(), upwards(), ElastoGapParameters{.c = 1e5, .d = 30});
    auto& spring = world.add<SpringDamperParallel>(a, b, vec(0, 0, 0), vec(0, 0, 0),
                                                   SpringDamperParameters{.c = 2000, .d = 3, .s_rel0 = 0.4});
    auto& series = world.add<SpringDamperSeries>(
        b, vec(0, 0, 0), vec(0, 2, 0),
        SpringDamperSeriesParameters{.c = 3000, .d = 100, .s_unstretched = 1, .s_damper_start = 0.4});
    world.plugin->addLoad(Load::sine(b, Load::Kind::Force, vec(0, 1, 0), {.amplitude = 5, .f = 3}));
    world.tick();  // what is in the world at the start is known after the first tick
    const EnergyBook first = world.plugin->energy();
    for (int i = 0; i < 600; ++i) {
        if (i == 100) {
            b.applyCentralImpulse(vec(0, 2, 0));
        }
        if (i == 200) {
            b.setWorldTransform(at(0, heightOf(b) + 0.01, 0));
        }
        if (i == 300) {
            spring.setParameters({.c = 2500, .d = 2, .s_rel0 = 0.39});
        }
        if (i == 400) {
            series.setS_damper(series.s_damper() + 0.02);
        }
        world.tick();
        const EnergyBook now = world.plugin->energy();
        REQUIRE(totalOf(now) - totalOf(first) ==
                Approx(rightSideOf(now) - rightSideOf(first)).margin(byPrecision(1e-9, 1e-3)));
    }
    const EnergyBook last = world.plugin->energy();
    CHECK(last.dissipated > 0.1);
    CHECK(last.damping > 0.01);
    CHECK(last.pushed > 0.1);
    CHECK(last.exchanged == 0);
    CHECK(std::fabs(last.numerical) < 1e-4 * last.dissipated);
    double heat = 0;
    for (const auto& element : world.elements) {
        heat += static_cast<const ForceElement&>(*element).heat();
    }
    CHECK(heat == Approx(last.dissipated));
}

TEST_CASE("the book closes where joints and contacts take part") {
    const bool isCoupled = GENERATE(true, false);
    TestWorld world;
    world.body(0, new btBoxShape(vec(5, 1, 5)), at(0, -1, 0));
    btRigidBody& box = world.box(1, 0, 0.5, 0);
    if (!isCoupled) {
        box.setAnisotropicFriction(vec(1, 1, 0.5));  // the flow cannot solve its contacts
    }
    world.add<SpringDamperParallel>(box, vec(0, 0, 0), vec(0, 1.5, 0),
                                    SpringDamperParameters{.c = 40, .d = 1, .s_rel0 = 1});
    world.tick();
    const EnergyBook first = world.plugin->energy();
    for (int i = 0; i < 300; ++i) {
        world.tick();
        const EnergyBook now = world.plugin->energy();
        REQUIRE(totalOf(now) - totalOf(first) ==
                Approx(rightSideOf(now) - rightSideOf(first)).margin(byPrecision(1e-9, 1e-3)));
    }
    CHECK((world.plugin->totals().uncoupled > 0) == !isCoupled);
    CHECK((world.plugin->totals().coupled > 0) == isCoupled);
    CHECK((isCoupled ? world.plugin->energy().contacts : world.plugin->energy().exchanged) > 0);
}

TEST_CASE("gravity's work is what the book says") {
    TestWorld world;
    btRigidBody& mass = world.ball(2, 0, 0, 0);
    world.add<Damper>(mass, vec(0, 0, 0), vec(0, 50, 0), 0);
    world.tick(60);
    CHECK(world.plugin->energy().work ==
          Approx(-2 * TestWorld::kGravity * heightOf(mass)).epsilon(byPrecision(1e-10, 1e-5)));
}

TEST_CASE("statistics add up") {
    TestWorld world;
    for (int i = 0; i < 3; ++i) {
        btRigidBody& mass = world.ball(1, i, 0, 0);
        world.add<SpringDamperParallel>(Placement::alongAxis(mass, upwards(), upwards(i, 0, 0)),
                                        SpringDamperParameters{.c = 100, .d = 1});
    }
    world.tick(10);
    const TickStatistics& tick = world.plugin->statistics();
    CHECK(tick.ticks == 1);
    CHECK(tick.networks == 3);
    CHECK(tick.elements == 3);
    CHECK(tick.elementsPerMethod[static_cast<std::size_t>(FlowMethod::ClosedForm)] == 3);
    CHECK(world.plugin->totals().ticks == 10);
    CHECK(world.plugin->totals().elements == 30);
    CHECK_FALSE(tick.worstNetwork.empty());
}

TEST_CASE("what a locked axis does to a body that moves along it is no gain of its elements") {
    struct Case {
        btVector3 linearFactor, angularFactor, velocity, spin;
    };
    for (const Case& one : {Case{vec(1, 1, 1), vec(0, 0, 0), vec(0, 0.5, 0), vec(0, 0, 5)},
                            Case{vec(1, 1, 1), vec(0, 1, 0), vec(0, 0.5, 0), vec(0, 0, 2)},
                            Case{vec(1, 1, 0), vec(1, 1, 1), vec(0, 0, 1), vec(0, 0, 0)}}) {
        TestWorld world;
        world.world->setGravity(vec(0, 0, 0));
        btRigidBody& box = world.box(1, 1, 0, 0, 0.2);
        box.setLinearFactor(one.linearFactor);
        box.setAngularFactor(one.angularFactor);
        box.setLinearVelocity(one.velocity);
        box.setAngularVelocity(one.spin);
        world.add<SpringDamperParallel>(box, vec(0.2, 0.1, 0), vec(0, 0, 0),
                                        SpringDamperParameters{.c = 400, .d = 0, .s_rel0 = 0.8});
        const auto own = [&] {
            const EnergyBook book = world.plugin->energy();
            return book.kinetic + book.stored - book.work;
        };
        world.tick();
        const double start = own();
        world.tick(120);
        CAPTURE(one.spin.z(), one.velocity.z());
        CHECK(own() == Approx(start).epsilon(byPrecision(1e-6, 1e-3)));
        CHECK(world.plugin->totals().fallbacks == 0);
    }
}

TEST_CASE("what repairs do to the energy leaves speeds along locked axes alone") {
    // Carts that drift apart along an axis that nothing can move them on, while they drop and a spring spans them.
    TestWorld world;
    btRigidBody& floor = world.box(0, 0, -10, 0, 10);
    floor.setFriction(0);
    const double drift[] = {-3, 1};
    for (int i = 0; i < 2; ++i) {
        btRigidBody& cart = world.box(1, 0.3 * i, 0.15, 0, 0.1);
        cart.setFriction(0);
        cart.setLinearFactor(vec(0, 1, 1));
        cart.setLinearVelocity(vec(drift[i], 0, 0));
        cart.setAngularFactor(vec(1, 0, 1));
        cart.setAngularVelocity(vec(0, 2 * drift[i], 0));
    }
    world.add<SpringDamperParallel>(*world.bodies[1], *world.bodies[2], vec(0, 0, 0), vec(0, 0, 0),
                                    SpringDamperParameters{.c = 20, .d = 0, .s_rel0 = 0.3});
    world.tick(120);
    for (std::size_t i = 0; i < 2; ++i) {
        CHECK(world.bodies[i + 1]->getLinearVelocity().x() == Approx(drift[i]).epsilon(kRounding));
        CHECK(world.bodies[i + 1]->getAngularVelocity().y() == Approx(2 * drift[i]).epsilon(kRounding));
    }
}

TEST_CASE("what is joined to a body that moves along a locked axis is carried by it") {
    const double hz = GENERATE(60., 240.);
    TestWorld world;
    world.world->setGravity(vec(0, 0, 0));
    btRigidBody& cart = world.box(1, 0, 0, 0, 0.1);
    btRigidBody& bob = world.box(1, 0.3, 0, 0, 0.1);
    cart.setLinearFactor(vec(0, 1, 1));
    for (btRigidBody* body : {&cart, &bob}) body->setLinearVelocity(vec(1, 0, 0));
    btHingeConstraint hinge(cart, bob, vec(0.15, 0, 0), vec(-0.15, 0, 0), vec(0, 0, 1), vec(0, 0, 1));
    world.world->addConstraint(&hinge, true);
    world.add<SpringDamperParallel>(bob, vec(0, 0, 0), vec(0.3, 1, 0),
                                    SpringDamperParameters{.c = 500, .d = 0, .s_rel0 = 0.8});
    const auto own = [&] {
        const EnergyBook book = world.plugin->energy();
        return book.kinetic + book.stored - book.work;
    };
    world.tick(1, hz);
    const double start = own();
    world.tick(static_cast<int>(hz), hz);
    CAPTURE(hz);
    CHECK(world.plugin->totals().fallbacks == 0);
    CHECK(static_cast<double>(cart.getLinearVelocity().x()) == Approx(1).epsilon(kRounding));
    CHECK(own() == Approx(start).epsilon(byPrecision(1e-4, 1e-2)));
    world.world->removeConstraint(&hinge);
}
