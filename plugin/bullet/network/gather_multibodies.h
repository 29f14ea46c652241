#pragma once
// Multibodies of a network, from Bullet to the flow.

#include <elasto/precision.h>

#include <vector>

#include "multibody/multibody_constraints.h"
#include "multibody/multibody_table.h"
#include "network/gather.h"
#include "network/network_builder.h"

namespace elasto {
inline namespace ELASTO_BULLET_NAMESPACE {

/// Adds one multibody as it is when the tick begins, with its loads.
MovedMultiBody& addMoved(btMultiBody& body, const MultiBodyTable::Entry& entry, SolvedNetwork& target);

/// Adds the network's multibodies: links, joints, limits and motors, and their elements (of which those on rigid bodies
/// are placed by placeOnRigidBodies). After gather, before gatherTies.
EnergyBetweenTicks gatherMultiBodies(const NetworkParts& parts, const std::vector<JointBound>& bounds,
                                     const MultiBodyTable& table, const TickTime& time, SolvedNetwork& target);

/// Adds the links of SolvedNetwork::multi as bodies, its joints, limits and motors as rows, and its elements.
void placeLinks(const MultiBodyTable& table, const TickTime& time, SolvedNetwork& target);

/// A network of trees becomes one of bodies: something touches them within the tick. Energies are those of the trees.
void leaveTrees(const MultiBodyTable& table, const TickTime& time, SolvedNetwork& target);

/// The movable or kinematic rigid bodies that elements on multibodies also sit on.
std::vector<btRigidBody*> rigidFlanges(const std::vector<MultiBodyElement*>& elements);

/// After gatherTies: elements between links and rigid bodies find the latter. Adds what the springs hold to
/// startEnergy.
EnergyBetweenTicks placeOnRigidBodies(SolvedNetwork& target);

/// Loads that depend on the multibodies' motion, from a first solution of the tick.
/// @return false if there are none, and the solution stands
bool setLoadsInside(SolvedNetwork& target, const std::vector<BodyTick>& ends);

}  // namespace ELASTO_BULLET_NAMESPACE
}  // namespace elasto
