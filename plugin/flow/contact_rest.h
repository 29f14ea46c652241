#pragma once
// Bodies that an engine left at rest on each other, but for the speed at which it pushes them apart.

#include <elasto/flow.h>

namespace elasto::flow {

/// Takes away what FlowContact::restSpeed says is no motion. Joints keep their rates.
/// @return kinetic energy taken [J]
double bringToRest(FlowNetwork& network);

}  // namespace elasto::flow
