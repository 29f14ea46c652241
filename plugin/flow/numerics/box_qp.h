#pragma once
// A small quadratic program: which of several bounded forces act, and how strongly.

#include "numerics/tuning.h"

#include <Eigen/Core>

namespace elasto::flow {

/// The x with lower <= x <= upper at which x.A x / 2 + b.x is least.
///
/// With forces x, A their effect on the accelerations of their own rows and b the accelerations without them, each row
/// then either stands still (A x + b = 0) or is pushed by its bound the way it cannot help going.
/// @param A symmetric, no negative eigenvalue; rows that follow from one another are legal
/// @param lower, upper lower <= 0 <= upper, infinite ones are legal
Eigen::VectorXd solveBoxQp(const Eigen::MatrixXd& A, const Eigen::VectorXd& b, const Eigen::VectorXd& lower,
                           const Eigen::VectorXd& upper);

}  // namespace elasto::flow
