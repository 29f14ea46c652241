// Elements that are alone with their body in an island take a short way; nothing else about them is different.

#include <elasto/errors.h>
#include <elasto/tick_moment.h>

#include <BulletCollision/CollisionDispatch/btSimulationIslandManager.h>

#include <catch2/catch.hpp>

#include <array>
#include <functional>
#include <limits>
#include <new>

#include "test_world.h"

using namespace elasto;
using namespace elasto::test;

namespace {

/// One of each kind, far from each other; the ground is not near.
struct Zoo {
    TestWorld world;
    std::vector<btRigidBody*> bodies;
    std::vector<ForceElement*> elements;

    explicit Zoo(bool isShort) {
        // Without this the islands are Bullet's, and all elements are in networks.
        world.plugin->setLinearIslands(isShort);
        const auto place = [&](btRigidBody& body) -> btRigidBody& {
            bodies.push_back(&body);
            return body;
        };
        const auto keep = [&](ForceElement& element) { elements.push_back(&element); };
        for (const auto& [c, d] : {std::pair(1e6, 0.), std::pair(1e6, 5.), std::pair(1e3, 5.)}) {
            const double x = static_cast<double>(bodies.size());
            keep(world.add<ElastoGap>(place(world.ball(0.2, x, 0.3, 0)), upwards(), upwards(x, 0, 0),
                                      ElastoGapParameters{.c = c, .d = d}));
        }
        // The body at flange a, and bodies that turn: about the axis, and freely.
        keep(world.add<SpringDamperParallel>(
            Placement::alongAxis(place(world.ball(0.5, 3, 0, 0)), Placement::world(), upwards(), upwards(3, 1, 0)),
            SpringDamperParameters{.c = 300, .d = 2, .s_rel0 = 0.5}));
        btRigidBody& spinning = place(world.ball(0.2, 4, 0.3, 0));
        spinning.setAngularVelocity(vec(0, 5, 0));
        keep(world.add<ElastoGap>(spinning, upwards(), upwards(4, 0, 0), ElastoGapParameters{.c = 1e5, .d = 1}));
        btRigidBody& tumbling = place(world.body(0.3, new btBoxShape(vec(0.1, 0.05, 0.2)), at(5, 0.3, 0)));
        tumbling.setAngularVelocity(vec(1, 2, 3));
        keep(world.add<ElastoGap>(tumbling, upwards(), upwards(5, 0, 0), ElastoGapParameters{.c = 1e5, .d = 1}));
        btRigidBody& wheel = place(world.ball(1, 6, 0, 0));
        wheel.setGravity(vec(0, 0, 0));
        wheel.setAngularVelocity(vec(0, 0, 1));
        keep(world.add<ElastoBacklash>(wheel, at(0, 0, 0), at(6, 0, 0),
                                       ElastoBacklashParameters{.c = 100, .d = 0.01, .b = 0.1}));
        keep(world.add<SpringDamperSeries>(place(world.ball(1, 7, -1, 0)), vec(0, 0, 0), vec(7, 0, 0),
                                           SpringDamperSeriesParameters{.c = 1000, .d = 100, .s_unstretched = 1}));
        keep(world.add<ElastoGap>(place(world.ball(0.2, 8, 0.3, 0)), upwards(), upwards(8, 0, 0),
                                  ElastoGapParameters{.c = 1e7, .d = 1, .n = 1.5}));
        btRigidBody& damped = place(world.ball(0.2, 9, 0.3, 0));
        damped.setDamping(btScalar(0.2), btScalar(0.1));
        keep(world.add<ElastoGap>(damped, upwards(), upwards(9, 0, 0), ElastoGapParameters{.c = 1e5, .d = 1}));
    }
};

void checkSameBits(const btRigidBody& x, const btRigidBody& y) {
    const auto isSame = [](const btVector3& a, const btVector3& b) {
        return a.x() == b.x() && a.y() == b.y() && a.z() == b.z();
    };
    CHECK(isSame(x.getWorldTransform().getOrigin(), y.getWorldTransform().getOrigin()));
    for (int row = 0; row < 3; ++row) {
        CHECK(isSame(x.getWorldTransform().getBasis()[row], y.getWorldTransform().getBasis()[row]));
    }
    CHECK(isSame(x.getLinearVelocity(), y.getLinearVelocity()));
    CHECK(isSame(x.getAngularVelocity(), y.getAngularVelocity()));
    CHECK(isSame(x.getInterpolationLinearVelocity(), y.getInterpolationLinearVelocity()));
    CHECK(isSame(x.getInterpolationAngularVelocity(), y.getInterpolationAngularVelocity()));
    CHECK(x.getActivationState() == y.getActivationState());
}

void checkSame(const Readout& x, const Readout& y) {
    CHECK(x.s_rel == y.s_rel);
    CHECK(x.v_rel == y.v_rel);
    CHECK(x.s_damper == y.s_damper);
    CHECK(x.force.f == y.force.f);
    CHECK(x.storedEnergy == y.storedEnergy);
}

}  // namespace

