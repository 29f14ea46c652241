// Same input, same bits: run after run, side by side, whatever the iterations; and what the order of elements changes.

#include <catch2/catch.hpp>

#include "machine.h"
#include "world_hash.h"

using namespace elasto;
using namespace elasto::test;

TEST_CASE("two runs are bit-identical each tick") {
    std::vector<std::uint64_t> hashes;
    {
        Machine machine;
        for (int i = 0; i < 600; ++i) {
            machine.tickMachine();
            hashes.push_back(hashOf(machine));
        }
        CHECK(machine.plugin->totals().fallbacks == 0);
        CHECK(machine.plugin->totals().events > 10);
    }
    std::vector<std::unique_ptr<char[]>> otherHeap;
    for (std::size_t i = 0; i < 1000; ++i) {
        otherHeap.push_back(std::make_unique<char[]>(16 + 37 * i % 900));
    }
    Machine machine;
    for (int i = 0; i < 600; ++i) {
        machine.tickMachine();
        REQUIRE(hashOf(machine) == hashes[static_cast<std::size_t>(i)]);
    }
}

TEST_CASE("two worlds side by side are bit-identical each tick") {
    Machine first;
    Machine second;
    for (int i = 0; i < 600; ++i) {
        first.tickMachine();
        second.tickMachine();
        REQUIRE(hashOf(first) == hashOf(second));
    }
}

TEST_CASE("networks do not depend on the number of iterations") {
    std::vector<std::uint64_t> hashes;
    for (const int iterations : {10, 1, 50}) {
        Machine machine({.iterations = iterations, .withBoxes = false});
        for (std::size_t i = 0; i < 600; ++i) {
            machine.tickMachine();
            if (iterations == 10) {
                hashes.push_back(hashOf(machine));
            }
            REQUIRE(hashOf(machine) == hashes[i]);
        }
    }
}

TEST_CASE("networks do not depend on warm starting or on boxes in the same batch") {
    Machine alone({.withBoxes = false});
    Machine crowd;
    crowd.world->getSolverInfo().m_solverMode &= ~SOLVER_USE_WARMSTARTING;
    crowd.world->getSolverInfo().m_minimumSolverBatchSize = 1000;
    for (int i = 0; i < 300; ++i) {
        alone.tickMachine();
        crowd.tickMachine();
        for (std::size_t b = 0; b < alone.bodies.size(); ++b) {
            BitHash one;
            BitHash other;
            one.add(*alone.bodies[b]);
            other.add(*crowd.bodies[b]);
            REQUIRE(one.value() == other.value());
        }
    }
}

TEST_CASE("the order in which elements were added does not matter, to the bit") {
    Machine forward({.withBoxes = false});
    Machine backward({.reverseElements = true, .withBoxes = false});
    for (int i = 0; i < 600; ++i) {
        forward.tickMachine();
        backward.tickMachine();
        REQUIRE(hashOf(*forward.world) == hashOf(*backward.world));
    }
}

TEST_CASE("the order in which bodies were added changes the rounding only") {
    const auto chain = [](bool isReversed) {
        auto world = std::make_unique<TestWorld>();
        world->world->setGravity(vec(0, 0, 0));
        std::vector<btRigidBody*> masses(6);
        for (int i = 0; i < 6; ++i) {
            const int place = isReversed ? 5 - i : i;
            masses[static_cast<std::size_t>(place)] = &world->ball(1, place, 0, 0);
        }
        for (std::size_t i = 0; i + 1 < masses.size(); ++i) {
            world->add<ElastoGap>(*masses[i], *masses[i + 1], btTransform::getIdentity(), btTransform::getIdentity(),
                                  ElastoGapParameters{.c = 1e5, .d = 5, .s_rel0 = 0.8});
        }
        masses[0]->setLinearVelocity(vec(3, 0, 0));
        return std::pair(std::move(world), masses);
    };
    auto [first, forward] = chain(false);
    auto [second, backward] = chain(true);
    double worst = 0;
    for (int i = 0; i < 120; ++i) {
        first->tick();
        second->tick();
        for (std::size_t m = 0; m < forward.size(); ++m) {
            worst = std::max(worst, static_cast<double>((forward[m]->getWorldTransform().getOrigin() -
                                                         backward[m]->getWorldTransform().getOrigin())
                                                            .length()));
        }
    }
    CHECK(static_cast<double>(forward[5]->getLinearVelocity().x()) > 1);  // the push has gone through
    CHECK(worst < byPrecision(1e-9, 1e-6));
}
