// Motors and limits among contacts: against statics, short ticks and the balance of energy.

#include "body_energy.h"
#include "contact_scenes.h"
#include "joint_rows.h"
#include "random_numbers.h"

#include <elasto/flow.h>

#include <catch2/catch.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

namespace bounded_contacts_test {

using namespace elasto;
using namespace elasto::test;
using Eigen::Vector3d;

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

// Body b moves along x only.
void addSlider(FlowNetwork& network, int b) {
    HeldRow row;
    row.b = b;
    for (const int k : {1, 2}) {
        row.axisA = Vector3d::Unit(k);
        row.pointA = network.bodies[static_cast<std::size_t>(b)].position;
        network.joints.push_back(row);
    }
    row.kind = HeldRow::Kind::Orthogonal;
    for (int k = 0; k < 3; ++k) {
        row.axisA = Vector3d::Unit(k);
        row.axisB = Vector3d::Unit((k + 1) % 3);
        network.joints.push_back(row);
    }
}

BoundedRow motor(Geometry geometry, int a, int b, const Vector3d& axis, double targetRate, double maxForce) {
    BoundedRow row;
    row.geometry = geometry;
    row.a = a;
    row.b = b;
    row.axis = axis;
    row.targetRate = targetRate;
    row.maxForce = maxForce;
    return row;
}

BoundedRow limit(Geometry geometry, int a, int b, const Vector3d& axis, double bound, int side,
                 double restitution = 0) {
    BoundedRow row = motor(geometry, a, b, axis, 0, 0);
    row.kind = BoundedRow::Kind::Limit;
    row.bound = bound;
    row.side = side;
    row.restitution = restitution;
    return row;
}

double mechanicalEnergy(const FlowNetwork& network) {
    double energy = storedEnergy(network);
    for (const FlowBody& body : network.bodies) {
        if (!body.isImmovable()) energy += kineticEnergy(body) - body.force.constant.dot(body.position);
    }
    return energy;
}

// Ticks, and checks that what the bodies and springs have lost or gained is told.
class Balance {
public:
    explicit Balance(const FlowNetwork& network) : m_energy(mechanicalEnergy(network)) {}

    TickResult tick(FlowNetwork& network, double hz) {
        TickResult tick = solveTick(network, 1 / hz);
        network.adopt(tick);
        double told = tick.driveWork + tick.jointEnergy - tick.contactLoss - tick.limitLoss;
        for (const ElementTick& element : tick.elements) told -= element.heat;
        const double now = mechanicalEnergy(network);
        m_scale = std::max({m_scale, std::abs(now), std::abs(tick.driveWork)});
        worst = std::max(worst, std::abs(now - m_energy - told));
        largestGain = std::max(largestGain, -tick.contactLoss - tick.limitLoss);
        limitLoss += tick.limitLoss;
        coarse += tick.overBudget ? 1 : 0;
        m_energy = now;
        return tick;
    }

    double scale() const { return m_scale; }
    double worst = 0;
    double largestGain = 0;
    double limitLoss = 0;
    int coarse = 0;

private:
    double m_energy;
    double m_scale = 0;
};

// An arm of 1 kg and 1 m on a hinge at the origin, with a box of 0.5 kg on it, over a stop at its end.
FlowNetwork loadedArm(double c, double maxTorque) {
    const Vector3d half(0.5, 0.05, 0.2), small(0.05, 0.05, 0.05);
    FlowNetwork network;
    network.bodies.push_back(solidBox(1, half, {0.5, 0, 0}));
    network.bodies.push_back(solidBox(0.5, small, {0.7, 0.1, 0}));
    addHinge(network, kWorld, Vector3d::Zero(), 0, {-0.5, 0, 0}, 2, 0);
    addCorners(network, 1, small, 0, 0.05, 0.5);
    network.bounded.push_back(motor(Geometry::AboutAxis, kWorld, 0, Vector3d::UnitZ(), -2, maxTorque));
    network.bounded.back().reaction = 1;
    addGap(network, ElastoGapLaw({.c = c, .d = 50}), kWorld, Vector3d::Zero(), 0, {0.5, 0, 0}, Vector3d::UnitY());
    return network;
}

}  // namespace