TEST_CASE("elements alone have the bits that they have in networks", "[slow]") {
    Zoo alone(true);
    Zoo inNetworks(false);
    const double h = 1.0 / 60;
    for (int tick = 1; tick <= 240; ++tick) {
        INFO("tick " << tick);
        alone.world.tick();
        inNetworks.world.tick();
        if (tick == 100) {
            for (Zoo* zoo : {&alone, &inNetworks}) zoo->bodies[0]->setLinearVelocity(vec(0, 1, 0));
        }
        const TickMoment moment = alone.world.plugin->insideTick(0.4 * h);
        const TickMoment other = inNetworks.world.plugin->insideTick(0.4 * h);
        for (std::size_t i = 0; i < alone.bodies.size(); ++i) {
            INFO("body " << i);
            checkSameBits(*alone.bodies[i], *inNetworks.bodies[i]);
            const ForceElement& x = *alone.elements[i];
            const ForceElement& y = *inNetworks.elements[i];
            checkSame(x.readout(), y.readout());
            checkSame(x.solutionAt(0.3 * h), y.solutionAt(0.3 * h));
            CHECK(x.impulse() == y.impulse());
            CHECK(x.heat() == y.heat());
            CHECK(x.method() == y.method());
            CHECK(x.tickLength() == y.tickLength());
            REQUIRE(moment.body(*alone.bodies[i]));
            REQUIRE(moment.element(x));
            CHECK(moment.body(*alone.bodies[i])->position == other.body(*inNetworks.bodies[i])->position);
            checkSame(*moment.element(x), *other.element(y));
        }
    }
    const TickStatistics& x = alone.world.plugin->totals();
    const TickStatistics& y = inNetworks.world.plugin->totals();
    CHECK(x.networks == y.networks);
    CHECK(x.elements == y.elements);
    CHECK(x.elementsPerMethod == y.elementsPerMethod);
    CHECK(x.events == y.events);
    CHECK(x.steps == y.steps);
    CHECK(x.cost == y.cost);
    CHECK(x.worstSteps == y.worstSteps);
    const EnergyBook books[] = {alone.world.plugin->energy(), inNetworks.world.plugin->energy()};
    for (const auto field :
         {&EnergyBook::kinetic, &EnergyBook::stored, &EnergyBook::work, &EnergyBook::pushed, &EnergyBook::dissipated,
          &EnergyBook::damping, &EnergyBook::numerical, &EnergyBook::handedOut}) {
        CHECK(books[0].*field == Approx(books[1].*field).epsilon(1e-12).margin(1e-12));
    }
}

TEST_CASE("contacts of elements alone are called back, each once and in the order of time") {
    TestWorld world;
    struct Seen {
        int ball;
        bool begins;
        double time;
    };
    std::vector<Seen> seen;
    for (int i = 0; i < 3; ++i) {
        btRigidBody& ball = world.ball(0.2, i, 0.02 - 0.005 * i, 0);
        ball.setLinearVelocity(vec(0, -2.4, 0));
        auto& stop = world.add<ElastoGap>(ball, upwards(), upwards(i, 0, 0), ElastoGapParameters{.c = 1e6, .d = 5});
        stop.onContactBegin([&seen, i](ForceElement&, const ContactInfo& info) {
            CHECK(info.speed == Approx(2.45).margin(0.05));
            seen.push_back({i, true, info.time});
        });
        stop.onContactEnd([&seen, i](ForceElement&, const ContactInfo& info) {
            seen.push_back({i, false, info.time});
        });
    }
    world.tick();
    REQUIRE(seen.size() == 6);
    for (std::size_t i = 1; i < seen.size(); ++i) CHECK(seen[i - 1].time <= seen[i].time);
    CHECK(seen.front().ball == 2);
    CHECK(seen.back().ball == 0);
    world.tick();
    CHECK(seen.size() == 6);
    CHECK(world.plugin->totals().events == 6);
}

