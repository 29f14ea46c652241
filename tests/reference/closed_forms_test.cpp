// Motions on a line whose solution is known in closed form.

#include <elasto/reference/reference.h>

#include <Eigen/Eigenvalues>
#include <catch2/catch.hpp>

#include <cmath>
#include <cstdio>

#include "problems.h"

using namespace elasto;
using namespace elasto::test;
using Catch::WithinAbs;

namespace {

constexpr double kGravity = 9.80665;
constexpr double kPi = 3.141592653589793;

/// Height of a mass that is dropped from height h onto an undamped stop at 0 and bounces for ever.
double bouncingHeight(double m, double c, double h, double t) {
    const double omega = std::sqrt(c / m);
    const double speed = std::sqrt(2 * kGravity * h);
    const double fall = speed / kGravity;
    const double contact = 2 * (kPi - std::atan2(speed * omega, kGravity)) / omega;
    if (t < fall) return h - kGravity * t * t / 2;
    const double phase = std::fmod(t - fall, contact + 2 * fall);
    if (phase < contact)
        return -kGravity / omega / omega * (1 - std::cos(omega * phase)) - speed / omega * std::sin(omega * phase);
    const double flight = phase - contact;
    return speed * flight - kGravity * flight * flight / 2;
}

/// y(t) of y' = A y through its eigenvectors.
Eigen::VectorXd linearSolution(const Eigen::MatrixXd& A, const Eigen::VectorXd& y0, double t) {
    const Eigen::EigenSolver<Eigen::MatrixXd> modes(A);
    const Eigen::VectorXcd share = modes.eigenvectors().partialPivLu().solve(y0.cast<std::complex<double>>());
    const Eigen::VectorXcd grown = (modes.eigenvalues() * t).array().exp().matrix().cwiseProduct(share);
    return (modes.eigenvectors() * grown).real();
}

ReferenceProblem dropped(double m, double height, const Law& law) {
    ReferenceProblem problem;
    problem.network.bodies = {ball(m, {height, 0, 0}, {0, 0, 0}, {-m * kGravity, 0, 0})};
    problem.network.elements = {fromOrigin(law)};
    return problem;
}

}  // namespace

TEST_CASE("a mass bounces on an undamped stop as the closed form says") {
    const std::vector<double> times = evenTimes(2, 480);
    for (double c : {1e3, 1e6, 1e9}) {
        const ReferenceSolution solution = solveReference(dropped(0.2, 0.3, ElastoGapLaw({.c = c, .d = 0})), times);
        double worst = 0;
        for (const ReferenceState& state : solution.states)
            worst = std::max(worst, std::abs(state.bodies[0].position.x() - bouncingHeight(0.2, c, 0.3, state.time)));
        std::printf("bouncing, c = %.0e: largest error %.1e m of 0.3 m, %ld steps\n", c, worst,
                    solution.statistics.steps);
        CHECK(worst < 1e-9);
        CHECK(solution.events.size() >= 6);
        const ReferenceElementState& end = solution.states.back().elements[0];
        CHECK(end.heat == 0);
    }
}

TEST_CASE("a Hertz contact lasts and compresses as long and as far as theory says") {
    const double m = 0.2;
    const double c = 1e7;
    const double speed = 1.5;
    ReferenceProblem problem;
    problem.network.bodies = {ball(m, {0.1, 0, 0}, {-speed, 0, 0})};
    problem.network.elements = {fromOrigin(ElastoGapLaw({.c = c, .d = 0, .n = 1.5}))};
    const double depth = std::pow(1.25 * m * speed * speed / c, 0.4);
    // Twice the integral of dx / sqrt(1 - x^(5/2)).
    const double lasts = 2 * depth / speed * std::sqrt(kPi) * std::tgamma(1.4) / std::tgamma(0.9);
    const double begin = 0.1 / speed;

    const std::vector<double> times = {0, begin + lasts / 2, 1};
    const ReferenceSolution solution = solveReference(problem, times);
    REQUIRE(solution.events.size() == 2);
    CHECK_THAT(solution.events[0].time, WithinAbs(begin, 1e-14));
    CHECK_THAT(solution.events[1].time - begin, WithinAbs(lasts, 1e-8 * lasts));
    CHECK_THAT(solution.events[0].speed, WithinAbs(speed, 1e-12));
    CHECK_THAT(solution.events[1].speed, WithinAbs(speed, 1e-9));
    CHECK_THAT(-solution.states[1].elements[0].s, WithinAbs(depth, 1e-10 * depth));
    // The impulse turns the velocity round.
    CHECK_THAT(-solution.states[2].elements[0].impulse, WithinAbs(2 * m * speed, 1e-10));
}

