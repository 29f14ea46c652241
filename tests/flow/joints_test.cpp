// Bodies that joints hold, against equations in reduced coordinates.

#include "body_energy.h"
#include "joint_rows.h"
#include "planar_oracle.h"

#include <elasto/flow.h>

#include <catch2/catch.hpp>

#include <algorithm>
#include <cmath>

namespace joints_test {

using namespace elasto;
using Eigen::Vector3d;
using elasto::test::addBall;
using elasto::test::addHinge;

namespace {

constexpr double kGravity = 9.80665;

// A bar of 1 kg and 1 m along its x, hanging by its left end where it is put.
FlowBody bar(double x, double y, double angle) {
    FlowBody body = FlowBody::rigid(1, {1e-3, 1. / 12, 1. / 12});
    body.orientation = Eigen::AngleAxisd(angle, Vector3d::UnitZ());
    body.position = Vector3d(x, y, 0) + body.orientation * Vector3d(0.5, 0, 0);
    body.force.constant = {0, -kGravity, 0};
    return body;
}

double angleOf(const FlowBody& body) {
    const Vector3d x = body.orientation * Vector3d::UnitX();
    return std::atan2(x.y(), x.x());
}

double energyOf(const FlowNetwork& network) {
    double energy = elasto::test::storedEnergy(network);
    for (const FlowBody& body : network.bodies) {
        energy += elasto::test::kineticEnergy(body) - body.force.constant.dot(body.position);
    }
    return energy;
}

// The bar's tip on a stop below it, in the angle's own equation.
struct Door {
    double c;
    double d;
    double stop = -0.5;  // [m] height of the tip where it touches