TEST_CASE("a callback may delete the element that was alone, and its body") {
    TestWorld world;
    btRigidBody& ball = world.ball(0.2, 0, 0.01, 0);
    ball.setLinearVelocity(vec(0, -2.4, 0));
    auto& stop = world.add<ElastoGap>(ball, upwards(), upwards(), ElastoGapParameters{.c = 1e6, .d = 5});
    stop.onContactBegin([&](ForceElement& element, const ContactInfo&) {
        world.world->removeConstraint(&element);
        world.elements.clear();
        world.world->removeRigidBody(world.bodies[0].get());
        world.bodies.clear();
    });
    world.tick(3);
    CHECK(world.world->getNumCollisionObjects() == 0);
    CHECK(world.plugin->statistics().elements == 0);
}

TEST_CASE("the last tick of an element alone stays under the parameters that it had") {
    TestWorld world;
    btRigidBody& ball = world.ball(0.2, 0, 0.01, 0);
    ball.setLinearVelocity(vec(0, -2.4, 0));
    auto& stop = world.add<ElastoGap>(ball, upwards(), upwards(), ElastoGapParameters{.c = 1e4, .d = 5});
    CHECK_THROWS_AS(stop.solutionAt(0), std::logic_error);
    world.tick();
    const double h = 1.0 / 60;
    const double f = stop.solutionAt(h / 2).force.f;
    CHECK(f < -10);
    const ElementState state = stop.saveState();
    stop.setParameters({.c = 1, .d = 0});
    CHECK(stop.solutionAt(h / 2).force.f == f);
    world.tick();
    CHECK(std::fabs(stop.solutionAt(h / 2).force.f) < 1);
    stop.restoreState(state);
    CHECK_THROWS_AS(stop.solutionAt(0), std::logic_error);
}

TEST_CASE("the mass that a body had in its last tick counts inside that tick") {
    TestWorld world;
    btRigidBody& ball = world.ball(0.2, 0, 0.01, 0);
    ball.setLinearVelocity(vec(0, -2.4, 0));
    auto& stop = world.add<ElastoGap>(ball, upwards(), upwards(), ElastoGapParameters{.c = 1e4, .d = 5});
    world.tick();
    const double f = stop.solutionAt(0.008).force.f;
    ball.setMassProps(1, ball.getLocalInertia());
    CHECK(stop.solutionAt(0.008).force.f == f);
}

TEST_CASE("an element alone falls asleep, still knows its last tick, and wakes up") {
    TestWorld world;
    btRigidBody& ball = world.ball(0.2, 0, 0.01, 0);
    ball.forceActivationState(ACTIVE_TAG);
    auto& stop = world.add<ElastoGap>(ball, upwards(), upwards(), ElastoGapParameters{.c = 1e4, .d = 50});
    world.tick(600);
    REQUIRE(ball.getActivationState() == ISLAND_SLEEPING);
    CHECK(world.plugin->statistics().elements == 0);
    CHECK(stop.solutionAt(0.01).force.f == Approx(-0.2 * TestWorld::kGravity).epsilon(1e-5));
    CHECK(!world.plugin->insideTick(0.01).element(stop));
    ball.activate();
    ball.setLinearVelocity(vec(0, 1, 0));
    world.tick();
    CHECK(world.plugin->statistics().elements == 1);
    CHECK(heightOf(ball) > 0.01);
}

TEST_CASE("an element alone ceases to be so, and is again") {
    // A second element, a load, a contact: the same motion from then on as with networks throughout.
    const auto run = [](bool isShort) {
        TestWorld world;
        world.plugin->setLinearIslands(isShort);
        btRigidBody& ball = world.ball(0.2, 0, 0.3, 0);
        world.add<ElastoGap>(ball, upwards(), upwards(), ElastoGapParameters{.c = 1e5, .d = 1});
        std::vector<double> heights;
        const auto tick = [&](int count) {
            for (int i = 0; i < count; ++i) {
                world.tick();
                heights.push_back(heightOf(ball));
            }
        };
        tick(20);
        auto& second = world.add<Spring>(ball, vec(0, 0, 0), vec(0, 2, 0), 10, 1);
        tick(20);
        second.setEnabled(false);
        tick(20);
        world.world->removeConstraint(&second);
        tick(20);
        const auto load =
            world.plugin->addLoad(Load(ball, Load::Kind::Force, [](double t) { return vec(0, std::sin(20 * t), 0); }));
        tick(20);
        world.plugin->removeLoad(load);
        ball.applyCentralForce(vec(0, 5, 0));
        tick(20);
        return heights;
    };
    CHECK(run(true) == run(false));
}

