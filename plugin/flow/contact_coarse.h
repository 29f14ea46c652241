#pragma once
// The rest of a tick that no modes were found for, or whose budget ended.

#include "contact_problem.h"

namespace elasto::flow {

/// Storage, kept from one use to the next.
struct CoarseSpace {
    std::vector<Vector6> load, way;
    std::vector<double> elements;   ///< impulses
    std::vector<double> responses;  ///< of their rates to their own impulses
    std::vector<double> rates;      ///< at which their impulses were found
    std::vector<double> wanted;
    std::vector<double> forces;        ///< of contacts: of the tick before, then of the step before
    std::vector<YieldingRow> springs;  ///< the elements, for leaps
    ContactSweeps sweeps;
};

/// Moves the state to h by a few steps of backward Euler in which contacts, friction, joints and elements push one
/// after the other until nothing changes any more, or a bounded number of times: each push takes energy, none can fail.
/// Loses what elements would give back within the tick.
/// @return steps taken
int finishCoarsely(const ContactProblem& problem, double h, ContactState& state, CoarseSpace& space);

/// Moves a state that is at the tick's start to h: driven bodies go on, all others stand still. What they are in the
/// way of works against what it drives.
void standStill(const ContactProblem& problem, double h, ContactState& state, CoarseSpace& space);

}  // namespace elasto::flow
