#pragma once
// What tells that a solution of a network with contacts is to be trusted.

#include "constraints/contact_geometry.h"
#include "contact/contact_trial.h"

namespace elasto::flow {

struct ContactSpace;

/// Mechanical energy, and what loads and motors could bring in within the tick: not what they did, or a tick that has
/// gone wrong would count as one with much in play.
double energyInPlay(const FlowNetwork& network, double h, ContactSpace& space);
/// True if another solution with gradients in the middle of these displacements would be no other one.
bool isSame(const std::vector<Vector6>& displacements, const std::vector<Vector6>& last);
/// True if gradients at the start are those of the whole trial: no body and no line turns, and what slips goes
/// straight.
bool keepsDirections(const FlowNetwork& start, const std::vector<Patch>& patches, const Trial& trial);
/// True if faces have pulled at each other, as they do where bodies turn far. Single points may, of faces that press as
/// a whole. What is little beside the largest impulse may be much for a light body.
bool havePulled(const FlowNetwork& network, const std::vector<Patch>& patches, const ContactState& state);

}  // namespace elasto::flow
