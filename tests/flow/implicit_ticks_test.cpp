// Who takes implicit ticks, and what stays of the motion in them.

#include <catch2/catch.hpp>

#include <elasto/flow.h>

#include <cmath>
#include <limits>

#include "body_energy.h"
#include "contact_scenes.h"

namespace implicit_ticks_test {

using namespace elasto;
using namespace elasto::test;
using Eigen::Vector3d;

namespace {

constexpr double kTick = 1. / 60;
const Vector3d kHalf(0.2, 0.1, 0.2);

/// A stack of boxes on the floor, the lowest with a gap of its own between it and the floor.
FlowNetwork stack(int boxes, double height, double c) {
    FlowNetwork network;
    for (int i = 0; i < boxes; ++i) {
        network.bodies.push_back(solidBox(1, kHalf, {0, height + 0.1 + 0.2 * i, 0}));
        if (i > 0) addCorners(network, i, kHalf, i - 1, 0.1, 0.5);
    }
    addGap(network, ElastoGapLaw({.c = c, .d = 0}), kWorld, Vector3d::Zero(), 0, {0, -0.1, 0}, Vector3d::UnitY());
    return network;
}

double energyOf(const FlowNetwork& network) {
    double energy = 0;
    for (const FlowBody& body : network.bodies) {
        energy += kineticEnergy(body) + kContactGravity / body.inverseMass * body.position.y();
    }
    return energy;
}

}  // namespace

TEST_CASE("what is too much for the exact method takes implicit ticks, for longer each time", "[flow][implicit]") {
    FlowNetwork network = stack(4, 0.3, 1e4);
    FlowSettings few;
    few.maxSteps = 1;
    int tried = 0, implicit = 0;
    double longest = 0;
    for (int i = 0; i < 300; ++i) {
        const TickResult tick = solveTick(network, kTick, few);
        tried += tick.overBudget ? 1 : 0;
        implicit += tick.method == FlowMethod::Implicit ? 1 : 0;
        CHECK((tick.method == FlowMethod::Implicit) == (tick.substeps > 0));
        for (const ElementTick& element : tick.elements) longest = std::max(longest, element.pause.length);
        network.adopt(tick);
    }
    CHECK(implicit > 280);
    CHECK(tried > 5);
    CHECK(tried < 12);  // 1, 2, 4 ... 60 ticks apart
    CHECK(longest == Approx(1));
}

TEST_CASE("implicit ticks keep the rebound of a stack from an undamped stop", "[flow][implicit]") {
    const double c = GENERATE(1e4, 1e6);
    const int boxes = GENERATE(2, 3);
    FlowNetwork network = stack(boxes, 0.3, c);
    FlowSettings settings;
    settings.accuracy = Accuracy::Implicit;
    settings.fewestSubsteps = GENERATE(4, 16);
    const double start = energyOf(network);
    double stored = 0;
    bool hasTouched = false;
    for (int i = 0; i < 120; ++i) {
        const TickResult tick = solveTick(network, kTick, settings);
        CHECK_FALSE(tick.overBudget);
        network.adopt(tick);
        stored = tick.elements[0].storedEnergy;
        hasTouched = hasTouched || stored > 0;
        if (hasTouched && stored == 0 && network.bodies[0].velocity.y() > 0) break;
    }
    CAPTURE(c, boxes, settings.fewestSubsteps, energyOf(network) / start);
    REQUIRE(hasTouched);
    CHECK(energyOf(network) <= start * (1 + 1e-9));
    CHECK(energyOf(network) > 0.99 * start);
}

TEST_CASE("a box that friction holds on a slope stays there in implicit ticks", "[flow][implicit]") {
    const double lean = 0.3;
    FlowNetwork network;
    network.bodies.push_back(solidBox(1, kHalf, {0, 0.1, 0}));
    network.bodies[0].force.constant = kContactGravity * Vector3d(std::sin(lean), -std::cos(lean), 0);
    addCorners(network, 0, kHalf, kWorld, 0, 0.5);
    addGap(network, ElastoGapLaw({.c = 1e4, .d = 0}), kWorld, Vector3d(10, 0, 0), 0, Vector3d::Zero(),
           -Vector3d::UnitX());
    network.elements[0].law = ElastoGapLaw({.c = 1e4, .d = 0, .s_rel0 = -100});
    FlowSettings settings;
    settings.accuracy = Accuracy::Implicit;
    for (int i = 0; i < 600; ++i) network.adopt(solveTick(network, kTick, settings));
    CHECK(network.bodies[0].position.norm() == Approx(0.1).margin(1e-4));
    CHECK(network.bodies[0].velocity.isZero());
}

TEST_CASE("a hard stop with little damping throws a mass off in implicit ticks that touch nothing", "[flow][implicit]") {
    // Within a sub-step the damper takes the rate several times over, but the mass leaves before that.
    constexpr double kStiffness = 1e7, kDampingRatio = 0.1;
    FlowNetwork network;
    for (const double mass : {1., 100.}) {
        network.bodies.push_back(solidBox(mass, kHalf, {0, network.bodies.empty() ? 0.05 : 1, 0}));
    }
    const auto gapOf = [&](double s_rel0) {
        return ElastoGapLaw({.c = kStiffness, .d = 2 * kDampingRatio * std::sqrt(kStiffness), .s_rel0 = s_rel0});
    };
    addGap(network, gapOf(0), kWorld, Vector3d::Zero(), 0, Vector3d::Zero(), Vector3d::UnitY());
    addGap(network, gapOf(0.9), 0, Vector3d::Zero(), 1, Vector3d::Zero(), Vector3d::UnitY());
    FlowSettings few;
    few.maxSteps = 1;
    few.accuracy = Accuracy::Implicit;
    int implicit = 0;
    double highest = 0, lowest = 1;
    bool isThrown = false;
    for (int i = 0; i < 60; ++i) {
        const TickResult tick = solveTick(network, kTick, few);
        implicit += tick.method == FlowMethod::Implicit ? 1 : 0;
        network.adopt(tick);
        const double speed = network.bodies[1].velocity.y();
        isThrown = isThrown || speed > 0;
        (isThrown ? highest : lowest) = isThrown ? std::max(highest, speed) : std::min(lowest, speed);
    }
    CAPTURE(lowest, highest);
    CHECK(implicit > 2);
    // Of each of the two gaps exp(-pi D / sqrt(1 - D^2)) is left, of both in series about as much.
    CHECK(highest > 0.5 * -lowest);
}

TEST_CASE("a contact whose creep is not finite is refused by name", "[flow][implicit]") {
    FlowNetwork network = stack(2, 0.3, 1e4);
    network.contacts[1].creep.y() = std::numeric_limits<double>::quiet_NaN();
    CHECK_THROWS_WITH(solveTick(network, kTick), Catch::Contains("creep"));
}

}  // namespace implicit_ticks_test
