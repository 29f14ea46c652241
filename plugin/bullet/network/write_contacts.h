#pragma once
// What Bullet's users read of a contact: the impulses on its points.

#include <elasto/precision.h>

#include "network/solved_network.h"

class btDispatcher;
struct btContactSolverInfo;

namespace elasto {
inline namespace ELASTO_BULLET_NAMESPACE {

/// Writes the impulses of a solved network into Bullet's contact points: contact callbacks and contact tests report
/// them (that of a remembered point with the nearest of Bullet's own), and Bullet's solver starts from them when the
/// bodies are its own again. A contact with an edge inside a mesh gets the normal that replaced it. The first friction
/// direction is that of the friction, unless the user has set the directions. @param ticks room for what is written
void writeContacts(const SolvedNetwork& solved, const btContactSolverInfo& info, std::vector<ContactTick>& ticks);

/// Gives Bullet those of the network's points that it has dropped, as far as it has room for them. To be called before
/// the bodies have moved.
void completeContacts(SolvedNetwork& solved, btDispatcher& dispatcher);

/// Writes the impulses of multibodies' limits and motors into Bullet's constraints, which show them
/// (btMultiBodyConstraint::getAppliedImpulse).
void writeBounds(const SolvedNetwork& solved);

}  // namespace ELASTO_BULLET_NAMESPACE
}  // namespace elasto
