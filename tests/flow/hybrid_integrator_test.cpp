// The integrator for systems with phases and its two methods, on problems whose solutions are known.

#include "numerics/hybrid_integrator.h"
#include "numerics/dop853.h"
#include "numerics/rodas4.h"
#include "numerics/rosenbrock_w.h"
#include "numerics/tuning.h"

#include <catch2/catch.hpp>

#include <cmath>
#include <functional>
#include <memory>
#include <vector>

using namespace elasto::flow;
using Eigen::VectorXd;

namespace {

/// A system written down in a test. Events call `cross` with (index, t, y).
class TestSystem : public HybridSystem {
public:
    using Slope = std::function<VectorXd(double, const VectorXd&)>;
    TestSystem(Eigen::Index n, Slope slope, double tolerance = 1e-10)
        : m_n(n), m_slope(std::move(slope)), m_tolerance(tolerance) {}

    std::vector<std::function<double(double, const VectorXd&)>> events;
    std::function<void(int, double, VectorXd&)> cross = [](int, double, VectorXd&) {};
    std::function<bool(VectorXd&)> project = [](VectorXd&) { return false; };
    std::vector<double> times;  ///< of the events
    std::size_t returnAfter = 1000000;

    Eigen::Index size() const override { return m_n; }
    void derivative(double t, const VectorXd& y, VectorXd& dydt) override { dydt = m_slope(t, y); }
    double errorNorm(const VectorXd& error, const VectorXd&, double) const override {
        return error.cwiseAbs().maxCoeff() / m_tolerance;
    }
    int eventCount() const override { return static_cast<int>(events.size()); }
    double eventValue(int i, double t, const VectorXd& y) const override {
        return events[static_cast<std::size_t>(i)](t, y);
    }
    void crossEvent(int i, double t, VectorXd& y) override {
        times.push_back(t);
        cross(i, t, y);
    }
    bool shouldReturn() const override { return times.size() >= returnAfter; }
    bool stepAccepted(double, VectorXd& y) override { return project(y); }

private:
    Eigen::Index m_n;
    Slope m_slope;
    double m_tolerance;
};

VectorXd vector(std::initializer_list<double> values) {
    VectorXd result(static_cast<Eigen::Index>(values.size()));
    std::copy(values.begin(), values.end(), result.begin());
    return result;
}

std::unique_ptr<Stepper> make(const std::string& method) {
    if (method == "DOP853") return std::make_unique<Dop853>();
    if (method.rfind("W-method", 0) == 0) return std::make_unique<RosenbrockW>();
    return std::make_unique<Rodas4>();
}

/// Knows nothing of its derivatives: (g I - 0) x = r.
class BlindSystem : public TestSystem {
public:
    using TestSystem::TestSystem;
    explicit BlindSystem(TestSystem other) : TestSystem(std::move(other)) {}
    void linearise(double, const VectorXd&) override {}
    bool factor(double g) override {
        m_g = g;
        return true;
    }
    void solve(VectorXd& r) const override { r /= m_g; }

private:
    double m_g = 0;
};

struct Outcome {
    Ended ended;
    double t = 0;
    int steps = 0;
};

Outcome run(TestSystem& system, const std::string& method, double tEnd, VectorXd& y, int maxSteps = 100000) {
    Outcome outcome{};
    outcome.ended = integrate(system, *make(method), outcome.t, tEnd, y, maxSteps, outcome.steps);
    return outcome;
}

/// Nonlinear and dependent on time: x' = x cos t, w' = -w^2 x cos t, solved by x = exp(sin t), w = 1/x.
TestSystem smooth() {
    return TestSystem(2, [](double t, const VectorXd& y) {
        return vector({y[0] * std::cos(t), -y[1] * y[1] * y[0] * std::cos(t)});
    });
}
VectorXd smoothSolution(double t) {
    return vector({std::exp(std::sin(t)), 1 / std::exp(std::sin(t))});
}

/// Largest error over [0, 2] with n equal steps: at their ends, and between.
struct Errors {
    double atEnds = 0;
    double between = 0;
    double estimate = 0;  ///< largest estimated error of a step
};
Errors errorsOf(const std::string& method, int n) {
    TestSystem smoothSystem = smooth();
    BlindSystem blind(smooth());
    TestSystem& system = method == "W-method, blind" ? blind : smoothSystem;
    const auto stepper = make(method);
    VectorXd y = smoothSolution(0);
    VectorXd inside(2);
    Errors errors;
    const double dt = 2.0 / n;
    for (int i = 0; i < n; ++i) {
        stepper->start(system, i * dt, y, i > 0);
        REQUIRE(stepper->step(system, dt));
        stepper->prepareInterpolation(system);
        for (const double theta : {0.25, 0.5, 0.8}) {
            stepper->interpolate(theta, inside);
            const double error = (inside - smoothSolution((i + theta) * dt)).cwiseAbs().maxCoeff();
            errors.between = std::max(errors.between, error);
        }
        errors.estimate = std::max(errors.estimate, stepper->error().cwiseAbs().maxCoeff());
        y = stepper->end();
        errors.atEnds = std::max(errors.atEnds, (y - smoothSolution((i + 1) * dt)).cwiseAbs().maxCoeff());
    }
    return errors;
}

double order(double coarse, double fine) {
    return std::log2(coarse / fine);
}

/// A mass thrown upwards: (height, speed).
TestSystem ball(double g = 9.80665) {
    return TestSystem(2, [g](double, const VectorXd& y) { return vector({y[1], -g}); });
}

}  // namespace

