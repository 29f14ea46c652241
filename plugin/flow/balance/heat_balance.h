#pragma once
// Heat as the energy that is missing.

#include <Eigen/Core>

namespace elasto::flow {

/// Brings the elements' heat to a sum that closes the energy balance; its division among them stays. Heat found by
/// quadrature is left alone where it misses the balance by rounding and integration error only.
/// @param scale energy in play [J]
/// @return false if there is no heat to scale
bool closeHeat(Eigen::VectorXd& heat, double missing, double scale);

}  // namespace elasto::flow
