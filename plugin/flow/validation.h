#pragma once

#include <elasto/flow.h>

namespace elasto::flow {

/// Throws InvalidParameter for whatever solveTick does not accept.
void validate(const FlowNetwork& network, double h);

}  // namespace elasto::flow
