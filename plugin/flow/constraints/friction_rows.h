#pragma once
// Elements of dry friction as the flow solves them: rows that are held at rest, or slide. Between bodies and in the
// coordinates of trees alike.

#include <elasto/flow_tree.h>

namespace elasto::flow {

/// True where an element of the network is dry friction.
bool hasFriction(const FlowNetwork& network);
bool hasFriction(const TreeNetwork& network);
/// The same network with a row for each of them, behind its own.
/// @param h the tick [s]
void addFrictionRows(const FlowNetwork& network, double h, FlowNetwork& withRows);
void addFrictionRows(const TreeNetwork& network, double h, TreeNetwork& withRows);
/// What the rows did becomes what the elements did; the rows are taken out of the result.
void takeFrictionRows(const FlowNetwork& network, double h, TickResult& result);
void takeFrictionRows(const TreeNetwork& network, double h, TreeTickResult& result);

}  // namespace elasto::flow
