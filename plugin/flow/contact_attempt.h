#pragma once
// A tick with contacts, tried in one of three ways.

#include "contact_modes.h"
#include "contact_problem.h"

namespace elasto::flow {

/// A tick that was tried.
struct Trial {
    ContactState state;
    FlowNetwork end;
    double gain = 0;  ///< of bodies, springs and heat beyond the work of everything else [J]
    int steps = 0;
    long work = 0;  ///< units, see ContactCourse
    int setChanges = 0;
    bool isCoarse = false;
    ContactModes firstModes;
};

/// With gradients of the start.
/// @param work units that may be spent before the rest is done coarsely
Trial attempt(const FlowNetwork& network, double h, const FlowSettings& settings, long work);
/// Once more, with gradients of the middle and what is known from the first time.
Trial attemptTurning(const FlowNetwork& network, const Trial& first, double h, const FlowSettings& settings, long work);
/// By a method that cannot fail and loses rebounds.
Trial attemptCoarsely(const FlowNetwork& network, double h);

/// Largest rotation of a body [rad].
double largestTurn(const FlowNetwork& network, const ContactState& state);

}  // namespace elasto::flow