TEST_CASE("springs and dampers in parallel and in series follow their linear equations") {
    struct Case {
        double m, c, d;
        bool series;
        bool stiff;
    };
    for (const Case& p :
         {Case{1, 100, 2, false, false}, Case{0.1, 1e6, 10, false, false}, Case{0.01, 1000, 2e4, false, true},
          Case{2, 500, 30, true, false}, Case{1, 1e4, 0.01, true, true}}) {
        INFO("m = " << p.m << ", c = " << p.c << ", d = " << p.d << (p.series ? ", in series" : ", in parallel"));
        ReferenceProblem problem;
        problem.network.bodies = {ball(p.m, {0.3, 0, 0}, {0.7, 0, 0})};
        problem.network.elements = {fromOrigin(p.series ? Law(SpringDamperSeriesLaw({.c = p.c, .d = p.d}))
                                                        : Law(SpringDamperLaw({.c = p.c, .d = p.d})))};
        problem.network.elements[0].s_damper = 0.1;
        // State x, v, s_damper.
        Eigen::Matrix3d A = Eigen::Matrix3d::Zero();
        A(0, 1) = 1;
        if (p.series) {
            A.row(1) << -p.c / p.m, 0, p.c / p.m;
            A.row(2) << p.c / p.d, 0, -p.c / p.d;
        } else {
            A.row(1) << -p.c / p.m, -p.d / p.m, 0;
        }
        const std::vector<double> times = evenTimes(3, 90);
        const ReferenceSolution solution = solveReference(problem, times);
        CHECK((solution.statistics.bdfStarts > 0) == p.stiff);
        for (const ReferenceState& state : solution.states) {
            const Eigen::VectorXd exact = linearSolution(A, Eigen::Vector3d(0.3, 0.7, 0.1), state.time);
            const double tolerance = p.stiff ? 1e-8 : 1e-9;
            CHECK_THAT(state.bodies[0].position.x(), WithinAbs(exact[0], tolerance));
            CHECK_THAT(state.bodies[0].velocity.x(), WithinAbs(exact[1], tolerance * std::sqrt(p.c / p.m)));
            if (p.series) CHECK_THAT(state.elements[0].s_damper, WithinAbs(exact[2], tolerance));
        }
        // Nothing is lost: heat is what is missing from the energy.
        const ReferenceState& last = solution.states.back();
        const auto energy = [&](const ReferenceState& state) {
            return kineticEnergy(problem.network.bodies[0], state.bodies[0]) + state.elements[0].storedEnergy +
                   state.elements[0].heat;
        };
        const double start = energy(solution.states[0]);
        CHECK_THAT(energy(last), WithinAbs(start, (p.stiff ? 1e-8 : 1e-9) * start));
    }
}

TEST_CASE("a series element without damper or without spring has no force") {
    for (bool springless : {false, true}) {
        ReferenceProblem problem;
        problem.network.bodies = {ball(1, {0.3, 0, 0}, {1, 0, 0})};
        problem.network.elements = {fromOrigin(
            SpringDamperSeriesLaw({.c = springless ? 0. : 50., .d = springless ? 3. : 0., .s_unstretched = 0.1}))};
        problem.network.elements[0].s_damper = 0.05;
        const std::vector<double> times = {0, 2};
        const ReferenceElementState end = solveReference(problem, times).states.back().elements[0];
        CHECK_THAT(end.s, WithinAbs(2.3, 1e-12));
        CHECK(end.force.f == 0);
        CHECK_THAT(end.s_damper, WithinAbs(springless ? 0.05 : 2.2, 1e-12));
    }
}