TEST_CASE("a motor presses an arm with a box on it on a stop", "[flow][bounded][contacts]") {
    const double hz = GENERATE(60., 240.);
    const double c = GENERATE(1e3, 1e5, 1e7);
    CAPTURE(hz, c);
    FlowNetwork network = loadedArm(c, 20);
    Balance balance(network);
    TickResult tick;
    for (int i = 0; i < static_cast<int>(4 * hz); ++i) tick = balance.tick(network, hz);
    CHECK(balance.coarse <= 1);  // the box may chatter on the arm as that hits the stop
    CHECK(balance.worst < 1e-9 * balance.scale());
    CHECK(balance.largestGain < 1e-11 * balance.scale());
    const FlowBody& arm = network.bodies[0];
    const FlowBody& box = network.bodies[1];
    const double tip = (arm.position + arm.orientation * Vector3d(0.5, 0, 0)).x();
    const double moment = 20 + kContactGravity * (arm.position.x() + 0.5 * box.position.x());
    const double force = -tick.elements[0].force.f;
    CHECK(force * tip == Approx(moment).epsilon(1e-6));
    CHECK(tick.bounded[0].impulse * hz == Approx(-20).epsilon(1e-9));
    double borne = 0;
    for (const ContactTick& contact : tick.contacts) borne += contact.impulse;
    const double slope = std::abs((arm.orientation * Vector3d::UnitX()).x());
    CHECK(borne * hz == Approx(0.5 * kContactGravity * slope).epsilon(1e-6));
    // What the hinge bears, and the motor's torque on the arm.
    CHECK(tick.reactions[0].linear.y() * hz == Approx(1.5 * kContactGravity - force).epsilon(1e-6));
    CHECK(std::abs(tick.reactions[0].linear.x()) * hz < 1e-5 * force);
    CHECK(tick.reactions[1].angularB.z() * hz == Approx(-20).epsilon(1e-9));
    CHECK(tick.reactions[1].angularA.z() * hz == Approx(20).epsilon(1e-9));
}

TEST_CASE("a motor presses an arm that lies on a box", "[flow][bounded][contacts]") {
    const double hz = GENERATE(60., 240.);
    const Vector3d half(0.5, 0.05, 0.2), cube(0.2, 0.2, 0.2);
    FlowNetwork network;
    network.bodies.push_back(solidBox(1, half, {0.5, 0, 0}));
    network.bodies.push_back(solidBox(2, cube, {0.8, -0.25, 0}));
    addHinge(network, kWorld, Vector3d::Zero(), 0, {-0.5, 0, 0}, 2);
    addCorners(network, 1, cube, kWorld, -0.45, 0.5);
    for (const double x : {0.6, 1.}) {  // the ends of the common face
        for (const double z : {-0.2, 0.2}) {
            FlowContact contact;
            contact.a = 0;
            contact.b = 1;
            contact.vertex = {x - 0.5, -0.05, z};
            contact.planePoint = {0, 0.2, 0};  // without friction, whose moment statics does not tell
            network.contacts.push_back(contact);
        }
    }
    network.bounded = {motor(Geometry::AboutAxis, kWorld, 0, Vector3d::UnitZ(), -2, 20)};
    Balance balance(network);
    for (int i = 0; i < 60; ++i) {
        const TickResult tick = balance.tick(network, hz);
        double moment = 0, floor = 0, pressed = 0;
        for (std::size_t k = 0; k < 4; ++k) floor += tick.contacts[k].impulse * hz;
        for (std::size_t k = 4; k < 8; ++k) {
            moment += tick.contacts[k].impulse * hz * (network.contacts[k].vertex.x() + 0.5);
            pressed += tick.contacts[k].impulse * hz;
        }
        REQUIRE(moment == Approx(20 + 0.5 * kContactGravity).epsilon(1e-8));
        REQUIRE(floor == Approx(pressed + 2 * kContactGravity).epsilon(1e-8));
        REQUIRE(tick.bounded[0].impulse * hz == Approx(-20).epsilon(1e-9));
        REQUIRE(network.bodies[0].angularVelocity.norm() < 1e-9);
    }
    CHECK(network.bodies[1].position.x() == Approx(0.8).margin(1e-10));
    CHECK(balance.coarse == 0);
}

