#pragma once
// A second opinion on trees under elements, that shares nothing with the flow but the public laws: equations of motion
// written out by hand, and the classical Runge-Kutta method at a fixed, very small step.

#include <elasto/flow_tree.h>

#include <Eigen/Core>

#include <algorithm>
#include <cmath>
#include <vector>

namespace elasto::test {

/// Positions of N coordinates, then their velocities.
template <int N>
using OracleVector = Eigen::Matrix<double, 2 * N, 1>;

/// One course: the state at every tick. @param acceleration of (t, y), N numbers
template <int N, class Acceleration>
std::vector<OracleVector<N>> treeCourse(OracleVector<N> y, double h, int ticks, double step,
                                        const Acceleration& acceleration) {
    std::vector<OracleVector<N>> course;
    const int steps = static_cast<int>(std::ceil(h / step));
    const double dt = h / steps;
    const auto slope = [&](double t, const OracleVector<N>& at) {
        OracleVector<N> result;
        result.template head<N>() = at.template tail<N>();
        result.template tail<N>() = acceleration(t, at);
        return result;
    };
    for (int i = 0; i < ticks; ++i) {
        for (int k = 0; k < steps; ++k) {
            const double t = i * h + k * dt;
            const OracleVector<N> k1 = slope(t, y);
            const OracleVector<N> k2 = slope(t + dt / 2, y + dt / 2 * k1);
            const OracleVector<N> k3 = slope(t + dt / 2, y + dt / 2 * k2);
            const OracleVector<N> k4 = slope(t + dt, y + dt * k3);
            y += dt / 6 * (k1 + 2 * k2 + 2 * k3 + k4);
        }
        course.push_back(y);
    }
    return course;
}

/// Root of the mean square of the differences by the range of the reference, of the worst of N coordinates.
template <int N>
double worstNrmse(const std::vector<OracleVector<N>>& reference, const std::vector<OracleVector<N>>& values) {
    double worst = 0;
    for (int i = 0; i < N; ++i) {
        double sum = 0, low = reference[0][i], high = low;
        for (std::size_t k = 0; k < values.size(); ++k) {
            const double error = values[k][i] - reference[k][i];
            sum += error * error;
            low = std::min(low, reference[k][i]);
            high = std::max(high, reference[k][i]);
        }
        worst = std::max(worst, std::sqrt(sum / static_cast<double>(values.size())) / (high - low));
    }
    return worst;
}

}  // namespace elasto::test