TEST_CASE("what changes between ticks reaches an element alone as it does a network") {
    using Change = std::function<void(TestWorld&, btRigidBody&, ElastoGap&)>;
    const auto pushed = [](TestWorld&, btRigidBody& ball, ElastoGap&) { ball.setLinearVelocity(vec(0.1, 1, 0)); };
    const std::vector<std::pair<const char*, Change>> changes = {
        {"velocity", pushed},
        {"impulse", [](TestWorld&, btRigidBody& ball, ElastoGap&) { ball.applyCentralImpulse(vec(0, 0.3, 0)); }},
        {"spin", [](TestWorld&, btRigidBody& ball, ElastoGap&) { ball.setAngularVelocity(vec(0, 3, 0)); }},
        {"tumble", [](TestWorld&, btRigidBody& ball, ElastoGap&) { ball.setAngularVelocity(vec(1, 2, 3)); }},
        {"place", [](TestWorld&, btRigidBody& ball, ElastoGap&) { ball.setWorldTransform(at(0.01, 0.02, 0.03)); }},
        {"turn", [](TestWorld&, btRigidBody& ball,
                    ElastoGap&) { ball.getWorldTransform().setRotation(btQuaternion(vec(0, 1, 0), btScalar(0.5))); }},
        {"force", [](TestWorld&, btRigidBody& ball, ElastoGap&) { ball.applyCentralForce(vec(1, 20, 0)); }},
        {"torque", [](TestWorld&, btRigidBody& ball, ElastoGap&) { ball.applyTorque(vec(0, 0.01, 0)); }},
        {"gravity", [](TestWorld&, btRigidBody& ball, ElastoGap&) { ball.setGravity(vec(0, 1, 0)); }},
        {"damping", [](TestWorld&, btRigidBody& ball, ElastoGap&) { ball.setDamping(btScalar(0.5), 0); }},
        {"mass", [](TestWorld&, btRigidBody& ball, ElastoGap&) { ball.setMassProps(3, ball.getLocalInertia()); }},
        {"inertia", [](TestWorld&, btRigidBody& ball, ElastoGap&) { ball.setInvInertiaDiagLocal(vec(100, 200, 300)); }},
        {"linear factor", [](TestWorld&, btRigidBody& ball, ElastoGap&) { ball.setLinearFactor(vec(0, 0.5, 0)); }},
        {"law", [](TestWorld&, btRigidBody&, ElastoGap& stop) { stop.setParameters({.c = 1e4, .d = 50}); }},
        {"heat port",
         [](TestWorld&, btRigidBody&, ElastoGap& stop) { stop.setHeatPort(std::make_shared<HeatPort>()); }},
        {"state",
         [pushed](TestWorld& world, btRigidBody& ball, ElastoGap& stop) {
             const ElementState state = stop.saveState();
             pushed(world, ball, stop);
             world.tick();
             stop.restoreState(state);
         }},
        {"exact state",
         [](TestWorld&, btRigidBody& ball, ElastoGap& stop) {
             BodyState exact;
             exact.position = {0, heightOf(ball) + 1e-12, 0};
             exact.velocity = {0, climbOf(ball) + 1e-12, 0};
             stop.setExactStates(nullptr, &exact);
         }},
        {"length of the tick", [](TestWorld& world, btRigidBody&, ElastoGap&) { world.tick(1, 240); }},
        {"switched off",
         [](TestWorld& world, btRigidBody&, ElastoGap& stop) {
             stop.setEnabled(false);
             world.tick();
             stop.setEnabled(true);
         }},
    };
    for (const auto& [name, change] : changes) {
        for (const double height : {-0.2 * TestWorld::kGravity / 1e5, 0.1}) {  // at rest, and bouncing
            INFO(name << " at " << height);
            const auto run = [&, change = change](bool isShort) {
                TestWorld world;
                world.plugin->setLinearIslands(isShort);
                btRigidBody& ball = world.ball(0.2, 0, height, 0);
                auto& stop = world.add<ElastoGap>(ball, btTransform(upwards()), upwards(),
                                                  ElastoGapParameters{.c = 1e5, .d = height < 0 ? 20. : 1.});
                std::vector<double> seen;
                const auto tick = [&](int count) {
                    for (int i = 0; i < count; ++i) {
                        world.tick();
                        const btVector3& place = ball.getWorldTransform().getOrigin();
                        const btVector3& w = ball.getAngularVelocity();
                        const btVector3& drawn = ball.getInterpolationLinearVelocity();
                        const btVector3 inverse = ball.getInvInertiaTensorWorld() * vec(1, 2, 3);
                        for (int k = 0; k < 3; ++k) {
                            for (const btVector3& v : {place, w, drawn, inverse, ball.getLinearVelocity()}) {
                                seen.push_back(static_cast<double>(v[k]));
                            }
                        }
                        seen.insert(seen.end(), {stop.impulse(), stop.heat(), stop.readout().storedEnergy,
                                                 stop.solutionAt(0.3 / 60).force.f});
                    }
                };
                tick(10);
                change(world, ball, stop);
                tick(10);
                change(world, ball, stop);
                tick(3);
                return std::pair(seen, world.plugin->energy());
            };
            const auto [alone, book] = run(true);
            const auto [inNetwork, other] = run(false);
            CHECK(alone == inNetwork);
            // Sums are made in another order.
            for (const auto field : {&EnergyBook::kinetic, &EnergyBook::stored, &EnergyBook::work, &EnergyBook::pushed,
                                     &EnergyBook::dissipated, &EnergyBook::damping, &EnergyBook::numerical}) {
                CHECK(book.*field == Approx(other.*field).epsilon(1e-12).margin(1e-12));
            }
        }
    }
}

