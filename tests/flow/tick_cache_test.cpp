// What stands still: it ends where it began, to the last bit, and is solved once.

#include "tick_cache.h"

#include <catch2/catch.hpp>

#include <cmath>
#include <functional>
#include <limits>
#include <vector>

#include "contact_scenes.h"

using namespace elasto;
using Eigen::Vector3d;
using elasto::flow::TickCache;
using elasto::test::addCorners;
using elasto::test::addGap;
using elasto::test::solidBox;

namespace {

constexpr double kTick = 1.0 / 60;
/// Ticks after which a pressed stack stands.
constexpr int kStanding = 60;

/// Boxes of 1 kg, none exactly over the other, the uppermost one pressed down with about 1 kN.
FlowNetwork pressedStack(int boxes) {
    const Vector3d half(0.5, 0.5, 0.5);
    FlowNetwork network;
    for (int i = 0; i < boxes; ++i) {
        network.bodies.push_back(solidBox(1, half, {0.013 * (i % 3), 0.5 + i, -0.017 * (i % 2)}));
        addCorners(network, i, half, i - 1, i > 0 ? 0.5 : 0, 0.5);
    }
    addGap(network, ElastoGapLaw({.c = 1e6, .d = 100, .s_rel0 = 1e-3}), kWorld, {0.01, 1. * boxes, 0}, boxes - 1,
           {0, 0.5, 0}, {0, -1, 0});
    return network;
}

FlowNetwork standingStack(int boxes) {
    FlowNetwork network = pressedStack(boxes);
    for (int i = 0; i < kStanding; ++i) network.adopt(solveTick(network, kTick));
    return network;
}

/// One of everything; it need not make sense.
FlowNetwork oneOfEverything() {
    FlowNetwork network;
    network.bodies.resize(2);
    network.elements.push_back(FlowElement{ElastoGapLaw({.c = 1, .d = 2})});
    network.elements.push_back(FlowElement{SpringDamperLaw({.c = 1, .d = 2})});
    network.elements.push_back(FlowElement{ElastoBacklashLaw({.c = 1, .d = 2})});
    network.elements.push_back(FlowElement{SpringDamperSeriesLaw({.c = 1, .d = 2})});
    network.elements[0].geared.ratio = 2;
    network.joints.resize(1);
    network.bounded.resize(1);
    network.contacts.resize(1);
    return network;
}

void more(double& value) {
    value = std::nextafter(value, std::numeric_limits<double>::infinity());
}

void requireSame(const TickResult& one, const TickResult& other) {
    REQUIRE(one.bodies.size() == other.bodies.size());
    for (std::size_t i = 0; i < one.bodies.size(); ++i) {
        REQUIRE(one.bodies[i].position == other.bodies[i].position);
        REQUIRE(one.bodies[i].orientation.coeffs() == other.bodies[i].orientation.coeffs());
        REQUIRE(one.bodies[i].velocity == other.bodies[i].velocity);
        REQUIRE(one.bodies[i].angularVelocity == other.bodies[i].angularVelocity);
    }
    REQUIRE(one.elements[0].impulse == other.elements[0].impulse);
    REQUIRE(one.contacts.size() == other.contacts.size());
    for (std::size_t i = 0; i < one.contacts.size(); ++i) {
        REQUIRE(one.contacts[i].impulse == other.contacts[i].impulse);
        REQUIRE(one.contacts[i].frictionImpulse == other.contacts[i].frictionImpulse);
    }
    REQUIRE(one.cost == other.cost);
    REQUIRE(one.leastCost == other.leastCost);
    REQUIRE(one.contactLoss == other.contactLoss);
}

}  // namespace

TEST_CASE("networks that differ in the last bit of any part are others", "[flow][steady]") {
    const FlowNetwork network = oneOfEverything();
    REQUIRE(network == FlowNetwork(network));
    const std::vector<std::function<void(FlowNetwork&)>> changes{
        [](FlowNetwork& other) { other.bodies.emplace_back(); },
        [](FlowNetwork& other) { more(other.bodies[1].position.y()); },
        [](FlowNetwork& other) { more(other.bodies[1].orientation.z()); },
        [](FlowNetwork& other) { more(other.bodies[1].force.quadratic.x()); },
        [](FlowNetwork& other) { other.elements[0].law = SpringDamperLaw({.c = 1, .d = 2}); },
        [](FlowNetwork& other) { other.elements[0].law = ElastoGapLaw({.c = 1, .d = 2, .s_ref = 2}); },
        [](FlowNetwork& other) {
            other.elements[2].law =
                ElastoBacklashLaw({.c = 1, .d = 2, .characteristic = BacklashCharacteristic::NoPull});
        },
        [](FlowNetwork& other) {
            other.elements[3].law = SpringDamperSeriesLaw({.c = 1, .d = 2, .s_damper_start = 0.5});
        },
        [](FlowNetwork& other) { more(other.elements[0].geared.phi); },
        [](FlowNetwork& other) { other.elements[1].pause.left = 0.1; },
        [](FlowNetwork& other) { more(other.joints[0].ratio); },
        [](FlowNetwork& other) { more(other.bounded[0].spans.y()); },
        [](FlowNetwork& other) { more(other.contacts[0].creep.z()); },
        [](FlowNetwork& other) { other.changes.emplace_back(); },
        [](FlowNetwork& other) { other.bodies[0].velocity.x() = std::numeric_limits<double>::quiet_NaN(); },
    };
    for (std::size_t i = 0; i < changes.size(); ++i) {
        FlowNetwork changed = network;
        changes[i](changed);
        CAPTURE(i);
        CHECK_FALSE(changed == network);
    }
    FlowNetwork zero = network;
    zero.bodies[1].velocity.x() = -0.;
    CHECK(zero == network);
    CHECK_FALSE(FlowSettings{.strongDamping = 31} == FlowSettings{});
}

