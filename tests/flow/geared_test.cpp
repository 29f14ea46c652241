// Elements that count with a second coordinate: gear pairs on carriers, rotors behind gears.

#include "body_energy.h"
#include "joint_rows.h"
#include "planar_oracle.h"

#include <elasto/errors.h>
#include <elasto/flow.h>

#include <catch2/catch.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

namespace geared_test {

using namespace elasto;
using Eigen::Vector3d;
using elasto::test::addHinge;

namespace {

constexpr double kRatio = -2.5;
constexpr double kFirst = 0.01;   // [kg.m^2]
constexpr double kSecond = 0.05;  // [kg.m^2]

FlowElement gearPair(const ElastoBacklashParameters& parameters, int carrier, int first, int second) {
    FlowElement pair{ElastoBacklashLaw(parameters)};
    pair.geometry = Geometry::AboutAxis;
    pair.axis = Vector3d::UnitZ();
    pair.a = carrier;
    pair.b = first;
    pair.geared.ratio = kRatio;
    pair.geared.axis = Vector3d::UnitZ();
    pair.geared.a = carrier;
    pair.geared.b = second;
    return pair;
}

// Two wheels on hinges of the carrier, 0.2 m apart.
FlowNetwork wheels(const ElastoBacklashParameters& parameters, int carrier) {
    FlowNetwork network;
    if (carrier != kWorld) network.bodies.push_back(FlowBody::rigid(3, {0.1, 0.12, 0.2}));
    const auto first = static_cast<int>(network.bodies.size());
    network.bodies.push_back(FlowBody::rigid(1, {0.006, 0.006, kFirst}));
    network.bodies.push_back(FlowBody::rigid(2, {0.03, 0.03, kSecond}));
    network.bodies[static_cast<std::size_t>(first) + 1].position = {0.2, 0, 0};
    addHinge(network, carrier, Vector3d::Zero(), first, Vector3d::Zero());
    addHinge(network, carrier, {0.2, 0, 0}, first + 1, Vector3d::Zero());
    network.elements.push_back(gearPair(parameters, carrier, first, first + 1));
    return network;
}

double energyOf(const FlowNetwork& network) {
    double energy = elasto::test::storedEnergy(network);
    for (const FlowBody& body : network.bodies) energy += elasto::test::kineticEnergy(body);
    return energy;
}

Vector3d spinOf(const FlowNetwork& network) {
    Vector3d sum = Vector3d::Zero();
    for (const FlowBody& body : network.bodies) {
        const Vector3d inBody = body.orientation.conjugate() * body.angularVelocity;
        sum += body.orientation * inBody.cwiseQuotient(body.inverseInertia);
        sum += body.position.cross(body.velocity) / body.inverseMass;
    }
    return sum;
}

struct Pair {
    ElastoBacklashParameters parameters;
    double torque;

