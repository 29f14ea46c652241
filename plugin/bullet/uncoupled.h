#pragma once
// Networks whose bodies also have joints or contacts: elements act by the impulse that the bodies' free response gives,
// and Bullet's solver does the rest.
//
// The free response may be far from what the jointed bodies do, and Bullet then moves the bodies by h times the end
// velocity, which may press a stiff spring far beyond the energy that went into it. So that no energy comes from
// nothing the elements of such a network give back at most what the bodies have put in: their forces are scaled down
// while they release (see limitForces), and an impulse whose work would exceed the rest is cut (see limitWork).

#include <elasto/precision.h>

#include <LinearMath/btAlignedObjectArray.h>

#include "solved_network.h"

struct btSolverBody;

namespace elasto {
inline namespace ELASTO_BULLET_NAMESPACE {

/// An uncoupled network between the solver's set-up and the end of the tick.
struct UncoupledTick {
    double available = 0;  ///< energy that the elements may give back [J]
    double work = 0;       ///< done by the elements on the bodies, as Bullet counts it [J]
    double share = 1;      ///< of the elements' impulse that acts
};

/// True if an element may still give back less than its spring holds, from an earlier uncoupled tick.
bool isLimited(const SolvedNetwork& solved);

/// Before the flow: scales the springs that release down to the energy they may give back.
UncoupledTick limitForces(SolvedNetwork& solved);

/// After the flow: the elements' impulses enter Bullet's solver.
void addImpulses(const SolvedNetwork& solved, btAlignedObjectArray<btSolverBody>& solverBodies);

/// After Bullet's iterations, before it writes the velocities back: cuts the impulses if they do more work than
/// allowed.
void limitWork(SolvedNetwork& solved, UncoupledTick& tick, btAlignedObjectArray<btSolverBody>& solverBodies);

/// After Bullet has moved the bodies: measures the elements where they are now, and settles their energy.
/// @return energy that the elements dissipated [J]
double settle(SolvedNetwork& solved, const UncoupledTick& tick);

}  // namespace ELASTO_BULLET_NAMESPACE
}  // namespace elasto
