#pragma once
// The energy of a network, and what it may come to have.

#include "balance/network_state.h"

namespace elasto::flow {

/// Kinetic energy of the bodies that elements can change, and what the springs hold [J].
double kineticEnergy(const FlowNetwork& network);
double storedEnergy(const FlowNetwork& network);
inline double energy(const FlowNetwork& network) {
    return kineticEnergy(network) + storedEnergy(network);
}

/// Energy that the loads would give to the bodies from rest within a time: what is at rest still has a scale [J].
double loadEnergy(const FlowNetwork& network, double h);

/// Energy that the bodies have at a speed [m/s].
double energyAt(const FlowNetwork& network, double speed);

/// Energy that a network may come to have, or to turn into heat, within a time [J]. Where drives contradict one
/// another, or push a mechanism through its dead point, velocities that fulfil the joints have no bound: there it is a
/// hundred times what is in play and what bodies would have at the speed of the drive, which is ten times that speed.
/// Infinite where nothing drives bodies through joints: then the balance itself is the bound.
double mostBrought(const FlowNetwork& network, double h);

/// What the rounding of the bodies' poses makes of the energy of the springs: a stiff one at rest holds so little that
/// this is not small against it [J].
double storedRounding(const FlowNetwork& network);

/// Work of a body's force at its present value over a displacement.
double forceWork(const FlowBody& body, const Eigen::Vector3d& displacement);
/// Work of the loads at their present values from one state of the bodies to another.
double shiftWork(const FlowNetwork& from, const FlowNetwork& to);
/// By how much springs may be loaded where bodies are put right that they have pulled, or somebody has put, to where
/// they cannot be: the work against their present forces, and the kinetic energy of going there within a tick. Only
/// those that are too stiff for the tick resist. Nothing where a stop would be compressed.
double softWork(const FlowNetwork& from, const FlowNetwork& to, double h);

}  // namespace elasto::flow
