#pragma once

#include "tree/tree_model.h"

namespace elasto::flow {

/// Throws InvalidParameter for whatever solveTreeTick does not accept.
void validate(const TreeNetwork& network, double h);
void validate(const FlowTree& tree, std::size_t index);
/// Throws where a coordinate moves nothing that has inertia. After TreeModel::factorInertia().
void requireInertia(const TreeModel& model, std::size_t tree);

}  // namespace elasto::flow
