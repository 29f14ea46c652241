#pragma once
// Continuous collision detection for the bodies of networks.
//
// Bullet sweeps from the present pose along the end velocity, which after an impact inside the tick is not the path
// that the body took. We sweep along that path: from the start over its turning points to the end.

#include <optional>

#include "network/solved_network.h"

class btDiscreteDynamicsWorld;

namespace elasto {
inline namespace ELASTO_BULLET_NAMESPACE {

/// Time [s] at which the first of the network's bodies with a motion threshold meets something, if one does. Call it
/// when every body of the world stands at its end pose.
std::optional<double> sweepMotion(btDiscreteDynamicsWorld& world, const SolvedNetwork& solved,
                                  const FlowSettings& settings);

}  // namespace ELASTO_BULLET_NAMESPACE
}  // namespace elasto