namespace {

// A crate slides along z into the free end of a door that hangs on a hinge about y and has a limit.
FlowNetwork doorway(double restitution) {
    const Vector3d door(0.5, 0.5, 0.02), crate(0.2, 0.2, 0.2);
    FlowNetwork network;
    network.bodies.push_back(solidBox(4, door, {0.5, 0.6, 0}));
    network.bodies.push_back(solidBox(3, crate, {0.7, 0.2, -0.5}));
    network.bodies[1].velocity = {0, 0, 4};
    addHinge(network, kWorld, {0, 0.6, 0}, 0, {-0.5, 0, 0}, 1);
    addCorners(network, 1, crate, kWorld, 0, 0.3);
    for (const double x : {-0.2, 0.2}) {
        for (const double y : {0.2, -0.1}) {
            FlowContact contact;
            contact.a = 1;
            contact.b = 0;
            contact.vertex = {x, y, 0.2};
            contact.planePoint = {0, 0, -0.02};
            contact.normal = {0, 0, -1};
            contact.friction = 0.3;
            network.contacts.push_back(contact);
        }
    }
    // The door opens to negative angles about y.
    network.bounded.push_back(limit(Geometry::AboutAxis, kWorld, 0, Vector3d::UnitY(), -0.3, 1, restitution));
    network.bounded.push_back(motor(Geometry::AboutAxis, kWorld, 0, Vector3d::UnitY(), 0, 0.5));  // dry friction
    addGap(network, ElastoGapLaw({.c = 300, .d = 5}), 0, {0.5, 0, 0}, kWorld, {1, 0.6, 0.2}, Vector3d::UnitZ());
    return network;
}

double doorAngle(const FlowNetwork& network) {
    const Vector3d x = network.bodies[0].orientation * Vector3d::UnitX();
    return std::atan2(-x.z(), x.x());
}

}  // namespace

TEST_CASE("a crate that lies on the floor pushes a door to its limit", "[flow][bounded][contacts][slow]") {
    const double restitution = GENERATE(0., 0.5);
    const auto run = [&](double hz, Balance& balance, FlowNetwork& network) {
        std::vector<double> angles;
        for (int i = 1; i <= static_cast<int>(0.9 * hz); ++i) {
            const TickResult tick = balance.tick(network, hz);
            CHECK(doorAngle(network) > -0.3 - 1e-6);
            if (i % static_cast<int>(hz / 60) == 0) angles.push_back(doorAngle(network));
        }
        return angles;
    };
    FlowNetwork fine = doorway(restitution);
    Balance fineBalance(fine);
    const std::vector<double> oracle = run(7680, fineBalance, fine);
    const double opened = -*std::min_element(oracle.begin(), oracle.end());
    CHECK(opened > 0.29);
    CHECK(fineBalance.limitLoss > 0.01);  // it was hit
    for (const auto& [hz, allowed] : {std::pair(60., 0.02), std::pair(240., 0.005)}) {
        FlowNetwork network = doorway(restitution);
        Balance balance(network);
        const std::vector<double> angles = run(hz, balance, network);
        double worst = 0;
        for (std::size_t i = 0; i < oracle.size(); ++i) worst = std::max(worst, std::abs(angles[i] - oracle[i]));
        CAPTURE(hz, restitution, worst, opened, balance.coarse);
        CHECK(worst < allowed * opened);
        CHECK(balance.worst < 1e-9 * balance.scale());
        CHECK(balance.largestGain < 1e-11 * balance.scale());
    }
}

namespace {

// A pusher of 2 kg on a slider with a motor, a crate before it, and a bumper.
FlowNetwork pusher(double c, double d, double maxForce) {
    const Vector3d half(0.2, 0.2, 0.2);
    FlowNetwork network;
    network.bodies.push_back(solidBox(2, half, {0, 0.2, 0}));
    network.bodies.push_back(solidBox(1, half, {0.5, 0.2, 0}));
    addSlider(network, 0);
    addCorners(network, 1, half, kWorld, 0, 0.5);
    for (const int y : {-1, 1}) {
        for (const int z : {-1, 1}) {
            FlowContact contact;
            contact.a = 1;
            contact.b = 0;
            contact.vertex = {-0.2, 0.2 * y, 0.2 * z};
            contact.planePoint = {0.2, 0, 0};
            contact.normal = {1, 0, 0};
            network.contacts.push_back(contact);
        }
    }
    network.bounded = {motor(Geometry::AlongAxis, kWorld, 0, Vector3d::UnitX(), 1, maxForce)};
    addGap(network, ElastoGapLaw({.c = c, .d = d}), 1, {0.2, 0, 0}, kWorld, {1.2, 0.2, 0}, Vector3d::UnitX());
    return network;
}

// The same in one dimension: places and speeds of both, by short steps.
struct Pushing {
    double c, d, maxForce;
    double x[2] = {0, 0.5}, v[2] = {0, 0};
    double m[2] = {2, 1};

