#pragma once
// Elements of dry friction as the flow solves them: rows that are held at rest, or slide.

#include <elasto/flow.h>

namespace elasto::flow {

/// True where an element of the network is dry friction.
bool hasFriction(const FlowNetwork& network);
/// The same network with a row for each of them, behind its own.
/// @param h the tick [s]
void addFrictionRows(const FlowNetwork& network, double h, FlowNetwork& withRows);
/// What the rows did becomes what the elements did; the rows are taken out of the result.
void takeFrictionRows(const FlowNetwork& network, double h, TickResult& result);

}  // namespace elasto::flow
