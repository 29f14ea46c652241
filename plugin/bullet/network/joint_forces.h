#pragma once
// Contacts and joints of multibodies in a solved tick, as users read them.

#include <elasto/multibody_readout.h>

#include "network/solved_network.h"

namespace elasto {
inline namespace ELASTO_BULLET_NAMESPACE {

/// Adds the contacts of an object in that network.
void addContactReadouts(const SolvedNetwork& solved, const btCollisionObject& object,
                        std::vector<ContactReadout>& readouts);

/// @param moved of that network @param gravity of the world [m/s2]
MultiBodyReadout readoutOf(const SolvedNetwork& solved, const MovedMultiBody& moved, const Eigen::Vector3d& gravity);

}  // namespace ELASTO_BULLET_NAMESPACE
}  // namespace elasto