TEST_CASE("steps converge with the order of their method", "[flow][hybrid]") {
    SECTION("DOP853: 8 at the ends, 7 between them") {
        const Errors coarse = errorsOf("DOP853", 6);
        const Errors fine = errorsOf("DOP853", 12);
        CHECK(order(coarse.atEnds, fine.atEnds) > 7.5);
        CHECK(order(coarse.between, fine.between) > 6.5);
        CHECK(order(coarse.estimate, fine.estimate) > 7);
        CHECK(fine.atEnds < 1e-9);
    }
    SECTION("RODAS4: 4 at the ends, 3 between them") {
        const Errors coarse = errorsOf("RODAS4", 80);
        const Errors fine = errorsOf("RODAS4", 160);
        CHECK(order(coarse.atEnds, fine.atEnds) > 3.75);
        CHECK(order(coarse.between, fine.between) > 3.5);
        CHECK(order(coarse.estimate, fine.estimate) > 3.7);
        CHECK(fine.atEnds < 1e-8);
    }
    SECTION("the W-method: 3 everywhere, whatever matrix it has") {
        const std::string method = GENERATE("W-method", "W-method, blind");
        const Errors coarse = errorsOf(method, 160);
        const Errors fine = errorsOf(method, 320);
        CHECK(order(coarse.atEnds, fine.atEnds) > 2.75);
        CHECK(order(coarse.between, fine.between) > 2.75);
        CHECK(order(coarse.estimate, fine.estimate) > 2.7);
        CHECK(fine.atEnds < 1e-5);
    }
}

TEST_CASE("the error bound is kept", "[flow][hybrid]") {
    const std::string method = GENERATE("DOP853", "RODAS4");
    TestSystem system = smooth();
    VectorXd y = smoothSolution(0);
    const Outcome outcome = run(system, method, 5, y);
    CHECK(outcome.ended == Ended::AtEnd);
    CHECK(outcome.t == 5);
    CHECK((y - smoothSolution(5)).cwiseAbs().maxCoeff() < 1e-8);
    CHECK(outcome.steps < 2000);
}

TEST_CASE("a stiff decay costs few steps of RODAS4", "[flow][hybrid]") {
    // Prothero and Robinson: the solution is cos t whatever the stiffness.
    const double stiffness = GENERATE(1e3, 1e6, 1e9);
    TestSystem system(
        1, [=](double t, const VectorXd& y) { return vector({-stiffness * (y[0] - std::cos(t)) - std::sin(t)}); },
        1e-6);
    VectorXd y = vector({1});
    const Outcome outcome = run(system, "RODAS4", 3, y);
    CHECK(outcome.ended == Ended::AtEnd);
    CHECK(y[0] == Approx(std::cos(3)).margin(1e-5));
    CHECK(outcome.steps < 200);  // explicit steps would have to be as short as 3/stiffness
}