TEST_CASE("loads act as the functions of time they are") {
    ReferenceProblem problem;
    problem.network.bodies = {ball(2, {0, 0, 0})};
    problem.network.bodies[0].force = {{4, 0, 0}, {0, 6, 0}, {0, 0, 24}};
    problem.drives.resize(1);
    // Jumps at 0.4 s, which is told as a break.
    problem.drives[0].force = [](double t) { return Eigen::Vector3d(t < 0.4 ? 0 : 10, 0, 0); };
    problem.drives[0].torque = [](double t) { return Eigen::Vector3d(0.008 * std::cos(5 * t), 0, 0); };
    problem.drives[0].linearDamping = 0;
    problem.breaks = {0.4};
    const std::vector<double> times = {0, 1};
    const BodyState end = solveReference(problem, times).states.back().bodies[0];
    CHECK_THAT(end.position.x(), WithinAbs(1 + 2.5 * 0.36, 1e-12));
    CHECK_THAT(end.velocity.x(), WithinAbs(2 + 3, 1e-12));
    CHECK_THAT(end.velocity.y(), WithinAbs(1.5, 1e-12));
    CHECK_THAT(end.position.y(), WithinAbs(0.5, 1e-12));
    CHECK_THAT(end.position.z(), WithinAbs(1, 1e-12));
    CHECK_THAT(end.angularVelocity.x(), WithinAbs(std::sin(5.) / 5, 1e-12));  // inertia 0.008 kg.m2
}

TEST_CASE("a body's damping is the decay that a factor per tick samples") {
    ReferenceProblem problem;
    problem.network.bodies = {ball(2, {0, 0, 0}, {3, 0, 0})};
    problem.network.bodies[0].angularVelocity = {0, 0, 4};
    problem.drives.resize(1);
    problem.drives[0].linearDamping = 0.2;
    problem.drives[0].angularDamping = 0.5;
    const std::vector<double> times = {0, 2};
    const BodyState end = solveReference(problem, times).states.back().bodies[0];
    CHECK_THAT(end.velocity.x(), WithinAbs(3 * 0.64, 1e-11));
    CHECK_THAT(end.angularVelocity.z(), WithinAbs(1, 1e-11));
}

TEST_CASE("a kinematic body drives an element along its path") {
    // A base moves with 0.5 m/s for 0.6 s and stops; a mass hangs on it by a spring.
    const double omega = 30;
    ReferenceProblem problem;
    problem.network.bodies = {ball(1, {1, 0, 0}), FlowBody{}};
    problem.network.elements = {between(SpringDamperLaw({.c = omega * omega, .d = 0, .s_rel0 = 1}), Geometry::AlongAxis,
                                        1, {0, 0, 0}, 0, {0, 0, 0})};
    problem.drives.resize(2);
    problem.drives[1].motion = [](double t) {
        BodyState state;
        state.position.x() = 0.5 * std::min(t, 0.6);
        state.velocity.x() = t < 0.6 ? 0.5 : 0;
        return state;
    };
    problem.breaks = {0.6};
    const std::vector<double> times = evenTimes(1, 50);
    // Deflection of the spring, first with a base that moves off, then from where that left it.
    const double stretch = -0.5 / omega * std::sin(omega * 0.6);
    const double rate = 0.5 - 0.5 * std::cos(omega * 0.6);
    for (const ReferenceState& state : solveReference(problem, times).states) {
        const double t = state.time - 0.6;
        const double exact = t <= 0 ? 0.5 * state.time - 0.5 / omega * std::sin(omega * state.time)
                                    : 0.3 + stretch * std::cos(omega * t) + rate / omega * std::sin(omega * t);
        CHECK_THAT(state.bodies[0].position.x(), WithinAbs(1 + exact, 1e-11));
        CHECK_THAT(state.bodies[1].position.x(), WithinAbs(0.5 * std::min(state.time, 0.6), 1e-15));
    }
}

TEST_CASE("an immovable body keeps its velocities") {
    ReferenceProblem problem;
    FlowBody turning;
    turning.velocity = {1, 2, 3};
    turning.angularVelocity = {0, 0, kPi};
    problem.network.bodies = {turning};
    const std::vector<double> times = {0, 0.5};
    const BodyState end = solveReference(problem, times).states.back().bodies[0];
    CHECK((end.position - Eigen::Vector3d(0.5, 1, 1.5)).norm() < 1e-15);
    CHECK((end.orientation * Eigen::Vector3d::UnitX() - Eigen::Vector3d::UnitY()).norm() < 1e-15);
}
