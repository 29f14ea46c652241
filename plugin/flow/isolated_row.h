#pragma once
// The coordinate of an element between a body and the world.

#include <elasto/flow_isolated.h>

#include "geometry.h"

namespace elasto::flow {

/// As measureOwnRow of a FlowElement.
Row measureOwnRow(const IsolatedElement& element, const Motion& a, const Motion& b, double phi);

}  // namespace elasto::flow
