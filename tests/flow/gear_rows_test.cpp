// Gears without play: motors to rest of a coordinate with a second one, against closed forms and balances.

#include "body_energy.h"
#include "contact_scenes.h"
#include "joint_rows.h"

#include <elasto/errors.h>
#include <elasto/flow.h>

#include <catch2/catch.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

namespace gear_rows_test {

using namespace elasto;
using namespace elasto::test;
using Eigen::Vector3d;

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

// Turning of b against a is ratio times that of b2 against a2, all about z.
BoundedRow gear(int a, int b, double ratio, int a2, int b2) {
    BoundedRow row;
    row.geometry = Geometry::AboutAxis;
    row.a = a;
    row.b = b;
    row.axis = Vector3d::UnitZ();
    row.maxForce = kInfinity;
    row.geared.ratio = ratio;
    row.geared.a = a2;
    row.geared.b = b2;
    row.geared.axis = Vector3d::UnitZ();
    return row;
}

FlowBody wheel(double inertia, const Vector3d& position) {
    FlowBody body = FlowBody::rigid(1, Vector3d::Constant(inertia));
    body.position = position;
    return body;
}

double mechanicalEnergy(const FlowNetwork& network) {
    double energy = 0;
    for (const FlowBody& body : network.bodies) {
        if (!body.isImmovable()) energy += kineticEnergy(body) - body.force.constant.dot(body.position);
    }
    return energy;
}

Vector3d angularMomentum(const FlowNetwork& network) {
    Vector3d sum = Vector3d::Zero();
    for (const FlowBody& body : network.bodies) {
        const Eigen::Matrix3d turn = body.orientation.toRotationMatrix();
        sum += turn * body.inverseInertia.cwiseInverse().asDiagonal() * turn.transpose() * body.angularVelocity +
               body.position.cross(body.velocity) / body.inverseMass;
    }
    return sum;
}

}  // namespace

TEST_CASE("two wheels that a gear holds turn as their inertias say", "[flow][bounded]") {
    const double hz = GENERATE(60., 240., 1000.);
    const double ratio = GENERATE(2., -0.5, 100.);
    CAPTURE(hz, ratio);
    FlowNetwork network;
    network.bodies = {wheel(0.02, {0, 0, 0}), wheel(0.05, {1, 0, 0})};
    addHinge(network, kWorld, {0, 0, 0}, 0, {0, 0, 0});
    addHinge(network, kWorld, {1, 0, 0}, 1, {0, 0, 0});
    network.bounded = {gear(kWorld, 0, ratio, kWorld, 1)};
    network.bodies[0].torque.constant = {0, 0, 0.1};
    const double acceleration = 0.1 / (0.02 + 0.05 / (ratio * ratio));
    for (int i = 1; i <= hz; ++i) {
        const TickResult tick = solveTick(network, 1 / hz);
        network.adopt(tick);
        const double t = i / hz;
        REQUIRE(std::abs(tick.bounded[0].coordinate) < 1e-10);
        REQUIRE(tick.bounded[0].coordinate + ratio * tick.bounded[0].geared ==
                Approx(acceleration / 2 * t * t).epsilon(1e-9));
        REQUIRE(network.bodies[0].angularVelocity.z() == Approx(acceleration * t).epsilon(1e-9));
        REQUIRE(network.bodies[1].angularVelocity.z() == Approx(acceleration * t / ratio).epsilon(1e-9));
    }
}

TEST_CASE("wheels on a floating carrier that a gear holds keep momentum and energy", "[flow][bounded]") {
    const double hz = GENERATE(60., 240.);
    CAPTURE(hz);
    FlowNetwork network;
    network.bodies = {FlowBody::rigid(2, {0.02, 0.1, 0.11}), wheel(0.02, {-0.5, 0, 0.1}), wheel(0.05, {0.5, 0, 0.1})};
    addHinge(network, 0, {-0.5, 0, 0.1}, 1, {0, 0, 0});
    addHinge(network, 0, {0.5, 0, 0.1}, 2, {0, 0, 0});
    network.bounded = {gear(0, 1, -2, 0, 2)};
    network.bodies[0].angularVelocity = {0.3, 0.5, 1};
    for (int i : {1, 2}) {
        FlowBody& body = network.bodies[static_cast<std::size_t>(i)];
        body.angularVelocity = network.bodies[0].angularVelocity + Vector3d(0, 0, i == 1 ? -6 : 3);
        body.velocity = network.bodies[0].angularVelocity.cross(body.position);
    }
    const double energy = mechanicalEnergy(network);
    const Vector3d momentum = angularMomentum(network);
    double worst = 0;
    for (int i = 0; i < hz; ++i) {
        const TickResult tick = solveTick(network, 1 / hz);
        network.adopt(tick);
        worst = std::max(worst, std::abs(tick.bounded[0].coordinate));
    }
    CHECK(worst < 1e-8);
    CHECK(mechanicalEnergy(network) == Approx(energy).epsilon(1e-9));
    CHECK((angularMomentum(network) - momentum).norm() < 1e-9 * momentum.norm());
}

