#pragma once
// One tick of a network whose directions turn within the tick.

#include <elasto/flow.h>

namespace elasto::flow {

/// Integrates the bodies' motion over h; what the budget does not cover is solved passively with fixed directions.
TickResult solveTurning(const FlowNetwork& network, double h, const FlowSettings& settings);

/// Change of angular velocity of a body over the tick that is not its elements' doing.
Eigen::Vector3d freeAngularVelocity(const FlowBody& body, double h);

} // namespace elasto::flow