TEST_CASE("events are located where they happen", "[flow][hybrid]") {
    const std::string method = GENERATE("DOP853", "RODAS4");
    SECTION("zeros of a cosine, to the accuracy of the steps") {
        TestSystem system(
            2,
            [](double, const VectorXd& y) {
                return vector({y[1], -y[0]});
            },
            1e-9);
        double sign = 1;
        system.events = {[&](double, const VectorXd& y) { return sign * y[0]; }};
        system.cross = [&](int, double, VectorXd&) { sign = -sign; };
        VectorXd y = vector({1, 0});
        CHECK(run(system, method, 20, y).ended == Ended::AtEnd);
        REQUIRE(system.times.size() == 6);
        for (std::size_t k = 0; k < system.times.size(); ++k) {
            CHECK(system.times[k] == Approx((static_cast<double>(k) + 0.5) * M_PI).margin(2e-8));
        }
    }
    SECTION("a bouncing ball, exactly") {
        TestSystem system = ball();
        system.events = {[](double, const VectorXd& y) { return y[0]; }};
        system.cross = [](int, double, VectorXd& y) {
            y[0] = 0;
            y[1] = -0.8 * y[1];
        };
        VectorXd y = vector({0.3, 0});
        CHECK(run(system, method, 1.5, y).ended == Ended::AtEnd);
        const double fall = std::sqrt(2 * 0.3 / 9.80665);
        REQUIRE(system.times.size() == 5);
        double expected = fall;
        double flight = 2 * fall;
        for (const double time : system.times) {
            CHECK(time == Approx(expected).margin(2 * kEventTolerance));  // of a step
            flight *= 0.8;
            expected += flight;
        }
    }
    SECTION("the earliest of several, which may depend on time alone") {
        TestSystem system = ball();
        system.events = {[](double, const VectorXd& y) { return y[0]; },
                         [](double t, const VectorXd&) { return 0.1 - t; },
                         [](double t, const VectorXd&) { return 0.2 - t; }};
        system.returnAfter = 1;
        int which = -1;
        system.cross = [&](int i, double, VectorXd&) { which = i; };
        VectorXd y = vector({0.3, 0});
        const Outcome outcome = run(system, method, 1, y);
        CHECK(outcome.ended == Ended::AtEvent);
        CHECK(which == 1);
        CHECK(outcome.t == Approx(0.1).epsilon(1e-12));
        CHECK(y[1] == Approx(-0.980665).epsilon(1e-12));
    }
    SECTION("a brief touch inside a long step") {
        // Thrown up against a ceiling that the ball would cross by 1e-9 of its height.
        const double top = 1 / (2 * 9.80665);
        TestSystem system = ball();
        system.events = {[=](double, const VectorXd& y) { return top * (1 - 1e-9) - y[0]; }};
        system.returnAfter = 1;
        VectorXd y = vector({0, 1});
        CHECK(run(system, method, 1, y).ended == Ended::AtEvent);
        CHECK(y[1] == Approx(std::sqrt(1e-9)).epsilon(1e-3));
    }
    SECTION("and a touch that does not happen is none") {
        const double top = 1 / (2 * 9.80665);
        TestSystem system = ball();
        system.events = {[=](double, const VectorXd& y) { return top * (1 + 1e-9) - y[0]; }};
        VectorXd y = vector({0, 1});
        CHECK(run(system, method, 0.2, y).ended == Ended::AtEnd);
        CHECK(system.times.empty());
    }
}

TEST_CASE("an event as a step's end is met to the accuracy of the step, not of its interpolation", "[flow][hybrid]") {
    // Loose bound, long steps: the interpolation of a step is wrong by much more than the step's end.
    TestSystem system = smooth();
    const double target = std::exp(std::sin(1.2));
    system.events = {[=](double, const VectorXd& y) { return target - y[0]; }};
    system.returnAfter = 1;
    VectorXd y = smoothSolution(0);
    const std::string method = GENERATE("DOP853", "RODAS4");
    const Outcome outcome = run(system, method, 1.5, y);
    CHECK(outcome.ended == Ended::AtEvent);
    CHECK(y[0] == Approx(target).epsilon(1e-11));
    CHECK(outcome.t == Approx(1.2).margin(1e-8));
}

