// The implicit step: elements over a sub-step, and networks over a tick of it.

#include <catch2/catch.hpp>

#include <elasto/flow.h>

#include "contact/contact_stand.h"
#include "implicit/implicit_tick.h"
#include "balance/joint_projection.h"
#include "balance/network_energy.h"
#include "balance/network_state.h"

namespace implicit_test {

using namespace elasto;
using namespace elasto::flow;
using namespace elasto::flow::implicit;

namespace {

constexpr double kTick = 1. / 60;

FlowBody ball(double m, double y) {
    FlowBody body = FlowBody::sphere(m, 0.05);
    body.position = {0, y, 0};
    return body;
}

FlowElement between(const Law& law, int a, int b) {
    FlowElement element{law};
    element.a = a;
    element.b = b;
    element.axis = {0, 1, 0};
    return element;
}

ElastoGapLaw gap(double c, double d, double n = 1) {
    return ElastoGapLaw({.c = c, .d = d, .n = n});
}

/// Ticks of the step alone.
ImplicitTick run(FlowNetwork& network, int ticks, int substeps) {
    ImplicitStep step;
    ImplicitTick tick;
    for (int i = 0; i < ticks; ++i) {
        step.solve(network, kTick, kTick / substeps, implicit::ElementDrift::Form::KeepsEnergy, 1000, tick);
        REQUIRE(tick.isSolved);
        network = tick.end;
        for (std::size_t k = 0; k < tick.contacts.size(); ++k) {
            network.contacts[k].impulse = tick.contacts[k].impulse;
            network.contacts[k].creep = tick.contacts[k].creep;
        }
    }
    return tick;
}

}  // namespace

TEST_CASE("an element's push over a sub-step grows with the rate, and takes heat") {
    const std::vector<Law> laws = {
        gap(1e4, 0),
        gap(1e4, 30),
        gap(1e4, 30, 1.5),
        ElastoGapLaw({.c = 1e4, .d = 30, .characteristic = GapCharacteristic::NoPull}),
        ElastoGapLaw({.c = 1e4, .d = 30, .characteristic = GapCharacteristic::Linear}),
        SpringDamperLaw({.c = 1e4, .d = 30}),
        SpringDamperSeriesLaw({.c = 1e4, .d = 30}),
        ElastoBacklashLaw({.c = 1e4, .d = 30, .b = 0.01}),
    };
    for (const Law& law : laws) {
        const HybridLaw row = HybridLaw::from(law);
        for (const double s : {-0.02, -1e-4, 1e-4, 0.02}) {
            for (const double dt : {1e-4, 2e-3}) {
                const ElementDrift drift(row, s, 0, dt, 1, ElementDrift::Form::KeepsEnergy);
                double last = -1e300;
                for (double u = -20; u <= 20; u += 0.25) {
                    const Push push = drift.at(u);
                    CHECK(push.before >= last);
                    CHECK(push.heat >= -1e-9);
                    CHECK(push.slope >= 0);
                    last = push.before;
                    // Its slope is the derivative, but for kinks.
                    const double e = 1e-6;
                    const double difference = (drift.at(u + e).before - drift.at(u - e).before) / (2 * e);
                    const double away = std::max(std::abs(drift.at(u + e).slope - push.slope),
                                                 std::abs(drift.at(u - e).slope - push.slope));
                    if (away < 1e-6 * push.slope) CHECK(difference == Approx(push.slope).epsilon(1e-4).margin(1e-9));
                }
            }
        }
    }
}

TEST_CASE("an undamped rebound keeps its energy, however stiff") {
    const double c = GENERATE(1e4, 1e6, 1e9);
    const double n = GENERATE(1., 1.5);
    const int substeps = GENERATE(4, 16);
    FlowNetwork network;
    network.bodies = {ball(1, 0.1), ball(2, 0.3)};
    for (FlowBody& body : network.bodies) body.force.constant = {0, -9.81 / body.inverseMass, 0};
    network.elements = {between(gap(c, 0, n), kWorld, 0), between(gap(c, 0, n), 0, 1)};
    const auto total = [&] {
        double sum = energy(network);
        for (const FlowBody& body : network.bodies) sum -= body.force.constant.dot(body.position);
        return sum;
    };
    const double before = total();
    double most = 0;
    for (int i = 0; i < 120; ++i) {
        run(network, 1, substeps);
        most = std::max(most, std::abs(total() - before));
    }
    CAPTURE(c, n, substeps, most, before);
    CHECK(most < 1e-6 * before);
}

// Balls that come from many distances meet the stop at all phases of a sub-step. The true rebound ends where spring and
// damper push no more: v+ = e v-, e = exp(-zeta t) of the damped oscillation.
TEST_CASE("a damped rebound loses in the mean what it must, in sub-steps longer than itself too") {
    const double dt = kTick / 4;
    for (const double zeta : {0.02, 0.05, 0.1}) {
        const double wd = std::sqrt(1 - zeta * zeta);
        const double t = (M_PI - std::atan2(2 * zeta * wd, 1 - 2 * zeta * zeta)) / wd;
        const double exact = -std::exp(-zeta * t) * (std::cos(wd * t) - zeta / wd * std::sin(wd * t));
        for (const double x : {0.3, 1., 2., 4.}) {
            const double w = x / dt;
            double mean = 0;
            constexpr int kPhases = 40;
            for (int i = 0; i < kPhases; ++i) {
                FlowNetwork network;
                network.bodies = {ball(1, 0.02 + dt * (i + 0.5) / kPhases)};
                network.bodies[0].velocity.y() = -1;
                network.elements = {between(gap(w * w, 2 * zeta * w), kWorld, 0)};
                run(network, 60, 4);
                mean += network.bodies[0].velocity.y() / kPhases;
            }
            CAPTURE(zeta, x, mean, exact);
            // A damper that counts once leaves 2 to 3 % too much at x = 1, 3 to 14 % at x = 4.
            CHECK(std::abs(mean - exact) < 0.02 * exact);
        }
    }
}

TEST_CASE("a damper too strong for the sub-step neither rings nor drives") {
    FlowNetwork network;
    network.bodies = {ball(1, 0)};
    network.bodies[0].velocity = {0, 3, 0};
    network.elements = {between(SpringDamperLaw({.c = 0, .d = 1e6}), kWorld, 0)};
    run(network, 1, 4);
    CHECK(std::abs(network.bodies[0].velocity[1]) < 1e-4);
    network.bodies[0].velocity = {0, 3, 0};
    network.elements = {between(SpringDamperLaw({.c = 0, .d = 20}), kWorld, 0)};
    run(network, 6, 4);
    CHECK(network.bodies[0].velocity[1] == Approx(3 * std::exp(-2)).epsilon(2e-3));
}

TEST_CASE("a ball rests on a plane, and a loaded one slides as Coulomb has it") {
    FlowNetwork network;
    network.bodies = {ball(2, 0.05)};
    network.bodies[0].angularFactor.setZero();
    network.bodies[0].force.constant = {0, -2 * 9.81, 0};
    FlowContact contact;
    contact.a = 0;
    contact.radius = 0.05;
    contact.friction = 0.5;
    network.contacts = {contact};
    ImplicitTick tick = run(network, 60, 4);
    CHECK(tick.contacts[0].impulse == Approx(2 * 9.81 * kTick));
    CHECK(network.bodies[0].velocity.norm() < 1e-6);
    CHECK(std::abs(network.bodies[0].position[1] - 0.05) < 1e-4);
    network.bodies[0].force.constant[0] = 5;  // less than 9.81
    run(network, 60, 4);
    CHECK(std::abs(network.bodies[0].position[0]) < 1e-4);
    network.bodies[0].force.constant[0] = 0;
    network.bodies[0].velocity = {3, 0, 0};
    run(network, 30, 4);
    CHECK(network.bodies[0].velocity[0] == Approx(3 - 0.5 * 9.81 * 0.5).epsilon(1e-2));
}

TEST_CASE("a pendulum on held rows is of order 2") {
    const auto angleAfter = [](int substeps) {
        FlowNetwork network;
        network.bodies = {FlowBody::rigid(1, {0.01, 0.01, 0.02})};
        network.bodies[0].position = {1, 0, 0};
        network.bodies[0].force.constant = {0, -9.81, 0};
        for (int axis = 0; axis < 3; ++axis) {
            HeldRow row;
            row.b = 0;
            row.pointB = {-1, 0, 0};
            row.axisA = Eigen::Vector3d::Unit(axis);
            network.joints.push_back(row);
        }
        run(network, 60, substeps);
        const Eigen::Vector3d& x = network.bodies[0].position;
        CHECK(x.norm() == Approx(1).epsilon(1e-4));
        return std::atan2(x[1], x[0]);
    };
    const double finest = angleAfter(128);
    const double coarse = std::abs(angleAfter(4) - finest);
    const double fine = std::abs(angleAfter(8) - finest);
    CAPTURE(coarse, fine);
    CHECK(coarse < 2e-3);
    CHECK(fine < coarse / 3);
}

TEST_CASE("where all stands still a damper in series goes on, and what it loses is heat") {
    const double c = GENERATE(1e2, 1e4, 1e6);
    const double d = GENERATE(10., 2e3, 1e6);
    const SpringDamperSeriesLaw law({.c = c, .d = d});
    FlowNetwork network;
    network.bodies.push_back(ball(1, 0.5));
    network.elements.push_back(between(law, kWorld, 0));
    ContactProblem problem;
    problem.place(network, BodyKinematics::of(network));
    ContactState state;
    problem.start(state);
    const double before = storedEnergy(network), z = state.z[0];
    standStill(problem, kTick, Eigen::Vector3d::Zero(), state);
    CAPTURE(c, d, state.z[0]);
    CHECK(state.s[0] == 0.5);
    CHECK(state.z[0] > z);
    CHECK(state.z[0] <= 0.5);
    network.elements[0].s_damper = state.z[0];
    CHECK(storedEnergy(network) + state.heat[0] == Approx(before));
    // Backward Euler: the force at the end, all along.
    CHECK(state.P[0] == Approx(d * (state.z[0] - z)));
}

}  // namespace implicit_test