    FlowNetwork network() const {
        FlowNetwork network;
        network.bodies.push_back(bar(0, 0, 0));
        addHinge(network, kWorld, Vector3d::Zero(), 0, {-0.5, 0, 0});
        FlowElement gap{ElastoGapLaw({.c = c, .d = d, .s_rel0 = stop})};
        gap.axis = Vector3d::UnitY();
        gap.b = 0;
        gap.pointB = {0.5, 0, 0};
        network.elements.push_back(gap);
        return network;
    }
    Eigen::VectorXd operator()(const Eigen::VectorXd& y) const {
        const double s = std::sin(y[0]);
        const double v = std::cos(y[0]) * y[1];
        const double f = evaluate(ElastoGapLaw({.c = c, .d = d, .s_rel0 = stop}), s, v, 0).f;
        Eigen::VectorXd dy(2);
        dy << y[1], (-kGravity * 0.5 * std::cos(y[0]) - f * std::cos(y[0])) * 3;
        return dy;
    }
};

}  // namespace

TEST_CASE("a bar on a hinge swings as a pendulum", "[flow][joints]") {
    const double rate = GENERATE(60., 240.);
    FlowNetwork network = Door{0, 0}.network();
    network.elements.clear();
    const auto pendulum = [](const Eigen::VectorXd& y) {
        Eigen::VectorXd dy(2);
        dy << y[1], -1.5 * kGravity * std::cos(y[0]);
        return dy;
    };
    Eigen::VectorXd oracle = Eigen::Vector2d(0, 0);
    const double start = energyOf(network);
    double worst = 0;
    double apart = 0;
    for (int i = 0; i < static_cast<int>(2 * rate); ++i) {
        network.adopt(solveTick(network, 1 / rate));
        oracle = elasto::test::rungeKutta(pendulum, oracle, 1 / rate, 200);
        worst = std::max(worst, std::abs(std::remainder(angleOf(network.bodies[0]) - oracle[0], 2 * M_PI)));
        apart =
            std::max(apart, (network.bodies[0].position - network.bodies[0].orientation * Vector3d(0.5, 0, 0)).norm());
    }
    CAPTURE(rate, worst, apart, energyOf(network) - start);
    // One step of order 5 per tick: four orders below the target of 0.03 %.
    CHECK(worst < 5e-8);
    CHECK(apart < 1e-13);
    CHECK(energyOf(network) <= start + 1e-12);
    CHECK(energyOf(network) > start - 1e-8);
}

TEST_CASE("a door hits its stop and rebounds", "[flow][joints][slow]") {
    const double c = GENERATE(1e3, 1e4, 1e5, 1e6);
    const double d = GENERATE(0., 50.);
    const double rate = GENERATE(60., 240.);
    const Door door{c, d};
    FlowNetwork network = door.network();
    Eigen::VectorXd oracle = Eigen::Vector2d(0, 0);
    double worst = 0;
    double highest = energyOf(network);
    const double start = highest;
    const int steps = static_cast<int>(std::ceil(std::sqrt(3 * c) / rate / 0.002));
    for (int i = 0; i < static_cast<int>(2 * rate); ++i) {
        network.adopt(solveTick(network, 1 / rate));
        oracle = elasto::test::rungeKutta(door, oracle, 1 / rate, steps);
        worst = std::max(worst, std::abs(angleOf(network.bodies[0]) - oracle[0]));
        highest = std::max(highest, energyOf(network));
    }
    CAPTURE(c, d, rate, worst);
    // Targets 0.05 and 0.015 % of about half a radian; the oracle's steps cross kinks.
    CHECK(worst < 2e-5);
    CHECK(highest <= start + 1e-9);
}

TEST_CASE("an element that presses on a hinge has its whole impulse", "[flow][joints]") {
    // Along the hinge's axis nothing can move, while the door swings through its stop.
    const double n = GENERATE(1., 1.5);
    const double rate = GENERATE(60., 240.);
    FlowNetwork network = Door{1e4, 50}.network();
    FlowElement press{ElastoGapLaw({.c = 1709, .d = 4, .s_rel0 = 0.37, .n = n})};
    press.axis = Vector3d::UnitZ();
    press.b = 0;
    network.elements.push_back(press);
    const double force = 1709 * std::pow(0.37, n);
    for (int i = 0; i < static_cast<int>(2 * rate); ++i) {
        const TickResult tick = solveTick(network, 1 / rate);
        CAPTURE(n, rate, i);
        CHECK(-tick.elements[1].impulse * rate == Approx(force).epsilon(1e-9));
        network.adopt(tick);
    }
}

TEST_CASE("a door is followed through its stop with few steps", "[flow][joints]") {
    // First steps that are too short, and events that are met better than steps are, took a twentieth to a sixth more.
    const auto [c, d, most] =
        GENERATE(table<double, double, int>({{1e5, 0, 170}, {1e5, 50, 470}, {1e6, 0, 171}, {1e6, 50, 200}}));
    FlowNetwork network = Door{c, d}.network();
    int steps = 0;
    for (int i = 0; i < 120; ++i) {
        const TickResult tick = solveTick(network, 1. / 60);
        steps += tick.steps;
        network.adopt(tick);
    }
    CAPTURE(c, d, steps);
    CHECK(steps <= most);
}

TEST_CASE("a door that leaves its damped stop gets no speed from what the damper holds back", "[flow][joints]") {
    constexpr double kDepth = 2e-5;
    constexpr double kRate = 2.5;
    constexpr double h = 1e-4;
    const auto characteristic = GENERATE(GapCharacteristic::BoundedDamper, GapCharacteristic::NoPull);
    FlowNetwork network = Door{1e5, 10, 0}.network();
    network.elements[0].law = ElastoGapLaw({.c = 1e5, .d = 10, .characteristic = characteristic});
    const double angle = -std::asin(kDepth);
    network.bodies[0] = bar(0, 0, angle);
    network.bodies[0].angularVelocity = {0, 0, kRate};
    network.bodies[0].velocity = network.bodies[0].angularVelocity.cross(network.bodies[0].position);
    const TickResult tick = solveTick(network, h);
    CHECK(tick.elements[0].impulse == 0);
    CHECK(tick.elements[0].heat == Approx(0.5 * 1e5 * kDepth * kDepth).epsilon(1e-6));
    // It is out of the stop, slowed down by its weight alone.
    CHECK(tick.elements[0].s > 0);
    const double slower = 1.5 * kGravity * h * std::cos(angle);
    CHECK(std::abs(tick.bodies[0].angularVelocity.z() - (kRate - slower)) < 1e-9);
}

TEST_CASE("a loop of hinges moves though its rows follow from one another", "[flow][joints]") {
    // A parallelogram: two cranks of 1 m and a coupler of 1 m that stays level; all mass, so that
    // (2/3 + 1) w' = -(1/2 + 1/2 + 1) g cos(angle).
    const double rate = GENERATE(60., 240.);
    FlowNetwork network;
    network.bodies = {bar(0, 0, 0.5), bar(1, 0, 0.5), bar(std::cos(0.5), std::sin(0.5), 0)};
    addHinge(network, kWorld, {0, 0, 0}, 0, {-0.5, 0, 0});
    addHinge(network, kWorld, {1, 0, 0}, 1, {-0.5, 0, 0});
    addHinge(network, 0, {0.5, 0, 0}, 2, {-0.5, 0, 0});
    addHinge(network, 1, {0.5, 0, 0}, 2, {0.5, 0, 0});
    const double g = GENERATE(kGravity);
    const auto equation = [g](const Eigen::VectorXd& y) {
        Eigen::VectorXd dy(2);
        dy << y[1], -2 * g * std::cos(y[0]) / (5. / 3);
        return dy;
    };
    Eigen::VectorXd oracle = Eigen::Vector2d(0.5, 0);
    const double start = energyOf(network);
    double worst = 0;
    for (int i = 0; i < static_cast<int>(0.5 * rate); ++i) {
        network.adopt(solveTick(network, 1 / rate));
        oracle = elasto::test::rungeKutta(equation, oracle, 1 / rate, 200);
        worst = std::max(worst, std::abs(angleOf(network.bodies[0]) - oracle[0]));
    }
    CAPTURE(rate, worst);
    CHECK(worst < 1e-7);
    CHECK(energyOf(network) <= start + 1e-10);
    CHECK(energyOf(network) > start - 1e-5);
}

TEST_CASE("joints found apart close without a kick", "[flow][joints]") {
    FlowNetwork network = Door{1e4, 5}.network();
    network.bodies[0].position.x() += 1e-3;
    network.bodies[0].velocity = {0.1, 0.2, -0.3};
    const double start = energyOf(network);
    double last = 2e-3;
    for (int i = 0; i < 60; ++i) {
        network.adopt(solveTick(network, 1. / 60));
        const FlowBody& body = network.bodies[0];
        const double apart = (body.position - body.orientation * Vector3d(0.5, 0, 0)).norm();
        CHECK(apart <= last * 0.85 + 1e-9);
        CHECK(energyOf(network) <= start + 0.02);
        last = apart;
    }
    CHECK(last < 1e-6);
}

TEST_CASE("a hairline that closes in a joint keeps a tick of rest within its budget", "[flow][joints]") {
    FlowNetwork network = Door{1e6, 2e4}.network();
    network.bodies[0] = bar(0, 0, std::asin(-0.5));
    for (int i = 0; i < 240; ++i) network.adopt(solveTick(network, 1. / 120));
    network.bodies[0].position.y() -= 5e-10;
    for (int i = 0; i < 3; ++i) {
        const TickResult tick = solveTick(network, 1. / 120);
        CAPTURE(i);
        CHECK_FALSE(tick.overBudget);
        CHECK(tick.elements[0].impulse * 120 == Approx(-kGravity / 2).epsilon(1e-6));
        network.adopt(tick);
    }
    CHECK((network.bodies[0].position - network.bodies[0].orientation * Vector3d(0.5, 0, 0)).norm() < 1e-12);
}

TEST_CASE("a budget of few steps keeps joints and gains nothing", "[flow][joints]") {
    FlowSettings settings;
    settings.maxSteps = 2;
    FlowNetwork network = Door{1e6, 5}.network();
    double before = energyOf(network);
    int fallbacks = 0;
    double path = 0;  // of the door's middle [m]: what stands still gains nothing, either
    for (int i = 0; i < 120; ++i) {
        const Vector3d position = network.bodies[0].position;
        const TickResult tick = solveTick(network, 1. / 60, settings);
        path += (tick.bodies[0].position - position).norm();
        fallbacks += tick.method == FlowMethod::Implicit;
        network.adopt(tick);
        const FlowBody& body = network.bodies[0];
        CHECK((body.position - body.orientation * Vector3d(0.5, 0, 0)).norm() < 1e-4);
        CHECK(energyOf(network) + tick.elements[0].heat <= before + tick.jointEnergy + 1e-9);
        before = energyOf(network);
    }
    CHECK(fallbacks > 0);
    CHECK(path > 1);
}

TEST_CASE("a strongly damped element on a chain of hinges is left to RODAS4", "[flow][joints]") {
    // Ten links hang from the first hinge; a damper holds the last one back.
    FlowNetwork network;
    for (int i = 0; i < 10; ++i) {
        network.bodies.push_back(bar(i, 0, 0));
        addHinge(network, i - 1, Vector3d(i == 0 ? 0 : 0.5, 0, 0), i, {-0.5, 0, 0});
    }
    FlowElement damper{SpringDamperLaw({.c = 1e4, .d = 3e4, .s_rel0 = 1})};
    damper.geometry = Geometry::AlongLine;
    damper.b = 9;
    damper.pointA = {10, 1, 0};
    damper.pointB = {0.5, 0, 0};
    network.elements.push_back(damper);
    double before = energyOf(network);
    int steps = 0;
    for (int i = 0; i < 30; ++i) {
        const TickResult tick = solveTick(network, 1. / 60);
        CHECK(tick.method == FlowMethod::Rodas4);
        network.adopt(tick);
        const double energy = energyOf(network);
        CHECK(energy + tick.elements[0].heat <= before + 1e-5);  // of some 100 J in play
        CHECK(energy + tick.elements[0].heat >= before - 1e-5);
        CHECK(energy <= before);
        before = energy;
        steps += tick.steps;
    }
    CAPTURE(steps);
    CHECK(steps < 30 * 80 * 4);  // each takes as long as four explicit ones
}

TEST_CASE("a bar that turns round in flight keeps its tick within its budget", "[flow][joints]") {
    const double rate = GENERATE(60., 240.);
    const double c = GENERATE(1e4, 1e5, 1e6);
    FlowNetwork network;
    network.bodies.push_back(bar(0, 0, 0.3));
    addHinge(network, kWorld, Vector3d::Zero(), 0, {-0.5, 0, 0});
    FlowElement gap{ElastoGapLaw({.c = c, .d = 50})};
    gap.axis = Vector3d::UnitY();
    gap.b = 0;
    gap.pointB = {0.5, 0, 0};
    network.elements.push_back(gap);
    for (int i = 0; i < static_cast<int>(2 * rate); ++i) {
        const TickResult tick = solveTick(network, 1 / rate);
        CAPTURE(rate, c, i);
        CHECK_FALSE(tick.overBudget);
        network.adopt(tick);
    }
}

TEST_CASE("a chain of ball joints swings with few steps that are not in vain, and keeps its energy", "[flow][joints]") {
    FlowNetwork network;
    for (int i = 0; i < 10; ++i) {
        FlowBody link = FlowBody::rigid(1, {3e-4, 3.5e-3, 3.5e-3});
        link.position = {0.1 + 0.2 * i, 0, 0};
        link.force.constant = {0, -kGravity, 0};
        network.bodies.push_back(link);
        addBall(network, i - 1, {i == 0 ? 0 : 0.1, 0, 0}, i, {-0.1, 0, 0});
    }
    const double start = energyOf(network);
    int steps = 0;
    for (int i = 0; i < 120; ++i) {
        const TickResult tick = solveTick(network, 1. / 60);
        steps += tick.steps;
        network.adopt(tick);
    }
    // It falls by two metres and whips round; the ends of its tail turn by 1 rad per tick. With steps twice as long at
    // first 502 are taken.
    CAPTURE(steps, energyOf(network) - start);
    CHECK(steps < 480);
    CHECK(energyOf(network) <= start + 1e-9);
    CHECK(energyOf(network) > start - 1e-6);
}

}  // namespace joints_test