TEST_CASE("users see all constraints, and the world's own islands come back") {
    TestWorld world;
    world.plugin.reset();
    btSimulationIslandManager* own = world.world->getSimulationIslandManager();
    world.install();
    std::vector<ElastoGap*> stops;
    for (int i = 0; i < 3; ++i) {
        btRigidBody& ball = world.ball(0.2, i, 0.01, 0);
        ball.setLinearVelocity(vec(0, -2.4, 0));
        stops.push_back(
            &world.add<ElastoGap>(ball, upwards(), upwards(i, 0, 0), ElastoGapParameters{.c = 1e6, .d = 5}));
    }
    int seen = 0;
    stops[1]->onContactBegin([&](ForceElement&, const ContactInfo&) { seen = world.world->getNumConstraints(); });
    world.tick();
    CHECK(seen == 3);
    CHECK(world.world->getNumConstraints() == 3);
    for (int i = 0; i < 3; ++i) CHECK(world.world->getConstraint(i) == stops[static_cast<std::size_t>(i)]);
    world.world->getSimulationIslandManager()->setSplitIslands(false);
    world.plugin.reset();
    CHECK(world.world->getSimulationIslandManager() == own);
    CHECK(!own->getSplitIslands());
}

TEST_CASE("elements alone may be exchanged for joints and others between ticks") {
    const auto run = [](bool isShort) {
        TestWorld world;
        world.plugin->setLinearIslands(isShort);
        std::vector<double> heights;
        const auto tick = [&] {
            for (int i = 0; i < 3; ++i) {
                world.tick();
                for (const auto& body : world.bodies) heights.push_back(heightOf(*body));
            }
        };
        const auto drop = [&](std::size_t i) {
            world.world->removeConstraint(world.elements[i].get());
            world.elements.erase(world.elements.begin() + static_cast<std::ptrdiff_t>(i));
        };
        for (int i = 0; i < 4; ++i) {
            world.add<ElastoGap>(world.ball(0.2, i, 0.3, 0), upwards(), upwards(i, 0, 0),
                                 ElastoGapParameters{.c = 1e5, .d = 1});
        }
        tick();
        drop(1);
        tick();
        world.add<btPoint2PointConstraint>(*world.bodies[1], vec(0.1, 0, 0));
        tick();
        world.add<Spring>(*world.bodies[2], *world.bodies[3], vec(0, 0, 0), vec(0, 0, 0), 10, 1);
        tick();
        drop(world.elements.size() - 1);
        drop(world.elements.size() - 1);
        tick();
        world.world->removeRigidBody(world.bodies[0].get());
        drop(0);
        world.bodies.erase(world.bodies.begin());  // another body has its place in the world now
        tick();
        return heights;
    };
    CHECK(run(true) == run(false));
}

