#pragma once
// A second opinion on bodies under line elements, that shares nothing with the flow: classical Runge-Kutta at a fixed,
// very small step on equations written out by hand.

#include <Eigen/Core>
#include <Eigen/Geometry>

#include <functional>

namespace elasto::test {

/// y' = f(y) by the classical fourth order method, n steps of h / n.
inline Eigen::VectorXd rungeKutta(const std::function<Eigen::VectorXd(const Eigen::VectorXd&)>& f, Eigen::VectorXd y,
                                  double h, int n) {
    const double dt = h / n;
    for (int i = 0; i < n; ++i) {
        const Eigen::VectorXd k1 = f(y);
        const Eigen::VectorXd k2 = f(y + 0.5 * dt * k1);
        const Eigen::VectorXd k3 = f(y + 0.5 * dt * k2);
        const Eigen::VectorXd k4 = f(y + dt * k3);
        y += dt / 6 * (k1 + 2 * k2 + 2 * k3 + k4);
    }
    return y;
}

}  // namespace elasto::test
