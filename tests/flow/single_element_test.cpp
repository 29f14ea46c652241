// One body with one element to the world: the short way gives what solveTick gives.

#include <elasto/detail/straight_element.h>

#include <catch2/catch.hpp>

#include <array>
#include <cmath>
#include <limits>

#include "random_bodies.h"

using namespace elasto;
using namespace elasto::test;

namespace {

SingleElement viewOf(const FlowElement& element) {
    return {element.law,    element.geometry, element.a != kWorld, element.pointA,   element.pointB, element.axis,
            element.frameA, element.frameB,   element.s_small,     element.s_damper, element.phi};
}

struct Outcome {
    bool isKnown = false;
    SingleTick tick;
    std::vector<ContactEvent> events;
};

Outcome solveShortly(const FlowNetwork& network, double h) {
    Outcome outcome;
    outcome.isKnown = solveSingle(network.bodies[0], viewOf(network.elements[0]), h, outcome.tick, outcome.events);
    return outcome;
}

/// Bodies and directions that tend to keep still, each of which may not.
FlowNetwork randomPair(RandomNumbers& random, std::string& text) {
    FlowNetwork network;
    FlowBody body = randomBody(random, {0, random.chance(0.7) ? -9.80665 : 0, 0});
    const bool isUpright = random.chance(0.6);
    if (isUpright) body.orientation.setIdentity();
    if (random.chance(0.5)) body.inverseInertia.setConstant(body.inverseInertia.maxCoeff());
    if (random.chance(0.2)) body.linearFactor = {0, 1, 0};
    if (random.chance(0.1)) body.angularFactor = {0, 1, 0};
    if (random.chance(0.1)) body.gyroscopic = false;
    FlowElement element{randomAnyLaw(random, text)};
    element.geometry = static_cast<Geometry>(random.below(3));
    (random.chance(0.5) ? element.a : element.b) = 0;
    const Eigen::Vector3d axis =
        random.chance(0.5) ? Eigen::Vector3d::UnitY() : Eigen::Vector3d(randomVector(random, 1).normalized());
    element.axis = axis;
    element.frameA = frameAlong(axis);
    element.frameB = random.chance(0.5) ? element.frameA : randomRotation(random);
    (element.a == 0 ? element.pointB : element.pointA) = randomVector(random, 1);
    if (random.chance(0.6)) {
        // The body's end of the element in line with its centre: no lever.
        const double along = random.chance(0.5) ? 0 : random.uniform(-0.3, 0.3);
        (element.a == 0 ? element.pointA : element.pointB) = body.orientation.conjugate() * (along * axis);
    } else {
        (element.a == 0 ? element.pointA : element.pointB) = randomVector(random, 0.3);
    }
    if (random.chance(0.7)) body.velocity = body.velocity.norm() * axis;
    const double spin = body.inverseInertia.isZero(0) || random.chance(0.6) ? 0 : random.uniform(-20, 20);
    body.angularVelocity = random.chance(0.8) ? Eigen::Vector3d(spin * axis) : body.angularVelocity;
    if (random.chance(0.1)) body.torque.constant = random.uniform(-1, 1) * axis;
    if (random.chance(0.05)) body.force.linear = randomVector(random, 1);
    if (element.geometry == Geometry::AlongLine && random.chance(0.7)) {
        // Along the line, on a line through the centre.
        const Eigen::Vector3d other = element.a == 0 ? element.pointB : element.pointA;
        body.position = other + random.uniform(0.05, 1) * axis;
        (element.a == 0 ? element.pointA : element.pointB).setZero();
        body.force.constant = body.force.constant.norm() * axis;
    }
    element.phi = random.uniform(-10, 10);
    if (std::holds_alternative<SpringDamperSeriesLaw>(element.law)) element.s_damper = random.uniform(-0.2, 0.2);
    network.bodies.push_back(body);
    network.elements.push_back(element);
    return network;
}

void checkSame(const Outcome& found, const TickResult& expected) {
    const BodyTick& body = expected.bodies[0];
    CHECK(found.tick.body.position == body.position);
    CHECK(found.tick.body.orientation.coeffs() == body.orientation.coeffs());
    CHECK(found.tick.body.velocity == body.velocity);
    CHECK(found.tick.body.angularVelocity == body.angularVelocity);
    CHECK(found.tick.body.elementVelocity == body.elementVelocity);
    CHECK(found.tick.body.elementAngularVelocity == body.elementAngularVelocity);
    const ElementTick& element = expected.elements[0];
    CHECK(found.tick.element.s == element.s);
    CHECK(found.tick.element.v == element.v);
    CHECK(found.tick.element.s_damper == element.s_damper);
    CHECK(found.tick.element.force.f == element.force.f);
    CHECK(found.tick.element.impulse == element.impulse);
    CHECK(found.tick.element.heat == element.heat);
    CHECK(found.tick.element.storedEnergy == element.storedEnergy);
    CHECK(found.tick.method == expected.method);
    CHECK(found.tick.steps == expected.steps);
    CHECK(found.tick.steps == expected.cost);
    CHECK(found.tick.energyHandedOut == expected.energyHandedOut);
    REQUIRE(found.events.size() == expected.events.size());
    for (std::size_t i = 0; i < found.events.size(); ++i) {
        CHECK(found.events[i].begin == expected.events[i].begin);
        CHECK(found.events[i].time == expected.events[i].time);
        CHECK(found.events[i].speed == expected.events[i].speed);
    }
}

FlowNetwork ballOnStop(double height, double velocity, double n = 1) {
    FlowNetwork network;
    FlowBody ball = FlowBody::sphere(0.2, 0.05);
    ball.position = {0, height, 0};
    ball.velocity = {0, velocity, 0};
    ball.force.constant = {0, -0.2 * 9.80665, 0};
    network.bodies.push_back(ball);
    FlowElement stop{ElastoGapLaw({.c = 1e6, .d = 5, .n = n})};
    stop.b = 0;
    stop.axis = {0, 1, 0};
    network.elements.push_back(stop);
    return network;
}

constexpr double kTick = 1.0 / 60;

}  // namespace