TEST_CASE("a tick that fails leaves elements alone where they were") {
    TestWorld world;
    btRigidBody& alone = world.ball(0.2, 0, 0.3, 0);
    auto& stop = world.add<ElastoGap>(alone, upwards(), upwards(), ElastoGapParameters{.c = 1e5, .d = 1});
    btRigidBody& bad = world.ball(0.2, 3, 0.3, 0);
    world.add<ElastoGap>(bad, upwards(), upwards(3, 0, 0), ElastoGapParameters{.c = 1e5, .d = 1});
    world.tick(5);
    const btScalar height = alone.getWorldTransform().getOrigin().y();
    const btScalar climb = alone.getLinearVelocity().y();
    const double impulse = stop.impulse();
    bad.setLinearVelocity(btVector3(std::numeric_limits<btScalar>::quiet_NaN(), 0, 0));
    CHECK_THROWS_AS(world.tick(), InvalidParameter);
    CHECK(alone.getWorldTransform().getOrigin().y() == height);
    CHECK(alone.getLinearVelocity().y() == climb);
    CHECK(stop.impulse() == impulse);
    CHECK(world.plugin->totals().ticks == 5);
    bad.setLinearVelocity(vec(0, 0, 0));
    world.tick();
    CHECK(heightOf(alone) < static_cast<double>(height));
}

TEST_CASE("an element alone breaks at its threshold") {
    TestWorld world;
    btRigidBody& ball = world.ball(0.2, 0, 0.01, 0);
    ball.setLinearVelocity(vec(0, -2.4, 0));
    auto& stop = world.add<ElastoGap>(ball, upwards(), upwards(), ElastoGapParameters{.c = 1e6, .d = 5});
    stop.setBreakingImpulseThreshold(btScalar(0.1));
    world.tick();
    CHECK(!stop.isEnabled());
    world.tick();
    CHECK(world.plugin->statistics().elements == 0);
}

TEST_CASE("an element whose body has left the world leaves other bodies alone, and is named") {
    TestWorld world;
    btRigidBody& gone = world.ball(1, 0, 1, 0);
    btRigidBody& other = world.ball(1, 5, 1, 0);
    world.add<ElastoGap>(gone, upwards(), upwards(0, -100, 0), ElastoGapParameters{.c = 1e5, .d = 1});
    world.tick(3);
    world.world->removeRigidBody(&gone);  // its place, and its island's number, are the other one's now
    const double height = heightOf(other);
    CHECK_THROWS_WITH(world.tick(), Catch::Contains("a body is not in the world"));
    CHECK(heightOf(other) == height);
    world.world->removeConstraint(world.elements.back().get());
    world.elements.clear();
    world.tick();
    CHECK(heightOf(other) < height);
}

TEST_CASE("a body that was static when it was added, and moves alone, keeps nobody from moving") {
    const auto run = [](bool isShort) {
        TestWorld world;
        world.plugin->setLinearIslands(isShort);
        btRigidBody& other = world.ball(1, 5, 10, 0);
        btRigidBody& late = world.body(0, new btSphereShape(btScalar(0.05)), at(0, 0.3, 0));
        late.setMassProps(1, vec(1e-3, 1e-3, 1e-3));
        late.updateInertiaTensor();
        late.forceActivationState(DISABLE_DEACTIVATION);
        world.add<ElastoGap>(late, upwards(), upwards(), ElastoGapParameters{.c = 1e5, .d = 1});
        world.tick(30);
        return std::pair(heightOf(other), heightOf(late));
    };
    const auto moved = run(true);
    CHECK(moved == run(false));
    CHECK(moved.first < 9);
}

