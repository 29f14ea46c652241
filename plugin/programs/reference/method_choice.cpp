#include "method_choice.h"

#include <Eigen/Eigenvalues>

#include <algorithm>
#include <cmath>

namespace elasto::reference {

ReferenceMethod chooseMethod(const Motion& motion, double t, const Motion::Vector& y, const Motion::Branches& branches,
                             const Motion::Vector& scales, double timeLeft) {
    const int n = motion.dynamicSize();
    if (n == 0) return ReferenceMethod::Adams;
    Motion::Vector base(motion.size());
    motion.derivative(t, y.data(), branches, base.data());
    Motion::Vector moved = y;
    Motion::Vector shifted(motion.size());
    Eigen::MatrixXd jacobian(n, n);
    for (int column = 0; column < n; ++column) {
        const double step = 1e-8 * scales[column];
        moved[column] = y[column] + step;
        motion.derivative(t, moved.data(), branches, shifted.data());
        jacobian.col(column) = (shifted - base).head(n) / (moved[column] - y[column]);
        moved[column] = y[column];
    }
    if (!jacobian.allFinite()) return ReferenceMethod::Adams;

    // Steps per radian of the fastest mode, at the tolerances in use: stability and accuracy of Adams; accuracy of BDF.
    constexpr double kAdamsStepsPerRadian = 5;
    constexpr double kBdfStepsPerRadian = 60;
    constexpr double kBdfStepCost = 3;  // Newton and Jacobians against one fixed-point iteration or two
    constexpr double kDiedOut = 25;     // exp(-25) = 1e-11
    double adams = 0;
    double bdf = 0;
    const Eigen::VectorXcd modes = jacobian.eigenvalues();
    for (const std::complex<double>& mode : modes) {
        const double speed = std::abs(mode);
        const double lifetime = mode.real() < 0 ? std::min(timeLeft, kDiedOut / -mode.real()) : timeLeft;
        adams = std::max(adams, kAdamsStepsPerRadian * speed * timeLeft);
        bdf = std::max(bdf, kBdfStepsPerRadian * speed * lifetime);
    }
    constexpr double kStart = 1000;  // of either: below it there is nothing to gain
    return kBdfStepCost * bdf + kStart < adams ? ReferenceMethod::Bdf : ReferenceMethod::Adams;
}

}  // namespace elasto::reference