TEST_CASE("where the short way knows the motion it gives the bits of solveTick", "[slow]") {
    int known = 0;
    int missed = 0;
    constexpr int kPairs = 4000;
    for (unsigned long seed = 1; seed <= kPairs; ++seed) {
        RandomNumbers random(seed);
        std::string text;
        const FlowNetwork network = randomPair(random, text);
        const double h = 1 / random.uniform(30, 1000);
        const Outcome found = solveShortly(network, h);
        const TickResult expected = solveTick(network, h);
        if (found.isKnown) {
            INFO("seed " << seed << text);
            checkSame(found, expected);
            ++known;
        } else if (expected.method == FlowMethod::ClosedForm) {
            ++missed;
        }
    }
    CHECK(known > kPairs / 4);
    CHECK(missed < known / 10);  // bodies that turn freely: their orientation has no closed form
}

TEST_CASE("a ball on a stop takes the short way in flight, at rest and in an impact") {
    const double sag = -0.2 * 9.80665 / 1e6;
    for (const auto& [height, velocity, method] :
         {std::tuple(0.3, 0.0, FlowMethod::Free), std::tuple(sag, 0.0, FlowMethod::ClosedForm),
          std::tuple(0.001, -2.4, FlowMethod::ClosedForm)}) {
        const FlowNetwork network = ballOnStop(height, velocity);
        const Outcome found = solveShortly(network, kTick);
        REQUIRE(found.isKnown);
        CHECK(found.tick.method == method);
        checkSame(found, solveTick(network, kTick));
    }
    const Outcome resting = solveShortly(ballOnStop(sag, 0), kTick);
    CHECK(resting.tick.endAcceleration.norm() < 1e-9);
    CHECK(resting.tick.storedBefore == Approx(0.5 * 1e6 * sag * sag));
    const Outcome flying = solveShortly(ballOnStop(0.3, 0), kTick);
    CHECK(flying.tick.endAcceleration.y() == Approx(-9.80665));
}

