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
    int setChanges = 0;
    bool isCoarse = false;
    ContactModes firstModes;
};

/// With gradients of the start.
Trial attempt(const FlowNetwork& network, double h, const FlowSettings& settings);
/// Once more, with gradients of the middle and what is known from the first time.
Trial attemptTurning(const FlowNetwork& network, const Trial& first, double h, const FlowSettings& settings);
/// By a method that cannot fail and loses rebounds.
Trial attemptCoarsely(const FlowNetwork& network, double h);

/// Largest rotation of a body [rad].
double largestTurn(const FlowNetwork& network, const ContactState& state);

}  // namespace elasto::flow
