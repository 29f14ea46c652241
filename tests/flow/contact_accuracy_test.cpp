// Contacts where accuracy is hard to come by: any stiffness, any ratio of masses, bodies that tip on each other.

#include "contact_scenes.h"
#include "random_numbers.h"

#include <elasto/flow.h>

#include <catch2/catch.hpp>

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

namespace contact_accuracy_test {

using namespace elasto;
using namespace elasto::test;
using Eigen::Vector3d;

namespace {

const Vector3d kHalf(0.5, 0.5, 0.5);

/// Force of an element over each of some ticks.
struct Ripple {
    double least = 1e300, most = -1e300, sum = 0;
    int count = 0;

    void add(double value) {
        least = std::min(least, value);
        most = std::max(most, value);
        sum += value;
        ++count;
    }
    double mean() const { return sum / count; }
    double relative() const { return (most - least) / mean(); }
};

Ripple pressing(FlowNetwork& network, double hz, int ticks) {
    Ripple force;
    for (int i = 0; i < ticks; ++i) {
        const TickResult tick = solveTick(network, 1 / hz);
        REQUIRE_FALSE(tick.overBudget);
        network.adopt(tick);
        force.add(-tick.elements[0].impulse * hz);
    }
    return force;
}

}  // namespace

TEST_CASE("a press holds its force whatever its spring, damper, friction and rate", "[flow][contacts]") {
    const double hz = GENERATE(60., 240.);
    const double c = GENERATE(1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9);
    const double d = GENERATE(0., 100.);
    const double friction = GENERATE(0., 0.5);
    CAPTURE(hz, c, d, friction);
    FlowNetwork network;
    network.bodies.push_back(solidBox(1, kHalf, {0, 0.5, 0}));
    addCorners(network, 0, kHalf, kWorld, 0, friction);
    addGap(network, ElastoGapLaw({.c = c, .d = d}), 0, {0, 0.5, 0}, kWorld, {0, 1 - 100 / c, 0}, Vector3d::UnitY());
    const Ripple force = pressing(network, hz, 30);
    // Coordinates of 1 m are known to some 1e-16 m, and lose as much in every tick.
    const double rounding = 1e-14 * c / 100;
    CHECK(std::abs(force.mean() / 100 - 1) < 1e-9 + rounding);
    CHECK(force.relative() < 1e-9 + rounding);
}

TEST_CASE("a load presses a box through a gap", "[flow][contacts]") {
    const double hz = GENERATE(60., 240.);
    const double c = GENERATE(1e3, 1e5, 1e8);
    CAPTURE(hz, c);
    FlowNetwork network;
    network.bodies.push_back(solidBox(1, kHalf, {0, 0.5, 0}));
    addCorners(network, 0, kHalf, kWorld, 0, 0.5);
    FlowBody plunger = FlowBody::sphere(1, 0.1);
    plunger.force.constant = {0, -100, 0};
    plunger.position = {0, 1 - 100 / c, 0};  // in equilibrium
    network.bodies.push_back(plunger);
    addGap(network, ElastoGapLaw({.c = c, .d = 10}), 0, {0, 0.5, 0}, 1, {0, 0, 0}, Vector3d::UnitY());
    const Ripple force = pressing(network, hz, 60);
    CHECK(force.mean() == Approx(100).epsilon(1e-6));
    CHECK(force.relative() < 1e-5);
}

TEST_CASE("stacks of light and heavy boxes stand under a press of any stiffness", "[flow][contacts]") {
    const double ratio = GENERATE(1e2, 1e4);
    const double c = GENERATE(1e5, 1e9);
    const int heavy = GENERATE(0, 1);
    CAPTURE(ratio, c, heavy);
    FlowNetwork network;
    for (int i = 0; i < 5; ++i) {
        network.bodies.push_back(solidBox(i % 2 == heavy ? ratio : 1, kHalf, {0.02 * i, 0.5 + i, 0}));
        addCorners(network, i, kHalf, i - 1, i == 0 ? 0 : 0.5, 0.5);
    }
    const FlowNetwork start = network;
    addGap(network, ElastoGapLaw({.c = c, .d = 10}), 4, {0, 0.5, 0}, kWorld, {0.08, 5 - 1000 / c, 0},
           Vector3d::UnitY());
    const Ripple force = pressing(network, 60, 120);
    CHECK(force.mean() == Approx(1000).epsilon(1e-6));
    CHECK(force.relative() < 1e-6);
    for (std::size_t i = 0; i < 5; ++i) {
        CHECK((network.bodies[i].position - start.bodies[i].position).norm() < 1e-10);
    }
}

namespace {

// A crate on another one that falls on a stop, 0.3 m off its centre: both tip as they rebound.
FlowNetwork leaningCrates(double c, double d) {
    FlowNetwork network;
    network.bodies.push_back(solidBox(1, kHalf, {0, 1.5, 0}));
    network.bodies.push_back(solidBox(1, kHalf, {0.3, 2.5, 0}));
    // Where the upper one's face ends and where the lower one's does.
    for (const double z : {-0.5, 0.5}) {
        for (const bool upper : {true, false}) {
            FlowContact contact;
            contact.a = 1;
            contact.b = 0;
            contact.isVertexOnA = upper;
            contact.vertex = upper ? Vector3d(-0.5, -0.5, z) : Vector3d(0.5, 0.5, z);
            contact.planePoint = {0, upper ? 0.5 : -0.5, 0};
            contact.friction = 0.5;
            network.contacts.push_back(contact);
        }
    }
    addGap(network, ElastoGapLaw({.c = c, .d = d}), kWorld, {0, 0.5, 0}, 0, {0, 0, 0}, Vector3d::UnitY());
    return network;
}

/// Heights of both at 60 Hz.
std::vector<double> heights(FlowNetwork network, int hz, double duration) {
    std::vector<double> heights;
    for (int i = 1; i <= static_cast<int>(duration * hz); ++i) {
        network.adopt(solveTick(network, 1. / hz));
        if (i % (hz / 60) != 0) continue;
        for (const FlowBody& body : network.bodies) heights.push_back(body.position.y());
    }
    return heights;
}

}  // namespace

TEST_CASE("crates that tip on each other end where short ticks say", "[flow][contacts][slow]") {
    const double c = GENERATE(1e4, 1e6);
    const double d = GENERATE(0., 50.);
    const FlowNetwork network = leaningCrates(c, d);
    const std::vector<double> oracle = heights(network, 15360, 0.6);
    const auto [least, most] = std::minmax_element(oracle.begin(), oracle.end());
    for (const auto& [hz, limit] : {std::pair(60, 3e-3), std::pair(240, 3e-4)}) {
        CAPTURE(c, d, hz);
        const std::vector<double> found = heights(network, hz, 0.6);
        double sum = 0;
        for (std::size_t i = 0; i < oracle.size(); ++i) sum += (found[i] - oracle[i]) * (found[i] - oracle[i]);
        const double error = std::sqrt(sum / static_cast<double>(oracle.size())) / (*most - *least);
        CHECK(error < limit);
    }
}

TEST_CASE("crates that tip fit into their budget though their poses are rounded", "[flow][contacts]") {
    // As single precision has them: corners hit in turn, ever faster, and what holds the crates together ends in the
    // same moment as the gap does.
    const double c = GENERATE(1e4, 1e5, 1e6);
    const double d = GENERATE(0., 50.);
    const double hz = GENERATE(60., 120., 240.);
    for (unsigned seed = 1; seed <= 5; ++seed) {
        RandomNumbers random(seed);
        const auto rounding = [&] { return random.uniform(-3e-8, 3e-8); };
        FlowNetwork network = leaningCrates(c, d);
        for (FlowBody& body : network.bodies) {
            body.position.y() -= 0.98;
            body.velocity.y() = -2.4;
        }
        for (int i = 1; i <= 0.1 * hz; ++i) {
            for (FlowBody& body : network.bodies) {
                body.position += Vector3d(rounding(), rounding(), rounding());
                body.orientation = Eigen::AngleAxisd(rounding(), Vector3d::UnitZ()) * body.orientation;
            }
            CAPTURE(c, d, hz, seed, i);
            const TickResult tick = solveTick(network, 1 / hz);
            REQUIRE_FALSE(tick.overBudget);
            network.adopt(tick);
        }
    }
}

TEST_CASE("crates that were set turning together part in the air", "[flow][contacts]") {
    // One body until nothing presses them together any more: then the lower one would have to pull the upper one round.
    const double hz = GENERATE(60., 240.);
    FlowNetwork network = leaningCrates(1e4, 0);
    const Vector3d turning(0, 0, -1.5);
    const Vector3d centre = (network.bodies[0].position + network.bodies[1].position) / 2;
    for (FlowBody& body : network.bodies) {
        body.velocity = turning.cross(body.position - centre);
        body.angularVelocity = turning;
    }
    const FlowNetwork start = network;
    const double duration = 0.1;
    for (int i = 0; i < std::lround(duration * hz); ++i) {
        const TickResult tick = solveTick(network, 1 / hz);
        CHECK_FALSE(tick.overBudget);
        for (const ContactTick& contact : tick.contacts) CHECK(std::abs(contact.impulse) < 1e-12);
        network.adopt(tick);
    }
    for (std::size_t i = 0; i < 2; ++i) {
        const BodyState& from = start.bodies[i];
        const Vector3d fall(0, -kContactGravity * duration * duration / 2, 0);
        CHECK((network.bodies[i].position - from.position - duration * from.velocity - fall).norm() < 1e-9);
        CHECK((network.bodies[i].angularVelocity - turning).norm() < 1e-9);
    }
}

}  // namespace contact_accuracy_test