TEST_CASE("an element made ready gives the bits of the short way from tick to tick") {
    std::array<int, 4> kinds{};  // far, in contact, with events, not straight
    for (unsigned long seed = 1; seed <= 4000; ++seed) {
        RandomNumbers random(seed);
        std::string text;
        FlowNetwork network = randomPair(random, text);
        FlowBody& body = network.bodies[0];
        FlowElement& element = network.elements[0];
        element.geometry = Geometry::AlongAxis;
        if (element.a == 0) std::swap(element.a, element.b), std::swap(element.pointA, element.pointB);
        if (random.chance(0.8)) body.angularVelocity.setZero(), body.torque.constant.setZero();
        if (random.chance(0.5)) body.velocity *= 0.01;
        const double h = 1 / random.uniform(30, 1000);
        StraightElement straight;
        if (!straight.prepare(body, viewOf(element), h)) {
            ++kinds[3];
            continue;
        }
        INFO("seed " << seed << text);
        std::vector<ContactEvent> events;
        for (int i = 0; i < 20; ++i) {
            const Outcome expected = solveShortly(network, h);
            REQUIRE(expected.isKnown);
            StraightTick tick;
            if (!straight.solve(body.position, body.velocity, viewOf(element), tick, events)) break;
            CHECK(tick.position == expected.tick.body.position);
            CHECK(tick.velocity == expected.tick.body.velocity);
            CHECK(body.orientation.coeffs() == expected.tick.body.orientation.coeffs());
            CHECK(expected.tick.body.angularVelocity.isZero(0));
            CHECK(tick.acceleration == expected.tick.endAcceleration);
            CHECK(tick.force == expected.tick.element.force.f);
            CHECK(tick.s_damper == expected.tick.element.s_damper);
            CHECK(tick.impulse == expected.tick.element.impulse);
            CHECK(tick.heat == expected.tick.element.heat);
            CHECK(tick.storedBefore == expected.tick.storedBefore);
            CHECK(tick.storedEnergy == expected.tick.element.storedEnergy);
            CHECK(tick.method == expected.tick.method);
            CHECK(tick.steps == expected.tick.steps);
            REQUIRE(events.size() == expected.events.size());
            for (std::size_t k = 0; k < events.size(); ++k) CHECK(events[k].time == expected.events[k].time);
            ++kinds[!events.empty() ? 2 : tick.impulse != 0 ? 1 : 0];
            body.position = tick.position;
            body.velocity = tick.velocity;
            element.s_damper = tick.s_damper;
        }
    }
    for (const int count : kinds) CHECK(count > 500);
}

TEST_CASE("what has no closed form is left to solveTick") {
    const auto isKnown = [](const FlowNetwork& network) { return solveShortly(network, kTick).isKnown; };
    CHECK(!isKnown(ballOnStop(0.001, -2.4, 1.5)));
    FlowNetwork network = ballOnStop(0.001, -2.4);
    network.bodies[0].force.linear = {0, 1, 0};
    CHECK(!isKnown(network));
    network = ballOnStop(0.001, -2.4);
    network.bodies[0].inverseInertia = {1, 2, 3};
    network.bodies[0].angularVelocity = {1, 2, 3};
    CHECK(!isKnown(network));
    network = ballOnStop(0.001, -2.4);
    network.elements[0].pointB = {0.01, 0, 0};  // the stop turns the ball, and its lever with it
    CHECK(!isKnown(network));
}

TEST_CASE("values that are not legal are left to solveTick, which names them") {
    const double nan = std::numeric_limits<double>::quiet_NaN();
    const auto spoil = [](const auto& change) {
        FlowNetwork network = ballOnStop(0.3, 0);
        change(network.bodies[0], network.elements[0]);
        CHECK(!solveShortly(network, kTick).isKnown);
    };
    spoil([&](FlowBody& body, FlowElement&) { body.position.x() = nan; });
    spoil([&](FlowBody& body, FlowElement&) { body.velocity.z() = INFINITY; });
    spoil([&](FlowBody& body, FlowElement&) { body.force.constant.y() = nan; });
    spoil([&](FlowBody& body, FlowElement&) { body.orientation.w() = 2; });
    spoil([&](FlowBody& body, FlowElement&) { body.inverseMass = -1; });
    spoil([&](FlowBody& body, FlowElement&) { body.inverseMass = 0, body.inverseInertia.setZero(); });
    spoil([&](FlowBody&, FlowElement& element) { element.pointB.x() = nan; });
    spoil([&](FlowBody&, FlowElement& element) { element.axis *= 2; });
    spoil([&](FlowBody&, FlowElement& element) { element.s_small = 0; });
    spoil([&](FlowBody&, FlowElement& element) { element.s_damper = nan; });
}
