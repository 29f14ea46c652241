// Contacts that are springs and dampers, with friction, against elements of the same law, closed forms and balances.

#include "body_energy.h"
#include "contact_scenes.h"
#include "random_numbers.h"

#include <elasto/flow.h>

#include <catch2/catch.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

namespace soft_contacts_test {

using namespace elasto;
using namespace elasto::test;
using Eigen::Vector3d;

namespace {

const Vector3d kHalf(0.3, 0.2, 0.4);

void soften(FlowNetwork& network, double stiffness, double damping) {
    for (FlowContact& contact : network.contacts) {
        contact.stiffness = stiffness;
        contact.damping = damping;
    }
}

FlowNetwork softBox(double m, double friction, double stiffness, double damping) {
    FlowNetwork network;
    network.bodies.push_back(solidBox(m, kHalf, {0, kHalf.y(), 0}));
    addCorners(network, 0, kHalf, kWorld, 0, friction);
    soften(network, stiffness, damping);
    return network;
}

double mechanicalEnergy(const FlowNetwork& network) {
    double energy = storedEnergy(network);
    for (const FlowBody& body : network.bodies) {
        if (!body.isImmovable()) energy += kineticEnergy(body) - body.force.constant.dot(body.position);
    }
    return energy;
}

/// Of vertices over the plane y = 0.
double softEnergy(const FlowNetwork& network) {
    double energy = 0;
    for (const FlowContact& contact : network.contacts) {
        const FlowBody& body = network.bodies[static_cast<std::size_t>(contact.a)];
        const double gap = (body.position + body.orientation * contact.vertex).y() - contact.radius;
        if (gap < 0) energy += contact.stiffness / 2 * gap * gap;
    }
    return energy;
}

TickResult balancedTick(FlowNetwork& network, double hz, double margin = 1e-9) {
    const double before = mechanicalEnergy(network), soft = softEnergy(network);
    TickResult tick = solveTick(network, 1 / hz);
    network.adopt(tick);
    double told = -tick.contactLoss;
    double heat = 0;
    for (const ElementTick& element : tick.elements) heat += element.heat;
    const double now = mechanicalEnergy(network);
    CHECK(now - before == Approx(told - heat).margin(margin));
    CHECK(now + softEnergy(network) + heat <= before + soft + margin);
    return tick;
}

}  // namespace

TEST_CASE("a box on soft contacts moves as on an element of their law", "[flow][contacts][soft]") {
    const double hz = GENERATE(60., 240.);
    const double k = GENERATE(1e3, 1e5);
    const double d = GENERATE(0., 20.);
    const double friction = GENERATE(0., 0.5);
    CAPTURE(hz, k, d, friction);
    FlowNetwork soft = softBox(2, friction, k, d);
    soft.bodies[0].position.y() += 0.05;
    FlowNetwork twin = soft;
    twin.contacts.clear();
    addGap(twin, ElastoGapLaw({.c = 4 * k, .d = 4 * d, .characteristic = GapCharacteristic::NoPull}), kWorld,
           Vector3d::Zero(), 0, {0, -kHalf.y(), 0}, Vector3d::UnitY());
    double impulse = 0;
    for (int i = 0; i < static_cast<int>(hz); ++i) {
        const TickResult tick = balancedTick(soft, hz, 1e-8);
        const TickResult expected = solveTick(twin, 1 / hz);
        twin.adopt(expected);
        REQUIRE(soft.bodies[0].position.y() == Approx(twin.bodies[0].position.y()).margin(1e-9));
        REQUIRE(soft.bodies[0].velocity.y() == Approx(twin.bodies[0].velocity.y()).margin(1e-6));
        impulse = 0;
        for (const ContactTick& contact : tick.contacts) impulse += contact.impulse;
        REQUIRE(impulse == Approx(-expected.elements[0].impulse).margin(1e-6));
        CHECK(tick.events.empty());  // of elements only
    }
}

TEST_CASE("a box on soft contacts slides to a stop where friction says", "[flow][contacts][soft]") {
    const double hz = GENERATE(60., 240.);
    const double k = GENERATE(1e4, 1e6);
    CAPTURE(hz, k);
    const double v = 3, friction = 0.4;
    // One point below the centre: nothing tips.
    FlowNetwork network;
    network.bodies.push_back(solidBox(1, kHalf, {0, kHalf.y() - kContactGravity / k, 0}));
    network.bodies[0].inverseInertia.setZero();
    network.bodies[0].velocity = {v, 0, 0};
    FlowContact contact;
    contact.a = 0;
    contact.vertex = {0, -kHalf.y(), 0};
    contact.friction = friction;
    network.contacts.push_back(contact);
    soften(network, k, 10);
    const double brake = friction * kContactGravity;
    for (int i = 1; i <= static_cast<int>(1.5 * hz); ++i) {
        balancedTick(network, hz);
        const double t = std::min(i / hz, v / brake);
        CHECK(network.bodies[0].position.x() == Approx(v * t - brake * t * t / 2).margin(1e-5));
    }
    CHECK(network.bodies[0].velocity.norm() < 1e-6);
    network.bodies[0].force.constant.x() = 0.99 * brake;
    for (int i = 0; i < 30; ++i) balancedTick(network, hz);
    CHECK(network.bodies[0].velocity.norm() < 1e-6);
    network.bodies[0].force.constant.x() = 1.5 * brake;
    for (int i = 0; i < 30; ++i) balancedTick(network, hz);
    CHECK(network.bodies[0].velocity.x() == Approx(0.5 * brake * 30 / hz).epsilon(1e-6));
}

TEST_CASE("a box that begins to slip within a tick turns round within it", "[flow][contacts][soft]") {
    // A spring pulls it from rest: each half swing is shorter by twice what friction holds.
    const double hz = GENERATE(20., 60.);
    CAPTURE(hz);
    const double c = 1e5, friction = 0.3, x0 = 0.001;
    FlowNetwork network;
    network.bodies.push_back(solidBox(1, kHalf, {x0, kHalf.y(), 0}));
    network.bodies[0].inverseInertia.setZero();
    FlowContact contact;
    contact.a = 0;
    contact.vertex = {0, -kHalf.y(), 0};
    contact.friction = friction;
    contact.stiffness = 1e6;
    contact.damping = 1;
    network.bodies[0].position.y() -= kContactGravity / contact.stiffness;
    network.contacts.push_back(contact);
    FlowElement spring{SpringDamperLaw({.c = c, .d = 0})};
    spring.b = 0;
    network.elements.push_back(spring);
    double x = x0;
    const double held = friction * kContactGravity / c;
    while (std::abs(x) > held) x = x > 0 ? -(x - 2 * held) : -(x + 2 * held);
    for (int i = 0; i < static_cast<int>(2 * hz); ++i) {
        const TickResult tick = balancedTick(network, hz);
        CHECK_FALSE(tick.overBudget);
    }
    CHECK(network.bodies[0].position.x() == Approx(x).margin(1e-9));
    CHECK(network.bodies[0].velocity.norm() < 1e-9);
}

TEST_CASE("a press on a stack of soft boxes keeps its force", "[flow][contacts][soft]") {
    const double hz = GENERATE(60., 240.);
    FlowNetwork network;
    const double k = 1e5;
    double height = 0;
    double weight = 3 * kContactGravity + 500;
    for (int i = 0; i < 3; ++i) {
        const double sink = weight / (4 * k);
        height += (i == 0 ? kHalf.y() : 2 * kHalf.y()) - sink;
        network.bodies.push_back(solidBox(1, kHalf, {0, height, 0}));
        addCorners(network, i, kHalf, i - 1, i == 0 ? 0 : kHalf.y(), 0.5);
        weight -= kContactGravity;
    }
    soften(network, k, 50);
    addGap(network, ElastoGapLaw({.c = 1e6, .d = 10}), 2, {0, kHalf.y(), 0}, kWorld,
           {0, height + kHalf.y() - 500 / 1e6, 0}, Vector3d::UnitY());
    const FlowNetwork start = network;
    for (int i = 0; i < 60; ++i) {
        const TickResult tick = solveTick(network, 1 / hz);
        network.adopt(tick);
        REQUIRE_FALSE(tick.overBudget);
        REQUIRE(-tick.elements[0].impulse * hz == Approx(500).epsilon(1e-6));
        for (std::size_t c = 0; c < 4; ++c) {
            REQUIRE(4 * tick.contacts[c].impulse * hz == Approx(500 + 3 * kContactGravity).epsilon(1e-6));
        }
    }
    for (std::size_t i = 0; i < 3; ++i) {
        CHECK((network.bodies[i].position - start.bodies[i].position).norm() < 1e-9);
    }
}

TEST_CASE("a ball rolls on a soft floor as on a rigid one", "[flow][contacts][soft][turning friction]") {
    const double hz = GENERATE(60., 240.);
    const double r = 0.2, k = 1e5, v = 1, rolling = 0.01;
    FlowNetwork network;
    network.bodies.push_back(FlowBody::sphere(1, r));
    network.bodies[0].force.constant = {0, -kContactGravity, 0};
    network.bodies[0].position = {0, r - kContactGravity / k, 0};
    network.bodies[0].velocity = {v, 0, 0};
    const double lever = r - kContactGravity / k;
    FlowContact contact;
    contact.a = 0;
    contact.radius = r;
    contact.friction = 0.5;
    contact.rollingFriction = rolling;
    network.contacts.push_back(contact);
    soften(network, k, 10);
    network.bodies[0].angularVelocity = {0, 0, -v / r};
    const double brake = rolling * kContactGravity / (1.4 * r);
    for (int i = 1; i <= static_cast<int>(4 * hz); ++i) {
        balancedTick(network, hz);
        const double t = std::min(i / hz, v / brake);
        CHECK(network.bodies[0].position.x() ==
              Approx(v * t - brake * t * t / 2).epsilon(5 * (1 - lever / r)).margin(1e-4));
    }
    CHECK(network.bodies[0].velocity.norm() < 1e-6);
}

TEST_CASE("boxes that tumble onto a soft floor gain no energy", "[flow][contacts][soft]") {
    const auto seed = GENERATE(range(std::uint64_t{0}, std::uint64_t{12}));
    CAPTURE(seed);
    RandomNumbers numbers(seed);
    const auto between = [&](double low, double high) { return numbers.uniform(low, high); };
    const double hz = seed % 2 == 0 ? 60 : 240;
    FlowNetwork network;
    const Vector3d half(between(0.1, 0.5), between(0.1, 0.5), between(0.1, 0.5));
    FlowBody box = solidBox(between(0.5, 5), half, {0, between(0.8, 1.2), 0});
    box.orientation = Eigen::Quaterniond(between(-1, 1), between(-1, 1), between(-1, 1), 1).normalized();
    box.velocity = {between(-2, 2), between(-2, 0), between(-2, 2)};
    box.angularVelocity = {between(-8, 8), between(-8, 8), between(-8, 8)};
    network.bodies.push_back(box);
    const double friction = between(0, 1);
    for (int k = 0; k < 8; ++k) {
        FlowContact contact;
        contact.a = 0;
        contact.vertex = {k & 1 ? half.x() : -half.x(), k & 2 ? half.y() : -half.y(), k & 4 ? half.z() : -half.z()};
        contact.friction = friction;
        network.contacts.push_back(contact);
    }
    soften(network, numbers.logarithmic(3, 5), between(0, 50));
    addGap(network, ElastoGapLaw({.c = 1e5, .d = 10}), kWorld, {0, 1.1 * half.minCoeff(), 0}, 0, Vector3d::Zero(),
           Vector3d::UnitY());
    int coarse = 0;
    double path = 0;  // [m]: what stands still gains nothing, either
    for (int t = 0; t < static_cast<int>(1.5 * hz); ++t) {
        const Vector3d position = network.bodies[0].position;
        coarse += balancedTick(network, hz).overBudget ? 1 : 0;
        path += (network.bodies[0].position - position).norm();
    }
    CHECK(path > 0.5);
    CAPTURE(coarse);
    CHECK(coarse < 0.1 * hz);
}

TEST_CASE("a box found inside a soft floor comes out as fast as it went in", "[flow][contacts][soft]") {
    const double hz = GENERATE(60., 240.);
    const double k = GENERATE(1e3, 1e4, 1e6);
    const double speed = GENERATE(0.5, 4.);
    constexpr double m = 2;
    FlowNetwork network = softBox(m, 0.5, k, 0);
    const double depth = speed / hz;
    network.bodies[0].force = {};
    network.bodies[0].position.y() -= depth;
    network.bodies[0].velocity = {0, -speed, 0};
    for (FlowContact& contact : network.contacts) contact.entered = depth;
    // As deep as its speed compresses the four springs, no deeper.
    const double deepest = speed / std::sqrt(4 * k / m);
    double impulse = 0;
    double slack = -1;
    for (int t = 0; t < static_cast<int>(hz); ++t) {
        const TickResult tick = solveTick(network, 1 / hz);
        network.adopt(tick);
        for (const ContactTick& contact : tick.contacts) impulse += contact.impulse;
        if (slack < 0) slack = tick.contacts[0].slack;
    }
    CAPTURE(hz, k, speed, depth, deepest, slack);
    CHECK(network.bodies[0].velocity.y() == Approx(speed).epsilon(1e-6));
    CHECK(network.bodies[0].angularVelocity.norm() < 1e-6);
    CHECK(impulse == Approx(2 * m * speed).epsilon(1e-6));
    CHECK(slack <= std::max(0., depth - deepest) + 1e-9);
}

TEST_CASE("what is too deep in a soft floor comes up to where the floor bears it", "[flow][contacts][soft]") {
    const double hz = GENERATE(60., 240.);
    constexpr double m = 2;
    constexpr double k = 1e4;
    FlowNetwork network = softBox(m, 0.5, k, 50);
    network.bodies[0].position.y() -= 0.05;
    for (FlowContact& contact : network.contacts) contact.entered = 0.05;
    const double start = network.bodies[0].position.y();
    double highest = 0;
    for (int t = 0; t < static_cast<int>(2 * hz); ++t) {
        network.adopt(solveTick(network, 1 / hz));
        highest = std::max(highest, network.bodies[0].velocity.y());
    }
    const double weight = -network.bodies[0].force.constant.y();
    REQUIRE(weight > 0);
    CHECK(network.bodies[0].position.y() == Approx(start + 0.05 - weight / (4 * k)).margin(1e-6));
    CHECK(highest < 0.1);
}

TEST_CASE("a belt takes a box along", "[flow][contacts][soft]") {
    const double hz = GENERATE(60., 240.);
    const bool isSoft = GENERATE(false, true);
    const double friction = 0.2, belt = 1;
    FlowNetwork network = softBox(2, friction, 1e5, 20);
    network.bodies[0].position.y() -= isSoft ? 2 * kContactGravity / 4e5 : 0;
    for (FlowContact& contact : network.contacts) {
        contact.surfaceVelocity = {belt, 0, 0};
        if (!isSoft) contact.stiffness = std::numeric_limits<double>::infinity();
    }
    network.bodies[0].inverseInertia.setZero();
    double loss = 0;
    for (int i = 1; i <= static_cast<int>(hz); ++i) {
        const TickResult tick = solveTick(network, 1 / hz);
        network.adopt(tick);
        CHECK_FALSE(tick.overBudget);
        CHECK(tick.energyRepaired < 1e-12);
        CHECK(tick.contactLoss > -1e-9);
        loss += tick.contactLoss;
        const double t = std::min(i / hz, belt / (friction * kContactGravity));
        CHECK(network.bodies[0].velocity.x() == Approx(friction * kContactGravity * t).margin(1e-6));
    }
    // The belt slides by as much as the box moves until both have one speed.
    CHECK(loss == Approx(0.5 * 2 * belt * belt).epsilon(1e-4));
}

}  // namespace soft_contacts_test
