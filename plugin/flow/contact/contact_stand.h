#pragma once
// A tick in which nothing moves that is not driven.

#include "contact/contact_problem.h"

namespace elasto::flow {

/// Moves a state that is at the tick's start to h: driven bodies go on, all others move with one velocity. What they
/// are in the way of works against what it drives.
/// @param velocity [m/s] 0: they stand still
void standStill(const ContactProblem& problem, double h, const Eigen::Vector3d& velocity, ContactState& state);

}  // namespace elasto::flow
