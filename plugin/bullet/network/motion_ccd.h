#pragma once
// Continuous collision detection for the bodies of networks.
//
// Bullet sweeps from the present pose along the end velocity, which after an impact inside the tick is not the path
// that the body took. We sweep along that path: from the start over its turning points to the end.

#include <vector>

#include "network/solved_network.h"

class btDiscreteDynamicsWorld;

namespace elasto {
inline namespace ELASTO_BULLET_NAMESPACE {

/// Stops bodies with a motion threshold where they first meet something, with what joints tie to them: they have the
/// velocity there, and lose the rest of the tick. The rest of the network goes on, with what they did to it. Call it
/// when every body of the world stands at its end pose.
/// @return the bodies that were stopped, in SolvedNetwork::result
std::vector<std::size_t> stopWhatHits(btDiscreteDynamicsWorld& world, SolvedNetwork& solved);

}  // namespace ELASTO_BULLET_NAMESPACE
}  // namespace elasto