TEST_CASE("a bar on the floor bears what a gear passes on to it", "[flow][bounded][contacts]") {
    const double hz = GENERATE(60., 240., 1000.);
    const bool isImplicit = GENERATE(false, true);
    CAPTURE(hz, isImplicit);
    FlowSettings settings;
    if (isImplicit) settings.accuracy = Accuracy::Implicit;
    // Two bars of 1 kg and 1 m on hinges in the world, level. The first one's end lies on the floor, the other one is
    // held by the gear alone, with half its turning.
    FlowNetwork network;
    for (const double x : {0., 2.}) {
        FlowBody& bar = network.bodies.emplace_back(FlowBody::rigid(1, {1e-3, 1. / 12, 1. / 12}));
        bar.position = {x + 0.5, 0, 0};
        bar.force.constant = {0, -10, 0};
        addHinge(network, kWorld, {x, 0, 0}, static_cast<int>(network.bodies.size()) - 1, {-0.5, 0, 0});
    }
    network.bounded = {gear(kWorld, 1, 0.5, kWorld, 0)};
    FlowContact contact;
    contact.a = 0;
    contact.vertex = {0.5, 0, 0};
    contact.normal = {0, 1, 0};
    network.contacts = {contact};
    double force = 0;
    for (int i = 0; i < hz; ++i) {
        const TickResult tick = solveTick(network, 1 / hz, settings);
        network.adopt(tick);
        force = tick.contacts[0].impulse * hz;
        REQUIRE(std::abs(tick.bounded[0].coordinate) < 1e-9);
    }
    // 5 N.m of the first, and half of the other one's.
    CHECK(force == Approx(7.5).epsilon(1e-6));
    CHECK(std::abs(network.bodies[1].angularVelocity.z()) < 1e-9);
}

TEST_CASE("bars that a gear holds strike the floor as one body does", "[flow][bounded][contacts]") {
    const double hz = GENERATE(60., 240.);
    CAPTURE(hz);
    FlowNetwork network;
    for (const double x : {0., 2.}) {
        FlowBody& bar = network.bodies.emplace_back(FlowBody::rigid(1, {1e-3, 1. / 12, 1. / 12}));
        bar.orientation = Eigen::AngleAxisd(x > 0 ? M_PI - 0.5 : 0.5, Vector3d::UnitZ());
        bar.position = Vector3d(x, 0, 0) + bar.orientation * Vector3d(0.5, 0, 0);
        bar.force.constant = {0, -10, 0};
        addHinge(network, kWorld, {x, 0, 0}, static_cast<int>(network.bodies.size()) - 1, {-0.5, 0, 0});
    }
    FlowNetwork alone = network;
    alone.bodies.pop_back();
    alone.joints.resize(5);
    network.bounded = {gear(kWorld, 0, -1, kWorld, 1)};
    network.bounded[0].geared.frameA = Eigen::AngleAxisd(M_PI, Vector3d::UnitZ());
    FlowContact contact;
    contact.a = 0;
    contact.vertex = {0.5, 0, 0};
    contact.planePoint = {0, 0, 0};
    contact.normal = {0, 1, 0};
    contact.restitution = 0.8;
    // The second one is the first one's mirror image: it falls as that does, and turns back as it does because the gear
    // makes it, with an impulse that is both ones'.
    network.contacts = alone.contacts = {contact};
    double impulse = 0, impulseAlone = 0;
    for (int i = 0; i < 0.6 * hz; ++i) {
        const TickResult tick = solveTick(network, 1 / hz), tickAlone = solveTick(alone, 1 / hz);
        network.adopt(tick);
        alone.adopt(tickAlone);
        impulse += tick.contacts[0].impulse;
        impulseAlone += tickAlone.contacts[0].impulse;
        REQUIRE(std::abs(tick.bounded[0].coordinate) < 1e-9);
        REQUIRE((network.bodies[0].position - alone.bodies[0].position).norm() < 1e-8);
    }
    CHECK(impulseAlone > 0);
    CHECK(impulse == Approx(2 * impulseAlone).epsilon(1e-7));
}

TEST_CASE("a gear that slips passes on its friction, and holds below it", "[flow][bounded]") {
    const double hz = GENERATE(60., 1000.);
    const double torque = GENERATE(0.5, 0.05);
    CAPTURE(hz, torque);
    FlowNetwork network;
    network.bodies = {wheel(0.02, {0, 0, 0}), wheel(0.05, {1, 0, 0})};
    addHinge(network, kWorld, {0, 0, 0}, 0, {0, 0, 0});
    addHinge(network, kWorld, {1, 0, 0}, 1, {0, 0, 0});
    network.bodies[0].torque.constant = {0, 0, torque};
    FlowElement clutch{FrictionLaw({.F_Coulomb = 0.1})};
    clutch.geometry = Geometry::AboutAxis;
    clutch.b = 0;
    clutch.axis = Vector3d::UnitZ();
    clutch.f_normalized = {.constant = 1};
    clutch.geared.ratio = 2;
    clutch.geared.b = 1;
    clutch.geared.axis = Vector3d::UnitZ();
    network.elements = {clutch};
    for (int i = 0; i < hz; ++i) network.adopt(solveTick(network, 1 / hz));
    const bool slips = torque > 0.1;
    const double together = torque / (0.02 + 0.05 / 4);
    CHECK(network.bodies[0].angularVelocity.z() == Approx(slips ? 0.4 / 0.02 : together).epsilon(1e-8));
    CHECK(network.bodies[1].angularVelocity.z() == Approx(slips ? 0.2 / 0.05 : together / 2).epsilon(1e-8));
}

TEST_CASE("gears without two ends are refused", "[flow][bounded]") {
    FlowNetwork network;
    network.bodies = {wheel(0.02, {0, 0, 0})};
    network.bounded = {gear(kWorld, 0, 2, kWorld, kWorld)};
    CHECK_THROWS_WITH(solveTick(network, 0.01), Catch::Contains("geared.a and geared.b are the same"));
    network.bounded = {gear(kWorld, 0, 2, kWorld, 3)};
    CHECK_THROWS_WITH(solveTick(network, 0.01), Catch::Contains("b = 3"));
}

}  // namespace gear_rows_test
