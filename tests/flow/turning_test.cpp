// Bodies whose elements turn within the tick: energy, momentum, and agreement with equations written out by hand.

#include "body_energy.h"
#include "planar_oracle.h"

#include <elasto/flow.h>

#include <catch2/catch.hpp>

#include <cmath>

using namespace elasto;
using Eigen::Vector3d;
using elasto::test::kineticEnergy;

namespace {

Vector3d angularMomentum(const FlowBody& body) {
    const Vector3d w = body.orientation.conjugate() * body.angularVelocity;
    return body.orientation * w.cwiseQuotient(body.inverseInertia) +
           body.position.cross(body.velocity) / body.inverseMass;
}

FlowElement line(const Law& law, int a, int b, const Vector3d& pointA, const Vector3d& pointB) {
    FlowElement element{law};
    element.geometry = Geometry::AlongLine;
    element.a = a;
    element.b = b;
    element.pointA = pointA;
    element.pointB = pointB;
    return element;
}

// 1 kg circling the origin on a spring of 1 m; the spring starts unstretched.
FlowNetwork swing(double c) {
    FlowNetwork network;
    network.bodies.push_back(FlowBody::rigid(1, Vector3d::Constant(0.1)));
    network.bodies[0].position = {1, 0, 0};
    network.bodies[0].velocity = {0, 8, 0};
    network.elements.push_back(
        line(SpringDamperLaw({.c = c, .d = 0, .s_rel0 = 1}), kWorld, 0, Vector3d::Zero(), Vector3d::Zero()));
    return network;
}

}  // namespace

TEST_CASE("a mass swings on a line spring as the equations of a point say", "[flow][turning]") {
    const double c = GENERATE(1e3, 1e5, 1e7);
    const double rate = GENERATE(60., 240., 1000.);
    const auto equations = [c](const Eigen::VectorXd& y) {
        const double r = std::hypot(y[0], y[1]);
        Eigen::VectorXd dy(4);
        dy << y[2], y[3], -c * (r - 1) * y[0] / r, -c * (r - 1) * y[1] / r;
        return dy;
    };
    FlowNetwork network = swing(c);
    Eigen::VectorXd oracle(4);
    oracle << 1, 0, 0, 8;
    const double h = 1 / rate;
    const int steps = static_cast<int>(std::ceil(h * std::sqrt(c) / 0.004));
    double worst = 0;
    double highest = 0;
    for (int i = 0; i < static_cast<int>(0.5 * rate); ++i) {
        const TickResult tick = solveTick(network, h);
        CHECK(tick.method == FlowMethod::Dop853);
        network.adopt(tick);
        oracle = elasto::test::rungeKutta(equations, oracle, h, steps);
        worst = std::max(worst, (network.bodies[0].position.head<2>() - oracle.head<2>()).norm());
        highest = std::max(highest, kineticEnergy(network.bodies[0]) + tick.elements[0].storedEnergy);
    }
    CAPTURE(c, rate, worst, highest);
    CHECK(worst < 1e-7);  // target: 1e-5 of 2 m over 2 s
    CHECK(highest <= 32 * (1 + 1e-9));
}

TEST_CASE("a swing of 10 000 ticks never gains energy", "[flow][turning]") {
    FlowNetwork network = swing(1e5);
    double highest = 0;
    for (int i = 0; i < 10000; ++i) {
        const TickResult tick = solveTick(network, 1. / 240);
        network.adopt(tick);
        highest = std::max(highest, kineticEnergy(network.bodies[0]) + tick.elements[0].storedEnergy);
    }
    CHECK(highest <= 32 * (1 + 1e-9));
    CHECK(highest > 32 * (1 - 1e-3));
}

