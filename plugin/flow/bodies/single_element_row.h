#pragma once
// An element between a body and the world: its coordinate, and whether its values are fit for a closed form.

#include <elasto/flow_single.h>

#include "bodies/geometry.h"

namespace elasto::flow {

/// As measureOwnRow of a FlowElement.
Row measureOwnRow(const SingleElement& element, const Motion& a, const Motion& b, double phi);
/// The same along an axis of the world, without what a world that stands at the origin adds in zeros.
Row alongWorldAxis(const FlowBody& body, const SingleElement& element);

/// True for values that are legal, a law and loads for which there are closed forms.
bool isKnown(const FlowBody& body, const SingleElement& element);

}  // namespace elasto::flow