    double bumper() const {
        const double y = x[1] - 1;
        if (y <= 0) return 0;
        const double spring = c * y, damper = d * v[1];
        return std::max(0., spring + std::min(damper, spring));
    }

    void step(double dt) {
        const double friction = 0.5 * kContactGravity * m[1];
        // The motor: with all its force, or at its rate.
        const auto motorForce = [&](double others, double mass) {
            const double holding = (1 - v[0]) / dt * mass - others;
            return std::clamp(holding, -maxForce, maxForce);
        };
        const auto frictionAgainst = [&](double force, double mass, double speed) {
            const double stopping = -(speed / dt * mass + force);
            return std::clamp(stopping, -friction, friction);
        };
        const bool isTouching = x[1] - x[0] <= 0.4 + 1e-12;
        const double press = -bumper();
        double a[2];
        const double drive = motorForce(0, m[0]);
        a[0] = drive / m[0];
        a[1] = (press + frictionAgainst(press, m[1], v[1])) / m[1];
        if (isTouching && v[0] + dt * a[0] >= v[1] + dt * a[1]) {
            const double mass = m[0] + m[1];
            const double common = (m[0] * v[0] + m[1] * v[1]) / mass;
            v[0] = v[1] = common;
            // Friction and motor by turns: each clamped to what it can be.
            double rub = 0, force = 0;
            for (int i = 0; i < 50; ++i) {
                force = motorForce(press + rub, mass);
                rub = frictionAgainst(press + force, mass, common);
            }
            a[0] = a[1] = (press + force + rub) / mass;
        }
        for (int i = 0; i < 2; ++i) {
            v[i] += dt * a[i];
            x[i] += dt * v[i];
        }
        if (x[1] - x[0] < 0.4) x[0] = x[1] - 0.4;
    }
};

}  // namespace

TEST_CASE("a motor pushes a crate into a bumper", "[flow][bounded][contacts][slow]") {
    const double c = GENERATE(1e3, 1e4);
    const double d = GENERATE(0., 50.);
    Pushing oracle{c, d, 30};
    constexpr int kFine = 20000;
    std::vector<double> places;
    for (int i = 1; i <= 120; ++i) {
        for (int k = 0; k < kFine; ++k) oracle.step(1. / 60 / kFine);
        places.push_back(oracle.x[1]);
    }
    for (const double hz : {60., 240.}) {
        FlowNetwork network = pusher(c, d, 30);
        Balance balance(network);
        double worst = 0;
        const int perSample = static_cast<int>(hz / 60);
        for (int i = 1; i <= 120 * perSample; ++i) {
            balance.tick(network, hz);
            if (i % perSample != 0) continue;
            const double error = network.bodies[1].position.x() - places[static_cast<std::size_t>(i / perSample - 1)];
            worst = std::max(worst, std::abs(error));
        }
        CAPTURE(c, d, hz, worst, balance.coarse);
        CHECK(worst < 1e-4);
        CHECK(balance.worst < 1e-9 * balance.scale());
        CHECK(balance.largestGain < 1e-11 * balance.scale());
        CHECK(balance.coarse == 0);
    }
}

TEST_CASE("a prescribed rate drags a crate over the floor", "[flow][bounded][contacts]") {
    const double hz = GENERATE(60., 240.);
    FlowNetwork network = pusher(1e4, 0, kInfinity);
    network.bounded[0].targetRate = 0.5;
    network.bounded[0].maxForce = kInfinity;
    network.elements.clear();
    Balance balance(network);
    for (int i = 0; i < static_cast<int>(hz); ++i) {
        const TickResult tick = balance.tick(network, hz);
        REQUIRE(tick.bounded[0].rate == Approx(0.5).epsilon(1e-9));
        if (i > hz / 2) REQUIRE(tick.bounded[0].impulse * hz == Approx(0.5 * kContactGravity).epsilon(1e-6));
    }
    CHECK(network.bodies[0].position.x() == Approx(0.5).epsilon(1e-9));
    CHECK(network.bodies[1].position.x() == Approx(0.9).epsilon(1e-9));
    CHECK(balance.coarse == 0);
    CHECK(balance.worst < 1e-9 * balance.scale());
}

