#pragma once
// The method ROS34PW2 in the unknowns in which no product with df/dy is left.

#include <Eigen/Core>

namespace elasto::flow {

/// (I/(gamma dt) - J) u_i = f(y + sum_j a_ij u_j) + sum_j c_ij/dt u_j;  y1 = y + sum result_i u_i
struct RosenbrockWCoefficients {
    double gamma;
    Eigen::Matrix4d a, c;
    Eigen::Vector4d alpha, result, error;

    static const RosenbrockWCoefficients& get();

private:
    RosenbrockWCoefficients();
};

}  // namespace elasto::flow
