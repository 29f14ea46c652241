// What a tick may cost is known before it is solved, and less with a smaller budget.

#include "contact_scenes.h"
#include "random_bodies.h"

#include <catch2/catch.hpp>

#include <algorithm>
#include <limits>
#include <vector>

namespace bound_test {

using namespace elasto;
using namespace elasto::test;
using Eigen::Vector3d;

namespace {

constexpr double kTick = 1. / 60;

/// Boxes on a floor beside each other, tumbling, on gaps.
FlowNetwork boxes(unsigned long seed) {
    RandomNumbers random(seed);
    const auto vector = [&](double size) -> Vector3d {
        return {random.uniform(-size, size), random.uniform(-size, size), random.uniform(-size, size)};
    };
    const Vector3d half(0.5, 0.5, 0.5);
    FlowNetwork network;
    const int count = 1 + random.below(8);
    for (int i = 0; i < count; ++i) {
        network.bodies.push_back(solidBox(random.logarithmic(-1, 1), half, {1.1 * i, 0.5, 0}));
        network.bodies.back().velocity = vector(3);
        network.bodies.back().angularVelocity = vector(3);
        addCorners(network, i, half, kWorld, 0, 0.5);
        const ElastoGapLaw law({.c = random.logarithmic(4, 8), .d = random.chance(0.5) ? 0 : random.logarithmic(0, 3)});
        const Vector3d arm = vector(0.5), point = network.bodies.back().position + arm;
        addGap(network, law, i, arm, random.below(i + 1) - 1, point + vector(0.1), vector(1).normalized());
    }
    return network;
}

FlowNetwork scene(unsigned long seed) {
    if (seed % 2 == 0) return boxes(seed);
    RandomBodies sample = randomBodies(seed);
    RandomNumbers random(seed);
    addRandomJoints(random, sample);
    return sample.network;
}

struct Spent {
    double cost = 0;   ///< of all ticks
    double bound = 0;  ///< largest
};

Spent run(FlowNetwork network, double maxCost) {
    FlowSettings settings;
    settings.maxCost = maxCost;
    Spent spent;
    FlowWorkspace workspace;
    TickResult tick;
    for (int i = 0; i < 60; ++i) {
        solveTick(network, kTick, settings, workspace, tick);
        REQUIRE(tick.cost > 0);
        REQUIRE(tick.cost <= tick.mostCost * (1 + 1e-9));
        spent.cost += tick.cost;
        spent.bound = std::max(spent.bound, tick.mostCost);
        network.adopt(tick);
    }
    return spent;
}

}  // namespace

TEST_CASE("no tick costs more than is said before it, and a smaller budget never allows more", "[flow]") {
    std::vector<double> total;
    for (unsigned long seed = 0; seed < 20; ++seed) {
        double last = std::numeric_limits<double>::infinity();
        std::size_t k = 0;
        for (const double budget : {std::numeric_limits<double>::infinity(), 1e4, 3e3, 1e3, 300., 100., 1e-3}) {
            CAPTURE(seed, budget);
            const Spent spent = run(scene(seed), budget);
            CHECK(spent.bound <= last * (1 + 1e-9));
            last = spent.bound;
            if (total.size() == k) total.push_back(0);
            total[k++] += spent.cost;
        }
    }
    // One scene may cost more, by an attempt that a smaller budget ends; all of them together never do.
    CHECK(std::is_sorted(total.rbegin(), total.rend()));
    CHECK(total.front() > 10 * total.back());
}

}  // namespace bound_test
