#pragma once
// One tick of a network whose directions turn within the tick.

#include <elasto/flow.h>

namespace elasto::flow {

/// Integrates the bodies' motion over h; what the budget does not cover is solved passively.
TickResult solveTurning(const FlowNetwork& network, double h, const FlowSettings& settings);

}  // namespace elasto::flow
