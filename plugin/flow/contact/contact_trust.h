#pragma once
// What tells that a solution of a network with contacts is to be trusted.

#include "constraints/contact_geometry.h"
#include "contact/contact_trial.h"

namespace elasto::flow {

struct ContactSpace;

/// Energy of bodies, in what is in play, that nothing which is driven gives them.
inline constexpr double kThrown = 10;

/// Mechanical energy, and what loads and motors could bring in within the tick: not what they did, or a tick that has
/// gone wrong would count as one with much in play.
double energyInPlay(const FlowNetwork& network, double h, ContactSpace& space);
/// True if another solution with gradients in the middle of these ways would be no other one.
bool isSame(const std::vector<Vector6>& ways, const std::vector<Vector6>& last);
/// True if faces have pulled at each other, as they do where bodies turn far. Single points may, of faces that press as
/// a whole. What is little beside the largest impulse may be much for a light body.
bool havePulled(const FlowNetwork& network, const std::vector<Patch>& patches, const ContactState& state);
/// True if bodies have got much more energy than there was, or than what is driven gives to what it hits: a body that
/// is caught between a floor and a lift has a way out if a face leans by a thousandth, a thousand times as fast.
bool areThrown(const FlowNetwork& network, double inPlay, const FlowNetwork& end);

}  // namespace elasto::flow
