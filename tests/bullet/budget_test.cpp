// The budget that the networks of a world share.

#include <catch2/catch.hpp>

#include <limits>

#include "test_world.h"

using namespace elasto;
using namespace elasto::test;

namespace {

/// Two balls on each other, on gaps, at a place x: hundreds of steps in the tick in which they fall onto the gaps.
struct Rattle {
    btRigidBody* upper;
    ElastoGap* lower;

    Rattle(TestWorld& world, double x) {
        btRigidBody& a = world.ball(1, x, 0.02, 0);
        btRigidBody& b = world.ball(0.01, x, 0.13, 0);
        upper = &b;
        a.setIgnoreCollisionCheck(&b, true);
        a.setLinearVelocity(vec(0, -3, 0));
        b.setLinearVelocity(vec(0, -3, 0));
        lower = &world.add<ElastoGap>(a, upwards(), upwards(x, 0, 0), ElastoGapParameters{.c = 1e6, .d = 0});
        world.add<ElastoGap>(a, b, upwards(), upwards(), ElastoGapParameters{.c = 1e7, .d = 0, .s_rel0 = 0.11});
    }
    bool isImplicit() const { return lower->method() == FlowMethod::Implicit; }
};

}  // namespace

TEST_CASE("a world's budget goes to the networks of higher priority first") {
    const bool areApart = GENERATE(false, true);  // in one group of islands, or each in its own
    const int first = GENERATE(0, 1, 2);
    const auto make = [&](TestWorld& world, std::vector<Rattle>& rattles) {
        if (areApart) world.world->getSolverInfo().m_minimumSolverBatchSize = 1;
        for (int i = 0; i < 3; ++i) rattles.emplace_back(world, i);
    };
    TestWorld free;
    std::vector<Rattle> unlimited;
    make(free, unlimited);
    free.tick();
    const double cost = free.plugin->statistics().cost / 3;
    CHECK(free.plugin->statistics().outOfBudget == 0);
    REQUIRE(cost > 30);

    TestWorld world;
    std::vector<Rattle> rattles;
    make(world, rattles);
    rattles[static_cast<std::size_t>(first)].lower->setPriority(5);
    CHECK(rattles[static_cast<std::size_t>(first)].lower->priority() == 5);
    world.plugin->setWorldBudget({.cost = 1.5 * cost, .freeShare = 4});
    world.tick();
    const TickStatistics& tick = world.plugin->statistics();
    CHECK(tick.outOfBudget == 2);
    CHECK(tick.fallbacks == 2);
    CHECK(tick.cost <= tick.mostCost);
    CHECK(tick.cost < 2 * cost);
    for (int i = 0; i < 3; ++i) {
        CAPTURE(areApart, first, i);
        const auto k = static_cast<std::size_t>(i);
        CHECK(rattles[k].isImplicit() == (i != first));
        if (i == first) CHECK(heightOf(*rattles[k].upper) == heightOf(*unlimited[k].upper));
    }
    CHECK(world.plugin->energy().handedOut < 1e-9);
    world.plugin->setWorldBudget({});
    world.tick(10);
    CHECK(world.plugin->statistics().outOfBudget == 0);
    CHECK(world.plugin->totals().outOfBudget == 2);
}

TEST_CASE("a network that has used up its own budget is not short of the world's") {
    TestWorld world;
    std::vector<Rattle> rattles;
    rattles.emplace_back(world, 0);
    world.plugin->setBudget(1);
    world.tick();
    CHECK(world.plugin->statistics().fallbacks == 1);
    CHECK(world.plugin->statistics().outOfBudget == 0);
}

TEST_CASE("every network keeps its free share of the world's budget") {
    TestWorld world;
    std::vector<Rattle> rattles;
    for (int i = 0; i < 3; ++i) rattles.emplace_back(world, i);
    world.plugin->setWorldBudget({.cost = 0, .freeShare = 1e4});
    world.tick(3);
    CHECK(world.plugin->totals().fallbacks == 0);
    for (const Rattle& rattle : rattles) CHECK_FALSE(rattle.isImplicit());
}

TEST_CASE("a budget that makes no sense is refused") {
    TestWorld world;
    const double none = std::numeric_limits<double>::quiet_NaN();
    CHECK_THROWS_WITH(world.plugin->setWorldBudget({.cost = -1}), Catch::Contains("cost"));
    CHECK_THROWS_WITH(world.plugin->setWorldBudget({.cost = none}), Catch::Contains("cost"));
    CHECK_THROWS_WITH(world.plugin->setWorldBudget({.freeShare = 0}), Catch::Contains("freeShare"));
    FlowSettings settings;
    settings.maxCost = none;
    CHECK_THROWS_WITH(world.plugin->setSettings(settings), Catch::Contains("maxCost"));
    CHECK(world.plugin->worldBudget().cost == WorldBudget().cost);
}
