// A tick that throws leaves every sum as it was, and says which element, field and value it was about.

#include <elasto/errors.h>
#include <catch2/catch.hpp>

#include <limits>

#include "test_world.h"

using namespace elasto;
using namespace elasto::test;

namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

std::vector<double> sumsOf(const EnergyBook& book) {
    return {book.work,      book.pushed,    book.dissipated, book.damping,  book.contacts,
            book.exchanged, book.numerical, book.repaired,   book.handedOut};
}

/// A damped ball on a stop, with a heat port; in a second network a ball that stays as it is.
struct Scenario {
    Scenario() {
        mass.setDamping(btScalar(0.1), 0);
        stop.setName("stop");
        stop.setHeatPort(port);
        world.add<SpringDamperParallel>(other, vec(0, 0, 0), vec(3, 1, 0), SpringDamperParameters{.c = 100, .d = 1});
        world.tick(30);
    }

    /// Spoils the world, and repairs it after the tick that fails.
    template <class Spoil, class Repair>
    void checkFailure(const Spoil& spoil, const Repair& repair, const std::string& words) {
        const std::vector<double> book = sumsOf(world.plugin->energy());
        const std::int64_t ticks = world.plugin->totals().ticks;
        const std::int64_t elements = world.plugin->totals().elements;
        const double heat = port->energy();
        const double ownHeat = stop.heat();
        const double time = world.plugin->time();
        spoil();
        const btTransform pose = mass.getWorldTransform();
        CHECK_THROWS_AS(world.tick(), InvalidParameter);
        CHECK_THROWS_WITH(world.tick(), Catch::Contains("'stop'") && Catch::Contains(words));
        CHECK(sumsOf(world.plugin->energy()) == book);
        CHECK(world.plugin->totals().ticks == ticks);
        CHECK(world.plugin->totals().elements == elements);
        CHECK(port->energy() == heat);
        CHECK(stop.heat() == ownHeat);
        CHECK(world.plugin->time() == time);
        CHECK(std::memcmp(&pose.getOrigin(), &mass.getWorldTransform().getOrigin(), 3 * sizeof(btScalar)) == 0);
        repair();
        CHECK(double(other.getTotalForce().length()) == 0);  // no gravity is left for the next tick
        const EnergyBook before = world.plugin->energy();
        world.tick(30);
        const EnergyBook after = world.plugin->energy();
        for (const double sum : sumsOf(after)) {
            CHECK(std::isfinite(sum));
        }
        CHECK(std::isfinite(port->energy()));
        CHECK(world.plugin->totals().ticks == ticks + 30);
        CHECK(after.pushed == Approx(before.pushed).margin(1e-4));  // the repair has put back what was there
    }

    TestWorld world;
    btRigidBody& mass = world.ball(0.2, 0, 0.3, 0);
    btRigidBody& other = world.ball(1, 3, 0, 0);
    std::shared_ptr<HeatPort> port = std::make_shared<HeatPort>();
    ElastoGap& stop = world.add<ElastoGap>(mass, upwards(), upwards(), ElastoGapParameters{.c = 1e4, .d = 5});
};

}  // namespace

TEST_CASE("a tick that a velocity which is no number ended leaves the sums alone") {
    Scenario scenario;
    const btVector3 before = scenario.mass.getLinearVelocity();
    scenario.checkFailure([&] { scenario.mass.setLinearVelocity(vec(0, kNan, 0)); },
                          [&] { scenario.mass.setLinearVelocity(before); },
                          "ElastoGap 'stop', body B: velocity = nan is not allowed; velocity must be finite");
}

TEST_CASE("a tick that a position which is no number ended leaves the sums alone") {
    Scenario scenario;
    const btTransform before = scenario.mass.getWorldTransform();
    const btVector3 speed = scenario.mass.getLinearVelocity();
    scenario.checkFailure([&] { scenario.mass.setWorldTransform(at(0, kNan, 0)); },
                          [&] {
                              scenario.mass.setCenterOfMassTransform(before);
                              scenario.mass.setLinearVelocity(speed);
                          },
                          "ElastoGap 'stop', body B: position = nan is not allowed; position must be finite");
}

TEST_CASE("a tick that a load which is no number ended leaves the sums alone") {
    Scenario scenario;
    std::shared_ptr<const Load> load;
    scenario.checkFailure(
        [&] {
            load = scenario.world.plugin->addLoad(
                Load(scenario.mass, Load::Kind::Force, [](double) { return vec(0, kNan, 0); }));
        },
        [&] { scenario.world.plugin->removeLoad(load); },
        "ElastoGap 'stop', body B: force = nan is not allowed; force must be finite");
}

TEST_CASE("a tick that would end beyond all numbers is refused before anything moves") {
    Scenario scenario;
    const ElastoGapParameters usual = scenario.stop.parameters();
    scenario.checkFailure(
        [&] {
            // 10 m deep in a stop that grows with the 1000th power.
            scenario.stop.setParameters({.c = 1e4, .d = 5, .s_rel0 = heightOf(scenario.mass) + 10, .n = 1000});
        },
        [&] { scenario.stop.setParameters(usual); }, "finite");
}

TEST_CASE("a velocity whose energy is beyond all numbers does not spoil the book") {
    if (sizeof(btScalar) < sizeof(double)) {
        return;  // the square of any float fits a double
    }
    Scenario scenario;
    const btVector3 before = scenario.mass.getLinearVelocity();
    scenario.checkFailure([&] { scenario.mass.setLinearVelocity(vec(0, 1e200, 0)); },
                          [&] { scenario.mass.setLinearVelocity(before); }, "finite");
}
