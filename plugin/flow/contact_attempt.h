#pragma once
// A tick with contacts, tried in one of three ways.

#include "contact_modes.h"
#include "contact_problem.h"

namespace elasto::flow {

/// A tick that was tried.
struct Trial {
    ContactState state;
    FlowNetwork end;
    double length = 0;    ///< [s] that it covers: less than it was asked for where contacts let go
    double gain = 0;      ///< of bodies, springs and heat beyond the work of everything else [J]
    double softHeld = 0;  ///< energy that soft contacts hold more than before, and their heat [J]
    int steps = 0;
    long work = 0;  ///< units, see ContactCourse
    int setChanges = 0;
    bool isCoarse = false;
    ContactModes firstModes;
};

/// @param work units that may be spent before the rest is done coarsely
/// @param stopsAtRelease may end where contacts let go of bodies that turn
/// @param first null: with gradients of the start. Else what has been found so: once more, with those of the middle
Trial attempt(const FlowNetwork& network, double h, const FlowSettings& settings, long work, bool stopsAtRelease,
              const Trial* first = nullptr);
/// By a method that cannot fail and loses rebounds.
Trial attemptCoarsely(const FlowNetwork& network, double h);

/// Largest rotation of a body [rad].
double largestTurn(const FlowNetwork& network, const ContactState& state);

}  // namespace elasto::flow
