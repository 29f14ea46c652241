#pragma once
// Networks whose bodies also have joints or contacts: elements act by the impulse that the bodies' free response gives,
// and Bullet's solver does the rest.
//
// The free response may be far from what the jointed bodies do, and Bullet then moves the bodies by h times the end
// velocity: that may press a stiff spring far beyond the energy that went into it, and lets loads work along the end
// velocity instead of the mean one, so that a body which rebounds within the tick arrives too high by h/2 times its
// change of velocity (the lead). So that no energy comes from nothing the elements of a network keep an account of what
// the bodies have put in (`available`) and give back no more:
// - a spring that holds more than that starts the tick from where it would hold as much (limitForces),
// - an impulse that would do more work on the free bodies, lead included, is cut before Bullet's solver sees it
//   (addImpulses),
// - the work that was really done is taken from the account, and so is the lead, as far as joints and contacts have not
//   taken that from the bodies themselves (takeWork). Where the bodies fell behind, the lead is negative; what it adds
//   is no heat but is kept for the next lead.
// - What joints and contacts made more than predicted leaves a debt, which stays until uncoupled ticks have paid it.
// Mechanical and available energy together then rise by no more than the work that Bullet's joints and contacts do.

#include <elasto/precision.h>

#include <LinearMath/btAlignedObjectArray.h>

#include "network/solved_network.h"

struct btSolverBody;

namespace elasto {
inline namespace ELASTO_BULLET_NAMESPACE {

/// An uncoupled network between the solver's set-up and the end of the tick.
struct UncoupledTick {
    double available = 0;      ///< energy that the elements may give back [J]; < 0: debt
    double reserve = 0;        ///< how much of it negative leads have added [J]
    double withheld = 0;       ///< what the springs hold beyond it at the tick's start [J]
    double newlyWithheld = 0;  ///< by how much that has grown at the tick's end [J]
    double share = 1;          ///< of the elements' impulses that acts
};

/// True if, from an earlier uncoupled tick, the element's spring holds more than it may give back.
bool isLimited(const ForceElement& element);

/// Before the flow: springs that hold too much get another rest length for the tick.
UncoupledTick limitForces(SolvedNetwork& solved);

/// After the flow: the elements' impulses enter Bullet's solver, as far as their work is available.
void addImpulses(SolvedNetwork& solved, UncoupledTick& tick, btAlignedObjectArray<btSolverBody>& solverBodies);

/// After Bullet's iterations, before it writes the velocities back: the work that was done.
void takeWork(const SolvedNetwork& solved, UncoupledTick& tick, btAlignedObjectArray<btSolverBody>& solverBodies);

/// After Bullet has moved the bodies: measures the elements where they are now, and settles their account.
/// @param now room for the network as it is then @return energy that the elements dissipated [J]
double settle(SolvedNetwork& solved, UncoupledTick& tick, FlowNetwork& now);

}  // namespace ELASTO_BULLET_NAMESPACE
}  // namespace elasto
