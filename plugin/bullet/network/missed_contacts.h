#pragma once
// Bodies of a network that came nearer to each other within the tick than they may, where nobody watched.
//
// Contacts are foreseen along straight lines; springs, dampers and stops turn bodies round within the tick. So the
// motion that was found is looked at, and what it brings together is a contact when the tick is solved once more.

#include "network/solved_network.h"

struct btContactSolverInfo;

namespace elasto {
inline namespace ELASTO_BULLET_NAMESPACE {

/// The points of unwatched pairs that have met, so that the result is none; the pairs are watched then.
std::vector<ContactPoint> missedContacts(SolvedNetwork& solved, const btContactSolverInfo& info);

}  // namespace ELASTO_BULLET_NAMESPACE
}  // namespace elasto
