#pragma once
// A btMultiBody in its joints' coordinates, for networks in which nothing else acts on its links: no contacts and no
// elements between links.

#include <elasto/flow_tree.h>
#include <elasto/multibody_element.h>
#include <elasto/precision.h>

#include <string>
#include <vector>

#include "multibody/multibody_constraints.h"
#include "multibody/multibody_table.h"
#include "network/gather.h"
#include "network/network_builder.h"
#include "network/solved_network.h"

namespace elasto {
inline namespace ELASTO_BULLET_NAMESPACE {

/// True if the network can be solved in joint coordinates: only multibodies, and elements on their coordinates.
/// @param hasTies it has contacts, or rigid bodies on joints
bool isTree(const NetworkParts& parts, bool hasTies);

/// Fills the target with trees, their rotors and elements.
EnergyBetweenTicks gatherTrees(const NetworkParts& parts, const std::vector<JointBound>& bounds,
                               const MultiBodyTable& table, const TickTime& time, SolvedNetwork& target);

/// The torque of a drive's motor over a tick.
std::vector<LoadPiece> motorPieces(const MultiBodyElement& element, const TickTime& time);

/// A multibody where its tree is.
MultiBodyState stateOf(const MovedMultiBody& moved, const TreeTick& tree);

/// From target.treeResult: fills what of target.result elements and statistics need, and the multibodies' ends.
void readTrees(SolvedNetwork& target);

/// Kinetic energy of a drive's rotor [J].
/// @param w speed against its carrier [rad/s] @param links of the multibody, as linkStates
double rotorEnergy(const Drive& drive, double w, const std::vector<BodyState>& links);

}  // namespace ELASTO_BULLET_NAMESPACE
}  // namespace elasto