TEST_CASE("phases that alternate without time passing do not hold the integration", "[flow][hybrid]") {
    const std::string method = GENERATE("DOP853", "RODAS4");
    SECTION("driven back to the boundary from both sides") {
        double sign = 1;
        TestSystem system(1, [&](double, const VectorXd&) { return vector({-sign}); });
        system.events = {[&](double, const VectorXd& y) { return sign * y[0]; }};
        system.cross = [&](int, double, VectorXd&) { sign = -sign; };
        VectorXd y = vector({0.5});
        const Outcome outcome = run(system, method, 1, y);
        CHECK(outcome.ended == Ended::AtEnd);
        CHECK(std::abs(y[0]) <= 1. / 64);
        CHECK(outcome.steps < 1000);
    }
    SECTION("infinitely many bounces in a finite time") {
        TestSystem system = ball();
        system.events = {[](double, const VectorXd& y) { return y[0]; }};
        system.cross = [](int, double, VectorXd& y) {
            y[0] = 0;
            y[1] = -0.5 * y[1];
        };
        VectorXd y = vector({0.1, 0});
        const Outcome outcome = run(system, method, 1, y, 5000);
        CHECK(outcome.ended == Ended::AtEnd);
        CHECK(std::abs(y[0]) < 1e-2);
        CHECK(outcome.steps < 1000);
    }
}

TEST_CASE("many events at the same time are all crossed there", "[flow][hybrid]") {
    const int count = 20;
    TestSystem system = ball();
    std::vector<bool> crossed(count, false);
    for (std::size_t i = 0; i < count; ++i) {
        system.events.emplace_back([&crossed, i](double, const VectorXd& y) { return crossed[i] ? 1 : y[0]; });
    }
    system.cross = [&](int i, double, VectorXd& y) {
        crossed[static_cast<std::size_t>(i)] = true;
        y[0] = 0;
    };
    VectorXd y = vector({0.3, 0});
    CHECK(run(system, "DOP853", 0.5, y).ended == Ended::AtEnd);
    REQUIRE(system.times.size() == count);
    for (const double time : system.times)
        CHECK(time == Approx(std::sqrt(0.6 / 9.80665)).margin(kEventTolerance * 0.5));  // of the step
}

TEST_CASE("an integration that cannot go on says so and leaves a good state", "[flow][hybrid]") {
    const std::string method = GENERATE("DOP853", "RODAS4");
    SECTION("steps run out") {
        TestSystem system = smooth();
        VectorXd y = smoothSolution(0);
        const Outcome outcome = run(system, method, 5, y, 20);
        CHECK(outcome.ended == Ended::Exhausted);
        CHECK(outcome.steps == 20);
        CHECK(outcome.t > 0);
        CHECK(outcome.t < 5);
        CHECK((y - smoothSolution(outcome.t)).cwiseAbs().maxCoeff() < 1e-9);
    }
    SECTION("the solution ends") {
        // y' = y^2: infinite at t = 1.
        TestSystem system(
            1, [](double, const VectorXd& y) { return vector({y[0] * y[0]}); }, 1e-8);
        VectorXd y = vector({1});
        const Outcome outcome = run(system, method, 2, y);
        CHECK(outcome.ended == Ended::Exhausted);
        CHECK(outcome.t == Approx(1).margin(1e-3));
        CHECK(y.allFinite());
    }
    SECTION("the right-hand side is not a number") {
        TestSystem system(1, [](double, const VectorXd&) { return vector({NAN}); });
        VectorXd y = vector({1});
        CHECK(run(system, method, 1, y).ended == Ended::Exhausted);
        CHECK(y[0] == 1);
    }
}

TEST_CASE("a projection after each step is not undone", "[flow][hybrid]") {
    // A point on the unit circle, pulled back to it.
    TestSystem system(
        2,
        [](double, const VectorXd& y) {
            return vector({-y[1], y[0]});
        },
        1e-5);
    system.project = [](VectorXd& y) {
        y.normalize();
        return true;
    };
    VectorXd y = vector({1, 0});
    CHECK(run(system, GENERATE("DOP853", "RODAS4"), 50, y).ended == Ended::AtEnd);
    CHECK(y.norm() == Approx(1).epsilon(1e-15));
    CHECK(y[0] == Approx(std::cos(50)).margin(1e-2));
}
