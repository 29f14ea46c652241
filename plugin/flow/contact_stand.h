#pragma once
// A tick in which nothing moves that is not driven.

#include "contact_problem.h"

namespace elasto::flow {

/// Moves a state that is at the tick's start to h: driven bodies go on, all others stand still. What they are in the
/// way of works against what it drives.
void standStill(const ContactProblem& problem, double h, ContactState& state);

}  // namespace elasto::flow
