// The method for systems of which only a cheap part is fast, on an oscillator whose solution is known.

#include "numerics/split_rosenbrock.h"
#include "numerics/dense_lu.h"
#include "numerics/hybrid_integrator.h"

#include <catch2/catch.hpp>

#include <Eigen/LU>

#include <cmath>

using namespace elasto::flow;
using Eigen::VectorXd;

namespace {

/// x'' = -c (x - cos t) - d (x' + sin t) + g(t, x, x'), g = -cos t + x x' + sin t cos t: solved by x = cos t. The
/// spring and the damper are the cheap part.
class Oscillator final : public SplitSystem {
public:
    Oscillator(double c, double d, double tolerance) : m_c(c), m_d(d), m_tolerance(tolerance) {}

    double crossing = 2;  ///< the event: x falls below this
    double crossedAt = -1;
    int evaluations = 0;

    Eigen::Index size() const override { return 2; }
    void derivative(double t, const VectorXd& y, VectorXd& dydt) override {
        ++evaluations;
        quick(t, y, dydt);
        dydt[1] += -std::cos(t) + y[0] * y[1] + std::sin(t) * std::cos(t);
    }
    bool refreshQuick(const VectorXd& /*y*/) override { return false; }
    void quick(double t, const VectorXd& y, VectorXd& dydt) override {
        dydt.resize(2);
        dydt[0] = y[1];
        dydt[1] = -m_c * (y[0] - std::cos(t)) - m_d * (y[1] + std::sin(t));
    }
    void linearise(double, const VectorXd&) override {}
    bool factor(double g) override {
        m_g = g;
        return true;
    }
    void solve(VectorXd& r) const override {
        const double v = (r[1] - m_c / m_g * r[0]) / (m_g + m_d + m_c / m_g);
        r << (r[0] + v) / m_g, v;
    }
    double errorNorm(const VectorXd& error, const VectorXd&, double) const override {
        return error.cwiseAbs().maxCoeff() / m_tolerance;
    }
    int eventCount() const override { return crossing < 1 && crossedAt < 0 ? 1 : 0; }
    bool isEventLinear(int) const override { return true; }
    double eventValue(int, double, const VectorXd& y) const override { return y[0] - crossing; }
    void crossEvent(int, double t, VectorXd&) override { crossedAt = t; }

private:
    double m_c, m_d, m_tolerance, m_g = 0;
};

VectorXd exact(double t) {
    return Eigen::Vector2d(std::cos(t), -std::sin(t));
}

double errorOf(int steps) {
    Oscillator system(4, 1, 1e9);
    SplitRosenbrock stepper;
    stepper.begin(system);
    VectorXd y = exact(0);
    const double dt = 2.0 / steps;
    for (int i = 0; i < steps; ++i) {
        stepper.start(system, i * dt, y, i > 0);
        REQUIRE(stepper.step(system, dt));
        y = stepper.end();
    }
    return (y - exact(2)).cwiseAbs().maxCoeff();
}

}  // namespace

TEST_CASE("split steps converge with order 2", "[flow][hybrid]") {
    const double coarse = errorOf(160);
    const double fine = errorOf(640);
    CHECK(coarse < 1e-4);
    CHECK(std::log2(coarse / fine) / 2 > 1.9);
}

TEST_CASE("the dear part is evaluated once per split step, and once at the start", "[flow][hybrid]") {
    Oscillator system(1e8, 1e5, 1e-5);
    SplitRosenbrock stepper;
    stepper.begin(system);
    VectorXd y = exact(0);
    double t = 0;
    int steps = 0;
    REQUIRE(integrate(system, stepper, t, 1, y, 1000, steps) == Ended::AtEnd);
    CHECK((y - exact(1)).cwiseAbs().maxCoeff() < 1e-5);
    CHECK(steps < 60);  // an explicit method would need 5e4 of them
    CHECK(system.evaluations <= steps + 1);
}

TEST_CASE("a split step that ends on an event costs no evaluation of the dear part", "[flow][hybrid]") {
    Oscillator system(1e4, 1e2, 1e-5);
    system.crossing = std::cos(0.7);
    SplitRosenbrock stepper;
    stepper.begin(system);
    VectorXd y = exact(0);
    double t = 0;
    int steps = 0;
    REQUIRE(integrate(system, stepper, t, 1, y, 1000, steps) == Ended::AtEnd);
    CHECK(system.crossedAt == Approx(0.7).margin(1e-5));
    CHECK((y - exact(1)).cwiseAbs().maxCoeff() < 1e-4);
    CHECK(system.evaluations < steps);
}

TEST_CASE("small factors solve what they were made from", "[flow][hybrid]") {
    DenseLu factor;
    for (int n = 1; n <= 7; ++n) {
        Eigen::MatrixXd matrix(n, n);
        for (int i = 0; i < n; ++i) {
            for (int j = 0; j < n; ++j) matrix(i, j) = std::sin(1 + 3 * i + 7 * j * j) + (i + j == n - 1 ? 2 : 0);
        }
        REQUIRE(factor.compute(matrix));
        const VectorXd x = VectorXd::LinSpaced(n, -1, 2);
        VectorXd solved = matrix * x;
        factor.solve(solved.data());
        CHECK((solved - x).cwiseAbs().maxCoeff() < 1e-11);
    }
    CHECK_FALSE(factor.compute(Eigen::Matrix2d::Zero()));
    CHECK_FALSE(factor.compute(Eigen::Matrix2d::Constant(NAN)));
}
