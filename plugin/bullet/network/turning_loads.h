#pragma once
// The loads of a network inside a tick.

#include <elasto/flow.h>
#include <elasto/flow_load.h>
#include <elasto/precision.h>

#include <cstddef>
#include <vector>

namespace elasto {
inline namespace ELASTO_BULLET_NAMESPACE {

struct SolvedNetwork;

/// Adds to what acts on a body over the whole tick. @param index of the body in the network
void addPieces(const std::vector<LoadPiece>& pieces, std::size_t index, FlowNetwork& network);

/// Lets the loads that turn with their bodies follow the motion that the network's result has.
/// @return false if none turns
bool turnLoads(SolvedNetwork& solved);

}  // namespace ELASTO_BULLET_NAMESPACE
}  // namespace elasto
