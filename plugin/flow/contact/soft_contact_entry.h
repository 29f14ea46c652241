#pragma once
// Soft contacts between bodies that were found inside each other.

#include <elasto/flow.h>

#include <vector>

namespace elasto::flow {

/// Slows the approach at soft contacts down by what compressing their springs would have taken, and gives the depth for
/// which it was too slow to their slack.
/// @param contacts impulses are added to
/// @return the energy taken from the bodies and from what drives them [J]
double resistEntries(FlowNetwork& network, std::vector<ContactTick>& contacts);

}  // namespace elasto::flow