TEST_CASE("a wall stops a prescribed rate", "[flow][bounded][contacts]") {
    FlowNetwork network = pusher(1e4, 0, kInfinity);
    network.elements.clear();
    FlowContact wall;  // 0.1 m before the crate
    wall.a = 1;
    wall.vertex = {0.2, 0, 0};
    wall.planePoint = {0.8, 0.2, 0};
    wall.normal = {-1, 0, 0};
    network.contacts.push_back(wall);
    for (int i = 0; i < 60; ++i) {
        network.adopt(solveTick(network, 1. / 60));
        REQUIRE(network.bodies[1].position.x() < 0.6 + 1e-9);
        REQUIRE(network.bodies[0].position.x() < 0.2 + 1e-9);
    }
    CHECK(network.bodies[1].position.x() == Approx(0.6).margin(1e-9));
}

namespace {

struct Machine {
    FlowNetwork network;
    double hz;
};

// Boxes on arms with motors and limits that hit a floor and each other's stops.
Machine machine(std::uint64_t seed) {
    RandomNumbers numbers(seed);
    const auto between = [&](double low, double high) { return numbers.uniform(low, high); };
    Machine scene{{}, seed % 2 == 0 ? 60. : 240.};
    FlowNetwork& network = scene.network;
    const double friction = between(0, 0.8);
    for (int i = 0; i < 2; ++i) {
        const Vector3d half(between(0.2, 0.5), between(0.05, 0.2), between(0.1, 0.3));
        const double height = between(0.2, 0.6);
        FlowBody box = solidBox(between(0.5, 4), half, {2. * i, height, 0});
        box.angularVelocity = {0, 0, between(-5, 5)};
        box.velocity = Vector3d(0, 0, box.angularVelocity.z()).cross(Vector3d(half.x(), 0, 0));
        network.bodies.push_back(box);
        addHinge(network, kWorld, {2. * i - half.x(), height, 0}, i, {-half.x(), 0, 0}, 2);
        for (int k = 0; k < 8; ++k) {
            FlowContact contact;
            contact.a = i;
            contact.vertex = {k & 1 ? half.x() : -half.x(), k & 2 ? half.y() : -half.y(), k & 4 ? half.z() : -half.z()};
            contact.friction = friction;
            contact.restitution = seed % 3 == 0 ? 0.5 : 0;
            network.contacts.push_back(contact);
        }
        network.bounded.push_back(
            motor(Geometry::AboutAxis, kWorld, i, Vector3d::UnitZ(), between(-4, 4), between(0, 20)));
        network.bounded.push_back(limit(Geometry::AboutAxis, kWorld, i, Vector3d::UnitZ(), -0.5, 1, between(0, 0.9)));
        network.bounded.push_back(limit(Geometry::AboutAxis, kWorld, i, Vector3d::UnitZ(), 0.6, -1));
        addGap(network, ElastoGapLaw({.c = numbers.logarithmic(3, 6), .d = between(0, 50)}), kWorld,
               {0, 0.5 * height, 0}, i, {0.5 * half.x(), 0, 0}, Vector3d::UnitY());
    }
    FlowElement spring{SpringDamperLaw({.c = 50, .d = 1, .s_rel0 = 1.5})};
    spring.geometry = Geometry::AlongLine;
    spring.a = 0;
    spring.b = 1;
    network.elements.push_back(spring);
    return scene;
}

}  // namespace

TEST_CASE("machines that hit floors and limits gain no energy but by their motors", "[flow][bounded][contacts][slow]") {
    const auto seed = GENERATE(range(std::uint64_t{0}, std::uint64_t{24}));
    CAPTURE(seed);
    Machine scene = machine(seed);
    Balance balance(scene.network);
    double path = 0;  // of the first body [m]: what stands still gains nothing, either
    for (int t = 0; t < static_cast<int>(1.5 * scene.hz); ++t) {
        const Vector3d position = scene.network.bodies[0].position;
        balance.tick(scene.network, scene.hz);
        path += (scene.network.bodies[0].position - position).norm();
    }
    CAPTURE(balance.coarse, balance.scale());
    CHECK(path > 0.03);
    CHECK(balance.worst < 1e-9 * balance.scale());
    CHECK(balance.largestGain < 1e-10 * balance.scale());
    CHECK(balance.coarse <= static_cast<int>(0.1 * scene.hz));
}

}  // namespace bounded_contacts_test