TEST_CASE("two tumbling bodies keep momentum and angular momentum, whatever joins them", "[flow][turning]") {
    FlowNetwork network;
    network.bodies.push_back(FlowBody::rigid(1, {0.01, 0.02, 0.03}));
    network.bodies.push_back(FlowBody::rigid(2, {0.03, 0.02, 0.04}));
    network.bodies[0].angularVelocity = {0.1, 9, 0.3};
    network.bodies[0].velocity = {0, 1, 0.5};
    network.bodies[1].position = {0.5, 0.1, 0};
    network.bodies[1].angularVelocity = {1, -2, 3};
    network.elements.push_back(
        line(SpringDamperLaw({.c = 200, .d = 0.5, .s_rel0 = 0.4}), 0, 1, {0.05, 0.02, 0}, {-0.03, 0.1, 0.02}));
    FlowElement axial{SpringDamperLaw({.c = 100, .d = 1, .s_rel0 = 0.3})};
    axial.a = 0;
    axial.b = 1;
    axial.axis = Vector3d(1, 2, -1).normalized();
    axial.pointB = {0.1, 0, 0.05};
    network.elements.push_back(axial);
    network.elements.push_back(
        line(SpringDamperSeriesLaw({.c = 80, .d = 4, .s_unstretched = 0.5}), 0, 1, {0, 0.1, 0}, {0, 0, 0.1}));

    const auto momentum = [&] {
        return Vector3d(network.bodies[0].velocity / network.bodies[0].inverseMass +
                        network.bodies[1].velocity / network.bodies[1].inverseMass);
    };
    const auto spin = [&] { return Vector3d(angularMomentum(network.bodies[0]) + angularMomentum(network.bodies[1])); };
    const Vector3d p0 = momentum();
    const Vector3d l0 = spin();
    double heat = 0;
    double energy0 = 0;
    for (const FlowElement& element : network.elements) {
        energy0 += storedEnergy(element.law, measure(network, element).s, element.s_damper);
    }
    energy0 += kineticEnergy(network.bodies[0]) + kineticEnergy(network.bodies[1]);
    double stored = 0;
    for (int i = 0; i < 120; ++i) {
        const TickResult tick = solveTick(network, 1. / 60);
        network.adopt(tick);
        stored = 0;
        for (const ElementTick& element : tick.elements) {
            heat += element.heat;
            stored += element.storedEnergy;
        }
    }
    const double energy1 = kineticEnergy(network.bodies[0]) + kineticEnergy(network.bodies[1]) + stored;
    CHECK((momentum() - p0).norm() < 1e-12 * p0.norm());
    CHECK((spin() - l0).norm() < 1e-7 * l0.norm());
    CHECK(heat > 0.01 * energy0);
    CHECK(energy1 + heat == Approx(energy0).epsilon(1e-7));
}

TEST_CASE("the answer does not depend on the length of the tick", "[flow][turning]") {
    const auto run = [](double rate) {
        FlowNetwork network;
        FlowBody box = FlowBody::rigid(1, {0.01, 0.02, 0.03});
        box.angularVelocity = {0.05, 10, 0.02};  // about the middle axis: tumbles
        box.force.constant = {0, -9.80665, 0};
        network.bodies.push_back(box);
        network.elements.push_back(
            line(SpringDamperLaw({.c = 50, .d = 0, .s_rel0 = 0.3}), kWorld, 0, {0.1, 0.6, 0.05}, {0.1, 0.1, 0.1}));
        network.elements.push_back(line(SpringDamperSeriesLaw({.c = 200, .d = 20, .s_unstretched = 0.3}), kWorld, 0,
                                        {-0.2, 0.5, 0}, {-0.1, 0.05, -0.1}));
        for (int i = 0; i < static_cast<int>(2 * rate); ++i) {
            network.adopt(solveTick(network, 1 / rate));
        }
        return network;
    };
    const FlowNetwork fine = run(2000);
    for (const double rate : {60., 240.}) {
        const FlowNetwork coarse = run(rate);
        CHECK((coarse.bodies[0].position - fine.bodies[0].position).norm() < 1e-8);
        CHECK((coarse.bodies[0].angularVelocity - fine.bodies[0].angularVelocity).norm() < 1e-6);
        CHECK(coarse.elements[1].s_damper == Approx(fine.elements[1].s_damper).epsilon(1e-8));
    }
}

TEST_CASE("a gap beside the centre of mass turns the body it stops", "[flow][turning]") {
    FlowNetwork network;
    FlowBody rod = FlowBody::rigid(1, Vector3d::Constant(0.02));
    rod.position = {0, 0.001, 0};
    rod.velocity = {0, -1, 0};
    network.bodies.push_back(rod);
    FlowElement stop{ElastoGapLaw({.c = 1e6, .d = 0})};
    stop.b = 0;
    stop.axis = {0, 1, 0};
    stop.pointB = {0.1, 0, 0};
    network.elements.push_back(stop);
    const TickResult tick = solveTick(network, 1. / 60);
    REQUIRE(tick.events.size() == 2);
    CHECK(tick.events[0].begin);
    CHECK(tick.events[0].time == Approx(0.001).epsilon(1e-9));
    CHECK(tick.events[0].speed == Approx(1).epsilon(1e-9));
    CHECK(tick.method == FlowMethod::Dop853);
    // The impact lasts 2 ms; the lever arm changes by 1e-4 in it, so a rigid impact predicts the rebound to that order.
    const double W = 1 + 0.1 * 0.1 / 0.02;
    const double impulse = 2 / W;
    CHECK(tick.bodies[0].velocity.y() == Approx(-1 + impulse).epsilon(1e-2));
    CHECK(tick.bodies[0].angularVelocity.z() == Approx(0.1 * impulse / 0.02).epsilon(1e-2));
    CHECK(-tick.elements[0].impulse == Approx(tick.bodies[0].velocity.y() + 1).epsilon(1e-9));
    CHECK(kineticEnergy([&] {
              FlowBody end = rod;
              static_cast<BodyState&>(end) = tick.bodies[0];
              return end;
          }()) <= 0.5 * (1 + 1e-12));
}

