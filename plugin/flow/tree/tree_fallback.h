#pragma once
// The rest of a tick of trees whose budget ended.

#include "tree/tree_system.h"

namespace elasto::flow {

/// A few steps of backward Euler in the elements' coordinates from y on, each with the inertia of where it begins. What
/// that gets wrong of the energy is for the balance of the tick to take back.
void finishByBackwardEuler(TreeSystem& system, int steps, double duration, double t, Eigen::VectorXd& y);

}  // namespace elasto::flow