TEST_CASE("what stands is recalled with any budget that it would do with, and solved with less", "[flow][steady]") {
    const FlowNetwork network = standingStack(3);
    FlowWorkspace workspace;
    TickResult stood, again;
    FlowNetwork now = network;
    for (int i = 0; i < 10; ++i) {
        solveTick(now, kTick, {.maxCost = 1e6}, workspace, stood);
        now.adopt(stood);
    }
    REQUIRE(stood.leastCost < 1e5);
    flow::TickCache steady;
    steady.note(now, kTick, {.maxCost = 1e6}, stood);
    CHECK(steady.recall(now, kTick, {.maxCost = 1e5}, again));
    CHECK(steady.recall(now, kTick, {.maxCost = 1e7}, again));
    CHECK(steady.recall(now, kTick, {.maxCost = stood.leastCost}, again));
    CHECK_FALSE(steady.recall(now, kTick, {.maxCost = 0.9 * stood.leastCost}, again));
    // One that its budget has cut short is another one with more of it.
    stood.leastCost = 1e6;
    steady.note(now, kTick, {.maxCost = 1e6}, stood);
    CHECK_FALSE(steady.recall(now, kTick, {.maxCost = 1e7}, again));
}

TEST_CASE("a pressed stack stands where it stood, to the last bit", "[flow][steady]") {
    for (const int boxes : {1, 5, 15}) {
        CAPTURE(boxes);
        FlowNetwork network = standingStack(boxes);
        const FlowNetwork stood = network;
        REQUIRE(std::abs(solveTick(network, kTick).elements[0].force.f) > 900);
        for (int i = 0; i < 600; ++i) network.adopt(solveTick(network, kTick));
        CHECK(network == stood);
    }
}

TEST_CASE("what stands is solved once, as long as nothing changes", "[flow][steady]") {
    const FlowNetwork network = standingStack(5);
    const TickResult result = solveTick(network, kTick);
    TickCache steady;
    TickResult recalled;
    CHECK_FALSE(steady.recall(network, kTick, {}, recalled));
    steady.note(network, kTick, {}, result);
    REQUIRE(steady.recall(network, kTick, {}, recalled));
    requireSame(recalled, result);

    FlowNetwork changed = network;
    more(changed.bodies[4].force.constant.x());
    CHECK_FALSE(steady.recall(changed, kTick, {}, recalled));
    changed = network;
    changed.contacts.pop_back();
    CHECK_FALSE(steady.recall(changed, kTick, {}, recalled));
    CHECK_FALSE(steady.recall(network, kTick / 2, {}, recalled));
    CHECK(steady.recall(network, kTick, {}, recalled));

    FlowNetwork moving = network;
    moving.bodies[4].velocity = {0.1, 0, 0};
    steady.note(moving, kTick, {}, solveTick(moving, kTick));
    CHECK_FALSE(steady.recall(moving, kTick, {}, recalled));
    CHECK_FALSE(steady.recall(network, kTick, {}, recalled));
}

TEST_CASE("workspaces find a stack that stands as it would be without them", "[flow][steady]") {
    FlowNetwork network = pressedStack(3);
    FlowWorkspace workspace;
    TickResult result;
    for (int i = 0; i < 3 * kStanding; ++i) {
        if (i == 2 * kStanding) network.bodies[1].force.constant.x() = 1e-9;
        if (i == 2 * kStanding + 20) network.bodies[2].force.constant.y() += 300;
        solveTick(network, kTick, {}, workspace, result);
        requireSame(result, solveTick(network, kTick));
        network.adopt(result);
    }
}

TEST_CASE("what creeps under a small force is not taken for standing", "[flow][steady]") {
    // Without gravity, and next to a wall that it does not touch.
    FlowNetwork network;
    network.bodies.push_back(FlowBody::rigid(1, {0.1, 0.1, 0.1}));
    network.bodies[0].force.constant = {1e-9, 0, 0};
    FlowContact wall;
    wall.a = 0;
    wall.planePoint = {-1, 0, 0};
    wall.normal = {1, 0, 0};
    network.contacts.push_back(wall);
    for (int i = 0; i < 60; ++i) network.adopt(solveTick(network, kTick));
    CHECK(network.bodies[0].velocity.x() == Approx(1e-9).epsilon(1e-6));
    CHECK(network.bodies[0].position.x() == Approx(0.5e-9).epsilon(1e-6));
}

TEST_CASE("a light body under a large force does not keep others standing", "[flow][steady]") {
    const Vector3d half(0.1, 0.1, 0.1);
    FlowNetwork network;
    network.bodies.push_back(solidBox(1e-3, half, {0, 0.1, 0}));
    network.bodies[0].force.constant = {0, -1e5, 0};
    network.bodies.push_back(solidBox(1, half, {1, 0.1, 0}));
    for (int i = 0; i < 2; ++i) addCorners(network, i, half, kWorld, 0, 0);
    network.elements.push_back(FlowElement{SpringDamperLaw({.c = 1e-12, .d = 0})});
    network.elements[0].a = 0;
    network.elements[0].b = 1;
    network.elements[0].axis = Vector3d::UnitX();
    for (int i = 0; i < 60; ++i) network.adopt(solveTick(network, kTick));
    network.bodies[1].force.constant += Vector3d(1e-5, 0, 0);
    for (int i = 0; i < 60; ++i) network.adopt(solveTick(network, kTick));
    CHECK(network.bodies[1].velocity.x() == Approx(1e-5).epsilon(1e-3));
}
