#pragma once
// An integrator that shares nothing with the flow but the public laws: extrapolated midpoint steps (Gragg, Bulirsch,
// Stoer) of order 12 on one branch of each law at a time, with every change of branch found by bisection. Slow and
// tight.

#include <elasto/law.h>

#include <Eigen/Core>

#include <optional>
#include <vector>

namespace elasto::test {

/// Elements with n = 1 on fixed directions: s'' = a0 + a1 t + a2 t^2 - W f.
struct OracleNetwork {
    std::vector<Law> laws;
    Eigen::MatrixXd W;
    Eigen::MatrixXd a;  ///< m x 3
};

/// Rows: s, v, z, P, sigma, sigmaT, sigmaTT, heat; one column per element.
struct OracleState {
    enum Row : Eigen::Index { kS, kV, kZ, kP, kSigma, kSigmaT, kSigmaTT, kHeat, kRows };
    static constexpr int kMostElements = 16;
    using Matrix = Eigen::Matrix<double, kRows, Eigen::Dynamic, 0, kRows, kMostElements>;
    Matrix y;
    explicit OracleState(Eigen::Index m) : y(Matrix::Zero(kRows, m)) {}
    double operator()(Row row, Eigen::Index i = 0) const { return y(row, i); }
    auto row(Row r) const { return y.row(r).transpose(); }
};

/// The state after h, or nothing if that takes more than maxSteps.
/// @param longestStep must be short against every contact and oscillation
std::optional<OracleState> integrate(const OracleNetwork& network, const OracleState& start, double h,
                                     double longestStep, int maxSteps, double tolerance = 1e-13);

}  // namespace elasto::test