TEST_CASE("a stop that is met and left again in the middle of a step is not flown past", "[flow][turning]") {
    // Across the whole reach in one tick, a little beside the middle.
    const double h = 1. / 60;
    FlowNetwork network;
    network.bodies.push_back(FlowBody::rigid(1, Vector3d::Constant(0.1)));
    network.bodies[0].position = {-0.5, 0.01, 0};
    network.bodies[0].velocity = {60, 0, 0};
    network.elements.push_back(
        line(ElastoGapLaw({.c = 1e4, .d = 0, .s_rel0 = 0.05}), kWorld, 0, Vector3d::Zero(), Vector3d::Zero()));
    const TickResult tick = solveTick(network, h);
    REQUIRE(tick.events.size() == 2);
    CHECK(tick.events[0].time == Approx(h / 2 - std::sqrt(0.05 * 0.05 - 0.01 * 0.01) / 60).epsilon(1e-9));
    CHECK(std::abs(tick.bodies[0].velocity.y()) > 1e-3);
}

TEST_CASE("strong damping beside the centre of mass is left to RODAS4", "[flow][turning]") {
    FlowNetwork network;
    FlowBody body = FlowBody::rigid(0.1, Vector3d::Constant(0.001));
    body.position = {0, 0.005, 0};
    body.force.constant = {0, -40, 0};
    network.bodies.push_back(body);
    FlowElement stop{ElastoGapLaw({.c = 1e8, .d = 2e5, .n = 1.5})};
    stop.b = 0;
    stop.axis = {0, 1, 0};
    stop.pointB = {0.01, 0, 0};
    network.elements.push_back(stop);
    int strong = 0;
    for (int i = 0; i < 12; ++i) {
        const TickResult tick = solveTick(network, 1. / 240);
        CHECK_FALSE(tick.overBudget);
        strong += tick.method == FlowMethod::Rodas4;
        network.adopt(tick);
    }
    CHECK(strong > 0);
}

TEST_CASE("a twist element counts turns and is right above pi/4 in a tick", "[flow][turning]") {
    FlowNetwork network;
    network.bodies.push_back(FlowBody::rigid(1, {0.1, 0.1, 0.2}));
    network.bodies[0].angularVelocity = {0, 0, 100};  // 1.67 rad per tick
    FlowElement spring{SpringDamperLaw({.c = 0.01, .d = 0})};
    spring.geometry = Geometry::AboutAxis;
    spring.b = 0;
    spring.axis = Vector3d::UnitZ();
    network.elements.push_back(spring);
    const double omega = std::sqrt(0.01 / 0.2);
    double t = 0;
    for (int i = 0; i < 600; ++i) {
        const TickResult tick = solveTick(network, 1. / 60);
        CHECK(tick.method == FlowMethod::ClosedForm);
        network.adopt(tick);
        t += 1. / 60;
        const double phi = 100 / omega * std::sin(omega * t);
        REQUIRE(tick.elements[0].s == Approx(phi).epsilon(1e-9));
        const double measured = measure(network, network.elements[0]).s;
        REQUIRE(measured == Approx(phi).epsilon(1e-9));
    }
}

TEST_CASE("what drives a kinematic end is not a gain of energy", "[flow][turning]") {
    FlowNetwork network;
    network.bodies.push_back(FlowBody::rigid(1, Vector3d::Constant(0.1)));
    FlowBody platform;  // immovable, turns and moves
    platform.position = {1, 0, 0};
    platform.velocity = {0.3, 0.1, 0};
    platform.angularVelocity = {0, 0, 1};
    network.bodies.push_back(platform);
    network.elements.push_back(
        line(SpringDamperLaw({.c = 100, .d = 0, .s_rel0 = 1}), 1, 0, {0.1, 0, 0}, Vector3d::Zero()));
    for (int i = 0; i < 60; ++i) {
        const TickResult tick = solveTick(network, 1. / 60);
        CHECK(std::fabs(tick.energyHandedOut) < 1e-9);
        CHECK((tick.bodies[1].position - network.bodies[1].position - platform.velocity / 60).norm() < 1e-12);
        network.adopt(tick);
    }
    CHECK(kineticEnergy(network.bodies[0]) > 0.005);
}