TEST_CASE("a world forgets an element that was in another one since") {
    const bool looksAtIslands = GENERATE(true, false);
    TestWorld first, second;
    second.plugin->setLinearIslands(looksAtIslands);
    second.add<ElastoGap>(second.ball(0.2, 0, 0.3, 0), upwards(), upwards(), ElastoGapParameters{.c = 1e6, .d = 5});
    btRigidBody& a = first.ball(0.2, 0, 0.3, 0);
    btRigidBody& b = first.ball(0.2, 0.3, 0.3, 0);
    // What takes the element's place in the first world's list takes its place in memory, too.
    alignas(64) static std::array<char, 4096> place;
    auto* element =
        new (place.data()) ElastoGap(a, upwards(), upwards(0, -100, 0), ElastoGapParameters{.c = 1e6, .d = 5});
    first.world->addConstraint(element);
    first.tick(2);
    first.world->removeConstraint(element);
    first.world->removeRigidBody(&a);
    second.world->addRigidBody(&a);
    second.world->addConstraint(element);
    second.tick(2);
    second.world->removeConstraint(element);
    second.world->removeRigidBody(&a);
    element->~ElastoGap();
    first.world->addRigidBody(&a);
    auto* joint = new (place.data()) btPoint2PointConstraint(a, b, vec(0.15, 0, 0), vec(-0.15, 0, 0));
    first.world->addConstraint(joint);
    first.tick();
    CHECK(a.getIslandTag() == b.getIslandTag());
    first.world->removeConstraint(joint);
    joint->~btPoint2PointConstraint();
}

namespace {

// Looks at its constraints where the base does.
class WatchedWorld : public btDiscreteDynamicsWorld {
public:
    using btDiscreteDynamicsWorld::btDiscreteDynamicsWorld;
    int least = std::numeric_limits<int>::max();  // that it saw

protected:
    void calculateSimulationIslands() override {
        btDiscreteDynamicsWorld::calculateSimulationIslands();
        least = std::min(least, getNumConstraints());
    }
    void solveConstraints(btContactSolverInfo& info) override {
        least = std::min(least, getNumConstraints());
        btDiscreteDynamicsWorld::solveConstraints(info);
    }
    void integrateTransforms(btScalar h) override {
        mostMoved = std::max(mostMoved, m_nonStaticRigidBodies.size());
        btDiscreteDynamicsWorld::integrateTransforms(h);
    }

public:
    int mostMoved = 0;
};

}  // namespace

TEST_CASE("a world of a user's class sees all of its constraints and bodies at any time") {
    btDefaultCollisionConfiguration configuration;
    btCollisionDispatcher dispatcher(&configuration);
    btDbvtBroadphase broadphase;
    btSequentialImpulseConstraintSolver solver;
    WatchedWorld world(&dispatcher, &broadphase, &solver, &configuration);
    Plugin plugin(&world);
    btSphereShape shape(btScalar(0.1));
    btRigidBody ball(btRigidBody::btRigidBodyConstructionInfo(1, nullptr, &shape, btVector3(1, 1, 1)));
    world.addRigidBody(&ball);
    ElastoGap gap(ball, upwards(), upwards(0, -1, 0), ElastoGapParameters{.c = 1e6, .d = 5});
    world.addConstraint(&gap);
    for (int i = 0; i < 3; ++i) world.stepSimulation(btScalar(1. / 60), 0);
    CHECK(world.least == 1);
    CHECK(world.mostMoved == 1);
    world.removeConstraint(&gap);
    world.removeRigidBody(&ball);
}

TEST_CASE("an element alone refuses the ticks that networks refuse") {
    TestWorld world;
    world.add<ElastoGap>(world.ball(0.2, 0, 0.3, 0), upwards(), upwards(), ElastoGapParameters{.c = 1e6, .d = 5});
    world.tick();
    CHECK_THROWS_WITH(world.world->stepSimulation(btScalar(-1. / 60), 0), Catch::Contains("h must be finite and > 0"));
    world.tick();
    CHECK(world.plugin->time() == Approx(2. / 60));
}

TEST_CASE("an element may go when the user has looked for islands") {
    TestWorld world;
    ElastoGapParameters parameters{.c = 1e6, .d = 5};
    btRigidBody& lost = world.ball(0.2, 0, 0.3, 0);
    btRigidBody& kept = world.ball(0.2, 1, 0.3, 0);
    auto element = std::make_unique<ElastoGap>(lost, upwards(), upwards(0, -5, 0), parameters);
    world.world->addConstraint(element.get());
    const ElastoGap& other = world.add<ElastoGap>(kept, upwards(), upwards(1, 0.2, 0), parameters);
    world.tick(2);
    world.world->getSimulationIslandManager()->updateActivationState(world.world.get(), &world.dispatcher);
    world.world->removeConstraint(element.get());
    element.reset();
    world.tick(60);
    CHECK(world.world->getNumConstraints() == 1);
    CHECK(kept.getWorldTransform().getOrigin().y() > btScalar(0.15));
    CHECK(other.tickLength() > 0);
}
