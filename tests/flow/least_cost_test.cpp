// TickResult::leastCost: with any budget from it on a tick is the same, bit for bit.

#include <elasto/flow.h>
#include <elasto/flow_tree.h>

#include <catch2/catch.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "contact_scenes.h"
#include "random_bodies.h"

using namespace elasto;
using namespace elasto::test;

namespace {

void add(std::vector<double>& values, const Eigen::Vector3d& v) {
    values.insert(values.end(), v.data(), v.data() + 3);
}

void add(std::vector<double>& values, const ElementTick& element) {
    values.insert(values.end(), {element.s, element.v, element.s_damper, element.force.f, element.impulse, element.heat,
                                 element.storedEnergy});
}

template <class Result>
void addSums(std::vector<double>& values, const Result& tick) {
    for (const ContactEvent& event : tick.events) values.insert(values.end(), {event.time, event.speed});
    for (const BoundedTick& row : tick.bounded) values.insert(values.end(), {row.coordinate, row.rate, row.impulse});
    values.insert(values.end(), {static_cast<double>(tick.method), 1. * tick.steps, 1. * tick.overBudget, tick.cost,
                                 tick.energyHandedOut, tick.energyRepaired});
}

std::vector<double> valuesOf(const TickResult& tick) {
    std::vector<double> values;
    for (const BodyTick& body : tick.bodies) {
        for (const Eigen::Vector3d& v : {body.position, body.velocity, body.angularVelocity}) add(values, v);
        values.insert(values.end(), body.orientation.coeffs().data(), body.orientation.coeffs().data() + 4);
    }
    for (const ElementTick& element : tick.elements) add(values, element);
    for (const ContactTick& contact : tick.contacts) values.push_back(contact.impulse);
    addSums(values, tick);
    return values;
}

std::vector<double> valuesOf(const TreeTickResult& tick) {
    std::vector<double> values;
    for (const TreeTick& tree : tick.trees) {
        for (const TreeJointState& link : tree.links) values.insert(values.end(), {link.q, link.qd});
        for (const TreeRotorState& rotor : tree.rotors) values.insert(values.end(), {rotor.phi, rotor.w});
        add(values, tree.base.position);
    }
    for (const ElementTick& element : tick.elements) add(values, element);
    addSums(values, tick);
    return values;
}

/// What ticks of one network have met.
struct Seen {
    int isLess = 0;     ///< less than the budget would have done
    int isBinding = 0;  ///< less would have made another tick, and it does
};

/// @param tick solves the network's tick with a maxCost
template <class Tick>
void check(const Tick& tick, Seen& seen) {
    const auto free = tick(std::numeric_limits<double>::infinity());
    REQUIRE(std::isfinite(free.leastCost));
    for (const double budget : {1e300, 4 * free.cost + 10, 1.5 * free.cost + 1, free.cost / 2 + 1e-3}) {
        const auto given = tick(budget);
        CAPTURE(budget, given.leastCost, given.cost);
        REQUIRE(given.leastCost >= 0);
        REQUIRE(given.leastCost <= budget);
        const std::vector<double> expected = valuesOf(given);
        const double least = std::max(given.leastCost, std::numeric_limits<double>::min());
        for (const double less : {least, least + 0.3 * (std::min(budget, 1e9) - least)}) {
            if (!(less >= least)) continue;
            CAPTURE(less);
            REQUIRE(valuesOf(tick(less)) == expected);
        }
        seen.isLess += least < budget;
        seen.isBinding += least > 1e-3 && valuesOf(tick(least / 50)) != expected;
    }
}

}  // namespace

TEST_CASE("bodies' ticks tell the least budget that gives the same bits", "[flow][slow]") {
    Seen seen;
    for (unsigned long seed = 1; seed <= 25; ++seed) {
        RandomNumbers random(seed);
        RandomBodies sample = randomBodies(seed);
        if (seed % 2 == 0) addRandomJoints(random, sample);
        CAPTURE(seed, sample.text);
        check(
            [&](double budget) {
                FlowSettings settings;
                settings.maxSteps = seed % 3 == 0 ? 300 : 60;
                settings.maxCost = budget;
                return solveTick(sample.network, sample.h, settings);
            },
            seen);
    }
    CHECK(seen.isLess > 30);
    CHECK(seen.isBinding > 30);
}

TEST_CASE("ticks with contacts tell the least budget that gives the same bits", "[flow]") {
    const Eigen::Vector3d half(0.5, 0.5, 0.5);
    FlowNetwork network;
    for (int i = 0; i < 3; ++i) {
        network.bodies.push_back(solidBox(1, half, {0.1 * i, 0.5 + i, 0}));
        network.bodies.back().velocity = {0.3, -1 - 0.1 * i, 0};
        addCorners(network, i, half, i - 1, i > 0 ? 0.5 : 0, 0.4);
    }
    addGap(network, ElastoGapLaw({.c = 1e4, .d = 1, .s_rel0 = 0.1}), kWorld, {0, 3.05, 0}, 2, {0, 0.5, 0}, {0, -1, 0});
    Seen seen;
    check(
        [&](double budget) {
            FlowSettings settings;
            settings.maxCost = budget;
            return solveTick(network, 1. / 60, settings);
        },
        seen);
    CHECK(seen.isLess >= 1);
    CHECK(seen.isBinding >= 1);
}

TEST_CASE("trees' ticks tell the least budget that gives the same bits", "[flow][tree]") {
    Seen seen;
    RandomNumbers random(7);
    for (int i = 0; i < 30; ++i) {
        TreeNetwork network;
        FlowTree& arm = network.trees.emplace_back();
        for (int k = 0; k < 1 + i % 4; ++k) {
            TreeLink& link = arm.links.emplace_back();
            link.parent = k - 1;
            link.pivot = {k > 0 ? 1. : 0., 0, 0};
            link.centerOfMass = {0.5, 0, 0};
            link.mass = 1;
            link.inertia = Eigen::Vector3d(1e-3, 1. / 12, 1. / 12).asDiagonal();
            link.force.constant = {0, -9.80665, 0};
            link.qd = random.uniform(-8, 8);
            TreeElement stop{ElastoGapLaw({.c = random.logarithmic(2, 7),
                                           .d = random.chance(0.3) ? 0 : random.logarithmic(-1, 4),
                                           .s_rel0 = random.uniform(-0.05, 0.05)})};
            stop.terms = {TreeTerm::joint(0, k)};
            network.elements.push_back(stop);
        }
        CAPTURE(i);
        check(
            [&](double budget) {
                FlowSettings settings;
                settings.maxCost = budget;
                return solveTreeTick(network, 1. / 60, settings);
            },
            seen);
    }
    CHECK(seen.isLess > 40);
    CHECK(seen.isBinding > 40);
}
