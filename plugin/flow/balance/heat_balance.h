#pragma once
// Heat as the energy that is missing.

#include <Eigen/Core>

namespace elasto::flow {

/// Brings the elements' heat to a sum that closes the energy balance; its division among them stays. Heat found by
/// quadrature is left alone where it misses the balance by rounding and integration error only.
/// Where none was found, or less than none, it is the heat of all elements that have pushed, in equal parts.
/// @param impulses of the elements
/// @param scale energy in play [J]
/// @return false if none has pushed: the balance is not closed
bool closeHeat(Eigen::VectorXd& heat, const Eigen::Ref<const Eigen::VectorXd>& impulses, double missing, double scale);

}  // namespace elasto::flow