TEST_CASE("a twist element between tilting bodies keeps energy and angular momentum", "[flow][turning]") {
    FlowNetwork network;
    network.bodies.push_back(FlowBody::rigid(1, {0.1, 0.2, 0.3}));
    network.bodies.push_back(FlowBody::rigid(1, {0.2, 0.1, 0.1}));
    network.bodies[0].angularVelocity = {0.4, 0.1, 5};
    network.bodies[1].angularVelocity = {0, -0.3, 5};
    FlowElement twist{SpringDamperLaw({.c = 3, .d = 0})};
    twist.geometry = Geometry::AboutAxis;
    twist.a = 0;
    twist.b = 1;
    twist.axis = Vector3d::UnitZ();
    network.elements.push_back(twist);
    const auto total = [&] { return kineticEnergy(network.bodies[0]) + kineticEnergy(network.bodies[1]); };
    const double energy0 = total();
    const Vector3d spin0 = angularMomentum(network.bodies[0]) + angularMomentum(network.bodies[1]);
    double stored = 0;
    double tilt = 0;
    for (int i = 0; i < 60; ++i) {
        const TickResult tick = solveTick(network, 1. / 60);
        network.adopt(tick);
        stored = tick.elements[0].storedEnergy;
        REQUIRE(total() + stored == Approx(energy0).epsilon(1e-8));
        const Vector3d z = Vector3d::UnitZ();
        tilt = std::max(tilt, std::acos((network.bodies[0].orientation * z).dot(network.bodies[1].orientation * z)));
    }
    CHECK(tilt > 0.15);  // the axis alone, without the twist's gradient, would lose energy here
    const Vector3d spin1 = angularMomentum(network.bodies[0]) + angularMomentum(network.bodies[1]);
    CHECK((spin1 - spin0).norm() < 1e-8 * spin0.norm());
}

TEST_CASE("a body that may turn about one axis only keeps its spin, however it is tilted", "[flow][turning]") {
    FlowNetwork network;
    network.bodies.push_back(FlowBody::rigid(1, {0.01, 0.02, 0.03}));
    FlowBody& body = network.bodies[0];
    body.orientation = Eigen::AngleAxisd(0.7, Vector3d(1, 2, 0.5).normalized());
    body.angularFactor = {0, 0, 1};
    body.angularVelocity = {0, 0, 5};
    for (int i = 0; i < 60; ++i) {
        network.adopt(solveTick(network, 1. / 60));
    }
    CHECK((network.bodies[0].angularVelocity - Vector3d(0, 0, 5)).norm() < 1e-9);
}

TEST_CASE("a line spring of no length that is far too stiff loses its motion and gains nothing", "[flow][turning]") {
    FlowNetwork network;
    network.bodies.push_back(FlowBody::rigid(1, Vector3d::Constant(0.1)));
    network.bodies[0].position = {0, 0.3, 0};
    network.bodies[0].force.constant = {0, -9.80665, 0};
    network.elements.push_back(
        line(SpringDamperLaw({.c = 1e12, .d = 1e8}), kWorld, 0, Vector3d::Zero(), Vector3d::Zero()));
    double energy = 0.5e12 * 0.09;
    for (int i = 0; i < 20; ++i) {
        network.adopt(solveTick(network, 1. / 60));
        const double s = measure(network, network.elements[0]).s;
        const double next = kineticEnergy(network.bodies[0]) + 0.5e12 * s * s;
        REQUIRE(next <= energy + 1e-2);
        energy = next;
    }
    CHECK(energy < 1);
}

TEST_CASE("a body whose factor locks an axis keeps its speed beside an element without a force",
          "[flow][turning][slow]") {
    const bool gyroscopic = GENERATE(false, true);
    FlowNetwork network;
    network.bodies.push_back(FlowBody::rigid(1, {0.1, 0.2, 0.28}));
    FlowBody& body = network.bodies[0];
    body.orientation = Eigen::Quaterniond(0.8, 0.3, 0.5, 0.1).normalized();
    body.angularVelocity = {5, 3, 0};
    body.angularFactor = {1, 1, 0};
    body.gyroscopic = gyroscopic;
    FlowNetwork alone = network;
    FlowElement spring{SpringDamperLaw({.c = 1e-9, .d = 0, .s_rel0 = 0.2})};
    spring.b = 0;
    spring.geometry = Geometry::AlongLine;
    spring.pointA = {0, 0.5, 0};
    spring.pointB = {0.2, 0.1, 0.3};
    network.elements.push_back(spring);
    for (int tick = 0; tick < 2400; ++tick) {
        const TickResult with = solveTick(network, 1. / 240);
        CHECK(with.energyRepaired < 1e-9);
        REQUIRE_FALSE(with.overBudget);
        network.adopt(with);
        alone.adopt(solveTick(alone, 1. / 240));
    }
    const Eigen::Vector3d w = network.bodies[0].angularVelocity;
    CAPTURE(gyroscopic, w.transpose(), alone.bodies[0].angularVelocity.transpose());
    if (!gyroscopic) CHECK((w - Eigen::Vector3d(5, 3, 0)).norm() < 1e-6);
    CHECK((w - alone.bodies[0].angularVelocity).norm() < 1e-4);
}