    Eigen::VectorXd operator()(const Eigen::VectorXd& y) const {
        const double phi = y[0] - kRatio * y[1];
        const double f = evaluate(ElastoBacklashLaw(parameters), phi, y[2] - kRatio * y[3], 0).f;
        Eigen::VectorXd dy(4);
        dy << y[2], y[3], (torque - f) / kFirst, kRatio * f / kSecond;
        return dy;
    }
};

}  // namespace

TEST_CASE("two wheels turn each other through play", "[flow][geared]") {
    const double rate = GENERATE(60., 240.);
    const double d = GENERATE(0.1, 1.);
    const ElastoBacklashParameters parameters{.c = 1e3, .d = d, .b = 0.02};
    FlowNetwork network = wheels(parameters, kWorld);
    network.bodies[0].torque.constant = {0, 0, 0.3};
    const Pair pair{parameters, 0.3};
    Eigen::VectorXd oracle = Eigen::VectorXd::Zero(4);
    double worst = 0;
    for (int i = 0; i < static_cast<int>(2 * rate); ++i) {
        network.adopt(solveTick(network, 1 / rate));
        oracle = elasto::test::rungeKutta(pair, oracle, 1 / rate, static_cast<int>(60000 / rate));
        worst = std::max(worst, std::abs(network.elements[0].phi - oracle[0]));
        worst = std::max(worst, std::abs(network.elements[0].geared.phi - oracle[1]));
    }
    CAPTURE(rate, d, worst, oracle[0], oracle[1]);
    CHECK(oracle[0] > 4 * M_PI);  // turns are counted
    CHECK(worst < 1e-6 * oracle[0]);
}

TEST_CASE("a gear pair pushes its carrier back", "[flow][geared]") {
    FlowNetwork network = wheels({.c = 1e4, .d = 0, .b = 0.01}, 0);
    network.bodies[1].angularVelocity = {0, 0, 12};
    const double energy = energyOf(network);
    const Vector3d spin = spinOf(network);
    double most = 0;
    double turn = 0;
    for (int i = 0; i < 240; ++i) {
        const TickResult tick = solveTick(network, 1. / 120);
        network.adopt(tick);
        most = std::max(most, energyOf(network) / energy - 1);
        turn = std::max(turn, std::abs(network.bodies[0].angularVelocity.z()));
    }
    CAPTURE(most, turn, spinOf(network).transpose());
    CHECK(most < 1e-12);
    CHECK(energyOf(network) > energy * (1 - 1e-6));
    CHECK((spinOf(network) - spin).norm() < 1e-12 * spin.norm());
    CHECK(turn > 0.01);
}

TEST_CASE("a strongly damped pair follows its law", "[flow][geared]") {
    const double rate = GENERATE(60., 240., 960.);
    const ElastoBacklashParameters parameters{.c = 1e3, .d = 1244, .b = 0.02};
    FlowNetwork network = wheels(parameters, kWorld);
    network.bodies[0].angularVelocity = {0, 0, 12};
    const double energy = energyOf(network);
    const Pair pair{parameters, 0};
    Eigen::VectorXd oracle = Eigen::VectorXd::Zero(4);
    oracle[2] = 12;
    double worst = 0;
    double heat = 0;
    for (int i = 0; i < 0.4 * rate; ++i) {
        const TickResult tick = solveTick(network, 1 / rate);
        network.adopt(tick);
        heat += tick.elements[0].heat;
        oracle = elasto::test::rungeKutta(pair, oracle, 1 / rate, static_cast<int>(240000 / rate));
        worst = std::max(worst, std::abs(network.bodies[0].angularVelocity.z() - oracle[2]));
        worst = std::max(worst, std::abs(network.bodies[1].angularVelocity.z() - oracle[3]));
    }
    CAPTURE(rate, worst, oracle.transpose());
    CHECK(worst < 5e-7 * 12);
    CHECK(std::abs(energyOf(network) + heat - energy) < 1e-7 * energy);
}

// Damped so strongly that its spring relaxes slower than the wheels let go of it: for a while there is no force, and
// yet the spring holds less and less.
TEST_CASE("a spring that relaxes without force pushes no wheel", "[flow][geared][slow]") {
    const double rate = GENERATE(60., 240., 960.);
    FlowNetwork network = wheels({.c = 1e3, .d = 5e4, .b = 0.02}, 0);
    network.bodies[1].angularVelocity = {0, 0, 12};
    const Vector3d spin = spinOf(network);
    int ticks = 0;
    Vector3d before = Vector3d::Zero();
    double change = 0;
    double balance = 0;
    for (int i = 0; i < rate; ++i) {
        const FlowNetwork start = network;
        const TickResult tick = solveTick(network, 1 / rate);
        network.adopt(tick);
        if (tick.elements[0].impulse != 0 || tick.elements[0].storedEnergy == 0) continue;
        const double relaxed = elasto::test::storedEnergy(start) - tick.elements[0].storedEnergy;
        const double inPlay = energyOf(start);
        CHECK(relaxed > 0);
        balance = std::max(balance, std::abs(tick.elements[0].heat - relaxed) / inPlay);
        const Vector3d rates(network.bodies[0].angularVelocity.z(), network.bodies[1].angularVelocity.z(),
                             network.bodies[2].angularVelocity.z());
        if (ticks++ > 0) change = std::max(change, (rates - before).norm());
        before = rates;
    }
    CAPTURE(rate, ticks, before.transpose(), balance);
    CHECK(ticks > 0.5 * rate);
    CHECK(change < 1e-12);
    CHECK(balance < 1e-7);
    CHECK((spinOf(network) - spin).norm() < 1e-12 * spin.norm());
}

// Falls, tumbles and is driven from outside, under a damper so strong that steps must be implicit.
TEST_CASE("a tumbling carrier's momenta are those that the loads make", "[flow][geared][slow]") {
    const double rate = GENERATE(60., 240.);
    const ElastoBacklashParameters parameters{.c = 1e5, .d = 1244, .b = 0.02};
    FlowNetwork network = wheels(parameters, 0);
    const Vector3d gravity(0, -9.80665, 0);
    const Vector3d torque(0.1, 0, 1);
    double mass = 0;
    Vector3d momentum = Vector3d::Zero();
    Vector3d moment = Vector3d::Zero();  // of mass
    for (FlowBody& body : network.bodies) {
        body.angularVelocity = {0.7, 0.3, 0.2};
        body.velocity = Vector3d(0.4, 0, 0.1) + body.angularVelocity.cross(body.position);
        body.force.constant = gravity / body.inverseMass;
        mass += 1 / body.inverseMass;
        momentum += body.velocity / body.inverseMass;
        moment += body.position / body.inverseMass;
    }
    network.bodies[1].angularVelocity += Vector3d(0, 0, 12);
    network.bodies[1].torque.constant = torque;
    const Vector3d spin = spinOf(network);
    FlowNetwork oracle = network;
    FlowSettings fine;
    fine.strongDamping = std::numeric_limits<double>::infinity();  // explicit steps
    fine.tolerance = 1e-11;
    const double duration = 0.3;
    for (int i = 0; i < 1920 * duration; ++i) oracle.adopt(solveTick(oracle, 1. / 1920, fine));
    for (int i = 0; i < rate * duration; ++i) {
        const TickResult tick = solveTick(network, 1 / rate);
        REQUIRE(tick.method == FlowMethod::Rodas4);
        network.adopt(tick);
    }
    const double t = duration;
    const Vector3d wanted =
        spin + t * torque + t * moment.cross(gravity) + t * t / 2 * momentum.cross(gravity);  // about the origin
    Vector3d fallen = momentum + t * mass * gravity;
    for (const FlowBody& body : network.bodies) fallen -= body.velocity / body.inverseMass;
    double turns = 0;
    double fastest = 0;
    for (std::size_t i = 0; i < 3; ++i) {
        fastest = std::max(fastest, oracle.bodies[i].angularVelocity.norm());
        turns = std::max(turns, (network.bodies[i].angularVelocity - oracle.bodies[i].angularVelocity).norm());
    }
    const double angle = oracle.elements[0].phi;
    CAPTURE(rate, turns, angle, (spinOf(network) - wanted).norm(), fallen.norm());
    CHECK(angle > M_PI);
    CHECK(std::abs(network.elements[0].phi - angle) < 1e-7 * angle);
    CHECK(turns < 1e-6 * fastest);
    CHECK((spinOf(network) - wanted).norm() < 1e-12 * wanted.norm());
    CHECK(fallen.norm() < 1e-12 * mass * gravity.norm());
}

TEST_CASE("a gear row between bodies that nothing else holds is kept", "[flow][geared]") {
    // Two wheels that must turn against each other, and a spring that drives them apart: I1 and I2 count like masses.
    const double hz = GENERATE(60., 240., 1000.);
    FlowNetwork network;
    for (const double inertia : {0.01, 0.03}) {
        network.bodies.push_back(FlowBody::rigid(1, Eigen::Vector3d::Constant(inertia)));
    }
    network.bodies[1].position = {1, 0, 0};
    HeldRow gear;
    gear.kind = HeldRow::Kind::Gear;
    gear.a = 0;
    gear.b = 1;
    gear.axisA = gear.axisB = Eigen::Vector3d::UnitZ();
    network.joints.push_back(gear);
    FlowElement spring{SpringDamperLaw({.c = 1, .d = 0, .s_rel0 = 0.5})};
    spring.geometry = Geometry::AboutAxis;
    spring.a = 0;
    spring.b = 1;
    spring.axis = Eigen::Vector3d::UnitZ();
    network.elements.push_back(spring);
    CAPTURE(hz);
    for (int i = 0; i < static_cast<int>(0.25 * hz); ++i) network.adopt(solveTick(network, 1 / hz));
    const double w1 = network.bodies[0].angularVelocity.z();
    const double w2 = network.bodies[1].angularVelocity.z();
    CHECK(std::abs(w1 + w2) < 1e-9);
    // phi = w2 - w1 = 2 w2 obeys (I1 + I2) w2' = -2 c (phi - 0.5).
    const double omega = std::sqrt(4 / 0.04);
    CHECK(w2 == Approx(0.25 * omega * std::sin(omega * 0.25)).epsilon(1e-6));
}

TEST_CASE("a gear pair acts where its carrier stands on the floor", "[flow][geared]") {
    // Torque on the first wheel, as above; the carrier is so heavy that the floor carries the reaction.
    const double rate = GENERATE(60., 240.);
    const ElastoBacklashParameters parameters{.c = 1e3, .d = 1, .b = 0.02};
    FlowNetwork network = wheels(parameters, 0);
    network.bodies[0].inverseMass = 1. / 200;
    network.bodies[0].inverseInertia = Vector3d::Constant(1. / 20);
    for (FlowBody& body : network.bodies) body.force.constant = {0, -9.80665 / body.inverseMass, 0};
    network.bodies[1].torque.constant = {0, 0, 0.3};
    for (const double x : {-0.4, 0.6}) {
        for (const double z : {-0.3, 0.3}) {
            FlowContact contact;
            contact.a = 0;
            contact.vertex = {x, -0.5, z};
            contact.planePoint = {0, -0.5, 0};
            contact.normal = Vector3d::UnitY();
            contact.friction = 0.8;
            network.contacts.push_back(contact);
        }
    }
    const Pair pair{parameters, 0.3};
    Eigen::VectorXd oracle = Eigen::VectorXd::Zero(4);
    double worst = 0;
    for (int i = 0; i < static_cast<int>(rate); ++i) {
        const TickResult tick = solveTick(network, 1 / rate);
        REQUIRE(tick.method == FlowMethod::Contacts);
        network.adopt(tick);
        oracle = elasto::test::rungeKutta(pair, oracle, 1 / rate, static_cast<int>(60000 / rate));
        worst = std::max(worst, std::abs(network.elements[0].phi - oracle[0]));
        worst = std::max(worst, std::abs(network.elements[0].geared.phi - oracle[1]));
    }
    CAPTURE(rate, worst, oracle[0], network.bodies[0].position.transpose());
    CHECK(network.bodies[0].position.norm() < 1e-6);
    CHECK(worst < 1e-3 * oracle[0]);
}

TEST_CASE("a geared element without budget takes energy only", "[flow][geared]") {
    FlowNetwork network = wheels({.c = 1e6, .d = 0, .b = 0.01}, 0);
    network.bodies[1].angularVelocity = {0, 0, 40};
    FlowSettings settings;
    settings.maxSteps = 3;
    double energy = energyOf(network);
    bool wasImplicit = false;
    for (int i = 0; i < 30; ++i) {
        const TickResult tick = solveTick(network, 1. / 60, settings);
        wasImplicit |= tick.method == FlowMethod::Implicit;
        network.adopt(tick);
        const double now = energyOf(network);
        CHECK(now <= energy * (1 + 1e-12));
        energy = now;
    }
    CHECK(wasImplicit);
}

TEST_CASE("a rotor behind a gear needs no place of its own", "[flow][geared]") {
    // A rotor on the joint's side of its gear: a wheel that only turns, measured against the world.
    const double inertia = 1e-4 * 100 * 100;
    FlowNetwork network;
    network.bodies.push_back(FlowBody::rigid(1, {1, 1, 1}));
    FlowBody rotor;
    rotor.inverseInertia = {0, 0, 1 / inertia};
    rotor.angularVelocity = {0, 0, 0.7};
    network.bodies.push_back(rotor);
    addHinge(network, kWorld, Vector3d::Zero(), 0, Vector3d::Zero());
    FlowElement drive = gearPair({.c = 1e4, .d = 0, .b = 0.01}, kWorld, 0, 1);
    drive.geared.ratio = 1;
    network.elements.push_back(drive);
    for (int i = 0; i < 600; ++i) network.adopt(solveTick(network, 1. / 60));
    const double link = network.bodies[0].angularVelocity.z();
    const double motor = network.bodies[1].angularVelocity.z();
    CAPTURE(link, motor);
    // Neither is free, so that repairs of energy need not keep their sum: the integration's error in 600 ticks.
    CHECK(link + inertia * motor == Approx(inertia * 0.7).epsilon(1e-6));
    const double energy = 0.5 * (link * link + inertia * motor * motor) + elasto::test::storedEnergy(network);
    CHECK(energy == Approx(0.5 * inertia * 0.49).epsilon(1e-6));
}

TEST_CASE("a rotor on a carrier that turns alike shares its momentum", "[flow][geared]") {
    // Carrier, link and rotor about one axis: the rotor's body spins as the sum of carrier's turning and its own, and
    // all three keep 0.02 of moment of momentum, whatever play and gear do.
    const double ratio = GENERATE(1., -4.);
    constexpr double kCarrier = 0.1, kLink = 0.02, kRotor = 0.01;
    FlowNetwork network;
    FlowBody carrier = FlowBody::rigid(1, {kCarrier, kCarrier, kCarrier});
    FlowBody link = FlowBody::rigid(1, {kLink, kLink, kLink});
    FlowBody rotor;  // as it moves on the link's side of its gear
    rotor.gyroscopic = false;
    rotor.inverseInertia = {0, 0, 1 / (kRotor * ratio * ratio)};
    rotor.angularVelocity = {0, 0, 0.02 / kRotor / ratio};
    network.bodies = {carrier, link, rotor};
    addHinge(network, 0, Vector3d::Zero(), 1, Vector3d::Zero());
    FlowElement drive = gearPair({.c = 1e3, .d = 1, .b = 0.01}, 0, 1, 2);
    drive.geared.ratio = 1;
    drive.geared.a = kWorld;
    drive.geared.carried = 1 / ratio;
    network.elements.push_back(drive);
    const double h = 1. / 120;
    for (int i = 0; i < 60; ++i) {
        const TickResult tick = solveTick(network, h);
        network.adopt(tick);
        const auto spin = [&](std::size_t body) { return network.bodies[body].angularVelocity.z(); };
        const double own = ratio * spin(2) - spin(0);  // of the rotor against its carrier
        REQUIRE(tick.elements[0].v == Approx(spin(1) - spin(0) - own / ratio).margin(1e-9));
        REQUIRE(kCarrier * spin(0) + kLink * spin(1) + kRotor * ratio * spin(2) == Approx(0.02).epsilon(1e-9));
        // The next tick's turn counts from where the carrier is, the rotor's body from its own angle.
        FlowElement& element = network.elements[0];
        element.geared.carrierFrame = network.bodies[0].orientation;
        network.bodies[2].orientation = Eigen::AngleAxisd(element.geared.phi, Vector3d::UnitZ());
    }
    CHECK(std::abs(network.bodies[1].angularVelocity.z()) > 0.1);
    // A direct drive without a motor's torque pushes link and rotor only.
    CHECK((std::abs(network.bodies[0].angularVelocity.z()) > 1e-3) == (ratio != 1));
}

TEST_CASE("a body with a rotor that spins in it nutates about its momentum", "[flow][geared]") {
    // Where its own inertia I is a sphere's, I w + H a = L makes the axis a turn about L with |L| / I.
    constexpr double kInertia = 0.2;
    const double spin = GENERATE(0.5, 20.);
    const bool isTied = GENERATE(false, true);
    FlowNetwork network;
    FlowBody& body = network.bodies.emplace_back(FlowBody::rigid(1, Vector3d::Constant(kInertia)));
    body.angularVelocity = {1, 0.5, 2};
    body.spinMomentum = {0, 0, spin};
    const Vector3d momentum = kInertia * body.angularVelocity + body.spinMomentum;
    if (isTied) {
        FlowElement far{ElastoGapLaw({.c = 1e3, .d = 0, .s_rel0 = -1000})};
        far.b = 0;
        network.elements.push_back(far);
    }
    for (int i = 0; i < 60; ++i) network.adopt(solveTick(network, 1. / 60));
    const Eigen::AngleAxisd nutation(momentum.norm() / kInertia, momentum.normalized());
    const FlowBody& end = network.bodies[0];
    const Vector3d axis = end.orientation * Vector3d::UnitZ();
    CHECK((axis - nutation * Vector3d::UnitZ()).norm() < 1e-5);
    CHECK((kInertia * end.angularVelocity + spin * axis - momentum).norm() < 1e-6 * momentum.norm());
}

TEST_CASE("what a geared element cannot be is refused", "[flow][geared]") {
    FlowNetwork network = wheels({.c = 1e3, .d = 1, .b = 0.02}, kWorld);
    GearedCoordinate& geared = network.elements[0].geared;
    SECTION("one body on both sides of it") {
        geared.a = geared.b;
        CHECK_THROWS_WITH(solveTick(network, 0.01), Catch::Contains("geared.a and geared.b are the same"));
    }
    SECTION("along a line") {
        geared.geometry = Geometry::AlongLine;
        CHECK_THROWS_WITH(solveTick(network, 0.01), Catch::Contains("geared.geometry"));
    }
    SECTION("a ratio that is no number") {
        geared.ratio = std::numeric_limits<double>::quiet_NaN();
        CHECK_THROWS_WITH(solveTick(network, 0.01), Catch::Contains("geared.ratio"));
    }
    SECTION("a carrier that is the world") {
        geared.carried = 1;
        CHECK_THROWS_WITH(solveTick(network, 0.01), Catch::Contains("geared.carried") && Catch::Contains("world"));
    }
    SECTION("a carrier's frame that is none") {
        geared.carrierFrame.coeffs() *= 2;
        CHECK_THROWS_WITH(solveTick(network, 0.01), Catch::Contains("geared.carrierFrame"));
    }
    SECTION("a body that is not there") {
        geared.b = 7;
        CHECK_THROWS_AS(solveTick(network, 0.01), InvalidNetwork);
    }
}

}  // namespace geared_test
