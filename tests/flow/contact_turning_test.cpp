// Friction against rolling and spinning, against closed forms and the balance of energy.

#include "body_energy.h"
#include "contact_scenes.h"
#include "random_numbers.h"

#include <elasto/flow.h>

#include <catch2/catch.hpp>

#include <algorithm>
#include <cmath>

namespace contact_turning_test {

using namespace elasto;
using namespace elasto::test;
using Eigen::Vector3d;

namespace {

constexpr double kRadius = 0.2;

// A ball of 1 kg on the plane y = 0.
FlowNetwork ball(double friction, double rolling, double spinning) {
    FlowNetwork network;
    network.bodies.push_back(FlowBody::sphere(1, kRadius));
    network.bodies[0].position = {0, kRadius, 0};
    network.bodies[0].force.constant = {0, -kContactGravity, 0};
    FlowContact contact;
    contact.a = 0;
    contact.radius = kRadius;
    contact.friction = friction;
    contact.rollingFriction = rolling;
    contact.spinningFriction = spinning;
    network.contacts.push_back(contact);
    return network;
}

double mechanicalEnergy(const FlowNetwork& network) {
    double energy = storedEnergy(network);
    for (const FlowBody& body : network.bodies) {
        if (!body.isImmovable()) energy += kineticEnergy(body) - body.force.constant.dot(body.position);
    }
    return energy;
}

// Ticks, and checks the balance.
TickResult balancedTick(FlowNetwork& network, double hz) {
    const double before = mechanicalEnergy(network);
    TickResult tick = solveTick(network, 1 / hz);
    network.adopt(tick);
    double told = tick.jointEnergy - tick.contactLoss;
    for (const ElementTick& element : tick.elements) told -= element.heat;
    CHECK(mechanicalEnergy(network) - before == Approx(told).margin(1e-10));
    CHECK(tick.contactLoss > -1e-10);
    CHECK_FALSE(tick.overBudget);
    return tick;
}

}  // namespace

TEST_CASE("a ball rolls to a stop where friction against rolling says", "[flow][contacts][turning friction]") {
    const double hz = GENERATE(60., 240.);
    const double rolling = 0.01, v = 1;
    FlowNetwork network = ball(0.5, rolling, 0);
    const Vector3d direction = Vector3d(0.6, 0, -0.8);
    network.bodies[0].velocity = v * direction;
    network.bodies[0].angularVelocity = v / kRadius * Vector3d::UnitY().cross(direction);
    // m v' = -F, I v'/r = F r - rolling m g
    const double brake = rolling * kContactGravity / (1.4 * kRadius);
    for (int i = 1; i <= static_cast<int>(4 * hz); ++i) {
        const TickResult tick = balancedTick(network, hz);
        const double t = std::min(i / hz, v / brake);
        const double way = v * t - brake * t * t / 2;
        CHECK(network.bodies[0].position.x() == Approx(0.6 * way).margin(1e-5));
        CHECK(network.bodies[0].position.z() == Approx(-0.8 * way).margin(1e-5));
        CHECK(network.bodies[0].position.y() == Approx(kRadius).margin(1e-12));
        if (i / hz > v / brake + 1 / hz || i / hz < v / brake) {
            const double torque = i / hz < v / brake ? rolling * kContactGravity / hz : 0;
            CHECK(tick.contacts[0].frictionTorque.norm() == Approx(torque).margin(1e-9));
        }
    }
    CHECK(network.bodies[0].velocity.norm() < 1e-9);
}

TEST_CASE("a ball spins to a stop without moving away", "[flow][contacts][turning friction]") {
    const double hz = GENERATE(60., 240.);
    const double friction = GENERATE(0., 0.5);
    const double spinning = 0.02, w = 20;
    FlowNetwork network = ball(friction, 0, spinning);
    network.bodies[0].angularVelocity = {0, w, 0};
    const double brake = spinning * kContactGravity / (0.4 * kRadius * kRadius);
    for (int i = 1; i <= static_cast<int>(2 * hz); ++i) {
        balancedTick(network, hz);
        CHECK(network.bodies[0].angularVelocity.y() == Approx(std::max(0., w - brake * i / hz)).margin(1e-9));
        CHECK((network.bodies[0].position - Vector3d(0, kRadius, 0)).norm() < 1e-9);
    }
}

TEST_CASE("a ball lies on a slope or rolls down it", "[flow][contacts][turning friction]") {
    const double hz = GENERATE(60., 240.);
    const double slope = GENERATE(0.02, 0.0499, 0.0501, 0.2);
    const double rolling = 0.01;  // 0.05 of the radius
    FlowNetwork network = ball(0.8, rolling, 0);
    network.bodies[0].force.constant = kContactGravity * Vector3d(slope, -1, 0);
    for (int i = 0; i < static_cast<int>(hz); ++i) balancedTick(network, hz);
    const double along = std::max(0., kContactGravity * (slope - rolling / kRadius) / 1.4);
    CAPTURE(hz, slope);
    CHECK(network.bodies[0].velocity.x() == Approx(along).margin(1e-8));
    CHECK(network.bodies[0].position.x() == Approx(along / 2).margin(1e-8));
}

TEST_CASE("a ball that rolls into a stop comes back", "[flow][contacts][turning friction][slow]") {
    const double hz = GENERATE(60., 240.);
    const double c = GENERATE(1e3, 1e5);
    FlowNetwork network = ball(0.6, 0.005, 0.01);
    network.bodies[0].velocity = {2, 0, 0};
    network.bodies[0].angularVelocity = {0, 5, -10};
    addGap(network, ElastoGapLaw({.c = c, .d = 20}), kWorld, {0.5, kRadius, 0}, 0, Vector3d::Zero(),
           -Vector3d::UnitX());
    FlowNetwork fine = network;
    for (int i = 0; i < static_cast<int>(1.5 * hz); ++i) balancedTick(network, hz);
    for (int i = 0; i < 1.5 * 7680; ++i) fine.adopt(solveTick(fine, 1. / 7680));
    CAPTURE(hz, c);
    CHECK((network.bodies[0].position - fine.bodies[0].position).norm() < 2e-4);
    CHECK((network.bodies[0].velocity - fine.bodies[0].velocity).norm() < 2e-4);
    CHECK(fine.bodies[0].position.x() < 0.45);
}

TEST_CASE("a ball dropped with spin keeps what friction against turning leaves", "[flow][contacts][turning friction]") {
    // The impact's impulse is m v: torques of it take their share of the spin.
    const double rolling = GENERATE(0., 0.004), spinning = GENERATE(0., 0.004);
    FlowNetwork network = ball(0, rolling, spinning);
    network.bodies[0].position.y() += 0.1;
    network.bodies[0].velocity.y() = -1;
    network.bodies[0].force.constant.setZero();
    network.bodies[0].angularVelocity = {3, 2, 0};
    for (int i = 0; i < 20; ++i) balancedTick(network, 60);
    const double inertia = 0.4 * kRadius * kRadius;
    CHECK(network.bodies[0].angularVelocity.x() == Approx(3 - rolling / inertia).epsilon(1e-9));
    CHECK(network.bodies[0].angularVelocity.y() == Approx(2 - spinning / inertia).epsilon(1e-9));
}

TEST_CASE("friction against spinning holds a box longer", "[flow][contacts][turning friction]") {
    // Its corners bear a quarter of its weight each, at their distance from its middle.
    const Vector3d half(0.3, 0.1, 0.4);
    const double friction = 0.3, spinning = 0.05, m = 2;
    const double most = (friction * 0.5 + spinning) * m * kContactGravity;
    const double torque = GENERATE_COPY(0.99 * most, 1.01 * most);
    FlowNetwork network;
    network.bodies.push_back(solidBox(m, half, {0, 0.1, 0}));
    network.bodies[0].torque.constant = {0, torque, 0};
    addCorners(network, 0, half, kWorld, 0, friction);
    for (FlowContact& contact : network.contacts) contact.spinningFriction = spinning;
    for (int i = 0; i < 30; ++i) network.adopt(solveTick(network, 1. / 60));
    const double inertia = 1 / network.bodies[0].inverseInertia.y();
    const double expected = std::max(0., torque - most) / inertia / 2;
    CHECK(network.bodies[0].angularVelocity.y() == Approx(expected).margin(1e-6));
}

namespace {

// Balls that spin and bounce among stops.
FlowNetwork rolling(std::uint64_t seed) {
    RandomNumbers numbers(seed);
    const auto between = [&](double low, double high) { return numbers.uniform(low, high); };
    FlowNetwork network;
    for (int i = 0; i < 3; ++i) {
        const double r = between(0.1, 0.3);
        FlowBody body = FlowBody::sphere(between(0.5, 3), r);
        body.position = {0.7 * i, r + (i == 0 ? 0 : between(0, 0.2)), 0};
        body.velocity = {between(-2, 2), between(-1, 0), between(-1, 1)};
        body.angularVelocity = {between(-9, 9), between(-9, 9), between(-9, 9)};
        body.force.constant = {0, -kContactGravity / body.inverseMass, 0};
        network.bodies.push_back(body);
        FlowContact contact;
        contact.a = i;
        contact.radius = r;
        contact.friction = between(0, 1);
        contact.rollingFriction = between(0, 0.02);
        contact.spinningFriction = between(0, 0.02);
        contact.restitution = numbers.chance(0.5) ? 0.5 : 0;
        network.contacts.push_back(contact);
        addGap(network, ElastoGapLaw({.c = numbers.logarithmic(3, 6), .d = between(0, 20)}), kWorld,
               {0.7 * i + 0.3, r, 0}, i, Vector3d::Zero(), -Vector3d::UnitX());
        if (i == 0) continue;
        FlowElement spring{SpringDamperLaw({.c = 50, .d = 1, .s_rel0 = 0.7})};
        spring.geometry = Geometry::AlongLine;
        spring.a = i - 1;
        spring.b = i;
        spring.pointB = {0, r / 2, 0};
        network.elements.push_back(spring);
    }
    return network;
}

}  // namespace

TEST_CASE("balls that roll, spin and bounce gain no energy", "[flow][contacts][turning friction][slow]") {
    const auto seed = GENERATE(range(std::uint64_t{0}, std::uint64_t{16}));
    CAPTURE(seed);
    FlowNetwork network = rolling(seed);
    const double hz = seed % 2 == 0 ? 60 : 240;
    double path = 0;  // of the first ball [m]: what stands still gains nothing, either
    for (int i = 0; i < static_cast<int>(1.5 * hz); ++i) {
        const Vector3d position = network.bodies[0].position;
        balancedTick(network, hz);
        path += (network.bodies[0].position - position).norm();
    }
    CHECK(path > 0.3);
}

TEST_CASE("what whirls about a joint stays on it where the budget ends", "[flow][contacts][turning friction]") {
    const double spin = GENERATE(30., 100., 200.);
    FlowNetwork network;
    const Vector3d half(0.25, 0.05, 0.05);
    network.bodies.push_back(solidBox(1, half, {0.25, 0.3, 0}));
    network.bodies[0].angularVelocity = {0, spin, 0.1 * spin};
    network.bodies[0].velocity = network.bodies[0].angularVelocity.cross(Vector3d(0.25, 0, 0));
    for (int k = 0; k < 3; ++k) {
        HeldRow row;
        row.b = 0;
        row.pointA = {0, 0.3, 0};
        row.pointB = {-0.25, 0, 0};
        row.axisA = Vector3d::Unit(k);
        network.joints.push_back(row);
    }
    addCorners(network, 0, half, kWorld, 0, 0.5);
    FlowSettings few;
    few.maxSteps = 1;
    double before = mechanicalEnergy(network);
    for (int i = 0; i < 10; ++i) {
        const TickResult tick = solveTick(network, 1. / 60, few);
        network.adopt(tick);
        const FlowBody& body = network.bodies[0];
        const Vector3d apart = body.position + body.orientation * Vector3d(-0.25, 0, 0) - Vector3d(0, 0.3, 0);
        CAPTURE(spin, i);
        CHECK(tick.overBudget);
        CHECK(apart.norm() < 1e-3);
        CHECK(mechanicalEnergy(network) <= before + 1e-9 * std::abs(before));
        before = mechanicalEnergy(network);
    }
}

}  // namespace contact_turning_test
