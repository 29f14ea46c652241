#pragma once
// The tick of a connected network with contacts.

#include <elasto/flow.h>

namespace elasto::flow {

TickResult solveContacts(const FlowNetwork& network, double h, const FlowSettings& settings);

}  // namespace elasto::flow
