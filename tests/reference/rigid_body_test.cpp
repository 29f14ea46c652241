// Bodies that turn: what is conserved, closed forms, and the angle of a rotational element.

#include <elasto/reference/reference.h>

#include <catch2/catch.hpp>

#include <cmath>

#include "problems.h"

namespace rigid_body_test {

using namespace elasto;
using namespace elasto::test;
using Catch::WithinAbs;
using Eigen::Quaterniond;
using Eigen::Vector3d;

namespace {

constexpr double kPi = 3.141592653589793;

FlowBody box(const Vector3d& inertia) {
    FlowBody body;
    body.inverseMass = 1;
    body.inverseInertia = inertia.cwiseInverse();
    return body;
}

}  // namespace

TEST_CASE("a box that tumbles freely keeps energy and angular momentum") {
    ReferenceProblem problem;
    problem.network.bodies = {box({0.01, 0.02, 0.03})};
    FlowBody& body = problem.network.bodies[0];
    body.orientation = Quaterniond(0.5, 0.1, -0.7, 0.4).normalized();
    body.angularVelocity = body.orientation * Vector3d(0.01, 8, 0.02);  // about the middle axis: it turns over
    const double energy = kineticEnergy(body, body);
    const Vector3d momentum = angularMomentum(body, body);
    const std::vector<double> times = evenTimes(5, 100);
    double least = 1;
    for (const ReferenceState& state : solveReference(problem, times).states) {
        CHECK_THAT(kineticEnergy(body, state.bodies[0]), WithinAbs(energy, 1e-11 * energy));
        CHECK((angularMomentum(body, state.bodies[0]) - momentum).norm() < 1e-11 * momentum.norm());
        const Vector3d w = state.bodies[0].orientation.conjugate() * state.bodies[0].angularVelocity;
        least = std::min(least, w.y() / 8);
    }
    CHECK(least < -0.9);
}

TEST_CASE("a symmetric top precesses at the rate of the closed form") {
    ReferenceProblem problem;
    problem.network.bodies = {box({0.02, 0.02, 0.03})};
    FlowBody& body = problem.network.bodies[0];
    body.angularVelocity = {2, 0, 6};
    const std::vector<double> times = {0, 1.7};
    SECTION("with the gyroscopic term") {
        const BodyState end = solveReference(problem, times).states.back().bodies[0];
        const Vector3d w = end.orientation.conjugate() * end.angularVelocity;
        const double angle = (0.03 - 0.02) / 0.02 * 6 * 1.7;
        CHECK((w - Vector3d(2 * std::cos(angle), 2 * std::sin(angle), 6)).norm() < 1e-10);
    }
    SECTION("without it the angular velocity stays") {
        body.gyroscopic = false;
        const BodyState end = solveReference(problem, times).states.back().bodies[0];
        CHECK((end.angularVelocity - Vector3d(2, 0, 6)).norm() < 1e-13);
        const Quaterniond exact(Eigen::AngleAxisd(1.7 * std::sqrt(40.), Vector3d(2, 0, 6).normalized()));
        CHECK(end.orientation.angularDistance(exact) < 1e-11);
    }
}

TEST_CASE("factors scale accelerations per world axis") {
    ReferenceProblem problem;
    problem.network.bodies = {box({0.1, 0.1, 0.1})};
    FlowBody& body = problem.network.bodies[0];
    body.force.constant = {1, 1, 1};
    body.torque.constant = {0.1, 0.1, 0.1};
    body.linearFactor = {0, 0.5, 1};
    body.angularFactor = {1, 0, 0.25};
    const std::vector<double> times = {0, 1};
    const BodyState end = solveReference(problem, times).states.back().bodies[0];
    CHECK((end.velocity - Vector3d(0, 0.5, 1)).norm() < 1e-12);
    CHECK((end.angularVelocity - Vector3d(1, 0, 0.25)).norm() < 1e-12);
}

TEST_CASE("a mass that swings on a line spring keeps energy and angular momentum") {
    for (double c : {1e3, 1e5}) {
        ReferenceProblem problem;
        problem.network.bodies = {ball(1, {1, 0, 0}, {0, 8, 0})};
        problem.network.elements = {between(SpringDamperLaw({.c = c, .d = 0, .s_rel0 = 1}), Geometry::AlongLine, kWorld,
                                            {0, 0, 0}, 0, {0, 0, 0})};
        const std::vector<double> times = evenTimes(2, 50);
        for (const ReferenceState& state : solveReference(problem, times).states) {
            const double energy =
                kineticEnergy(problem.network.bodies[0], state.bodies[0]) + state.elements[0].storedEnergy;
            CHECK_THAT(energy, WithinAbs(32, 1e-9 * 32));
            CHECK_THAT(angularMomentum(problem.network.bodies[0], state.bodies[0]).z(), WithinAbs(8, 1e-9 * 8));
            CHECK_THAT(state.elements[0].s, WithinAbs(state.bodies[0].position.norm(), 1e-14));
        }
    }
}

TEST_CASE("elements between two bodies off their centres keep the momenta, and heat closes the energy") {
    for (Geometry geometry : {Geometry::AlongAxis, Geometry::AlongLine, Geometry::AboutAxis}) {
        INFO("geometry " << static_cast<int>(geometry));
        ReferenceProblem problem;
        problem.network.bodies = {box({0.01, 0.02, 0.03}), box({0.03, 0.025, 0.02})};
        FlowBody& first = problem.network.bodies[0];
        FlowBody& second = problem.network.bodies[1];
        second.inverseMass = 0.5;
        second.position = {1, 0.3, 0.2};
        second.orientation = Quaterniond(0.9, 0.1, 0.2, -0.3).normalized();
        first.velocity = {0.4, -0.2, 0};
        first.angularVelocity = {0.5, 1, -0.3};
        second.angularVelocity = {-0.4, 0.1, 0.8};
        FlowElement element = between(SpringDamperLaw({.c = 20, .d = 0.3, .s_rel0 = 0.5}), geometry, 0,
                                      {0.1, 0.2, -0.1}, 1, {-0.2, 0.05, 0.1});
        element.axis = Vector3d(1, 0.5, -0.2).normalized();
        // The frames start a little apart. Tilted by half a turn against each other they would have no angle.
        element.frameA = first.orientation.conjugate() * Quaterniond(0.8, 0, 0.5, 0.1).normalized();
        element.frameB = second.orientation.conjugate() * Quaterniond(0.8, 0.2, 0.4, 0).normalized();
        problem.network.elements = {element};

        const std::vector<double> times = evenTimes(2, 40);
        const ReferenceSolution solution = solveReference(problem, times);
        const auto momentum = [&](const ReferenceState& state) -> Vector3d {
            return state.bodies[0].velocity + 2 * state.bodies[1].velocity;
        };
        const auto turning = [&](const ReferenceState& state) -> Vector3d {
            return angularMomentum(first, state.bodies[0]) + angularMomentum(second, state.bodies[1]);
        };
        const auto energy = [&](const ReferenceState& state) {
            return kineticEnergy(first, state.bodies[0]) + kineticEnergy(second, state.bodies[1]) +
                   state.elements[0].storedEnergy + state.elements[0].heat;
        };
        const ReferenceState& start = solution.states[0];
        for (const ReferenceState& state : solution.states) {
            CHECK((momentum(state) - momentum(start)).norm() < 1e-10);
            CHECK((turning(state) - turning(start)).norm() < 1e-10);
            CHECK_THAT(energy(state), WithinAbs(energy(start), 1e-10));
        }
        CHECK(solution.states.back().elements[0].heat > 1e-3);
    }
}

TEST_CASE("the reported rate is the derivative of the reported coordinate") {
    for (Geometry geometry : {Geometry::AlongAxis, Geometry::AlongLine, Geometry::AboutAxis}) {
        INFO("geometry " << static_cast<int>(geometry));
        ReferenceProblem problem;
        problem.network.bodies = {box({0.01, 0.02, 0.03}), box({0.03, 0.025, 0.02})};
        problem.network.bodies[1].position = {1, 0.3, 0.2};
        problem.network.bodies[0].angularVelocity = {2, 1, -3};
        problem.network.bodies[1].angularVelocity = {-4, 1, 5};
        problem.network.bodies[1].velocity = {1, 2, 0};
        FlowElement element =
            between(SpringDamperLaw({.c = 0, .d = 0}), geometry, 0, {0.1, 0.2, -0.1}, 1, {-0.2, 0.05, 0.1});
        element.axis = Vector3d(1, 0.5, -0.2).normalized();
        element.frameA = Quaterniond(0.8, 0, 0.5, 0.1).normalized();
        problem.network.elements = {element};
        const double step = 1e-4;
        std::vector<double> times;
        for (int i = 0; i < 40; ++i)
            for (double offset : {0.0, step, 2 * step}) times.push_back(0.025 * i + offset);
        const ReferenceSolution solution = solveReference(problem, times);
        for (std::size_t k = 0; k + 2 < times.size(); k += 3) {
            const auto at = [&](std::size_t i) { return solution.states[k + i].elements[0]; };
            CHECK_THAT((at(2).s - at(0).s) / (2 * step), WithinAbs(at(1).v, 2e-5));
        }
    }
}

TEST_CASE("the angle of a rotational element counts turns") {
    // A flywheel runs down against a damper: w = w0 exp(-d t / J), more than six turns.
    ReferenceProblem problem;
    problem.network.bodies = {box({0.5, 0.5, 0.5})};
    problem.network.bodies[0].angularVelocity = {0, 0, 40};
    FlowElement element =
        between(SpringDamperLaw({.c = 0, .d = 0.4}), Geometry::AboutAxis, kWorld, {0, 0, 0}, 0, {0, 0, 0});
    element.axis = Vector3d::UnitZ();
    problem.network.elements = {element};
    const std::vector<double> times = {0, 0.5, 1, 3};
    for (const ReferenceState& state : solveReference(problem, times).states) {
        CHECK_THAT(state.elements[0].s, WithinAbs(50 * (1 - std::exp(-0.8 * state.time)), 1e-9));
        CHECK_THAT(state.elements[0].v, WithinAbs(40 * std::exp(-0.8 * state.time), 1e-9));
    }
    SECTION("from the turn that was given") {
        problem.network.elements[0].phi = -4 * kPi + 0.1;  // nearest: two turns back
        CHECK_THAT(solveReference(problem, times).states[0].elements[0].s, WithinAbs(-4 * kPi, 1e-12));
    }
}

}  // namespace rigid_body_test
