#pragma once
// Chooses the integrator of a straight network, watches the budget, and closes the energy balance.

#include "row_network.h"

namespace elasto::flow {

/// What became of a network in element coordinates.
struct RowOutcome {
    FlowMethod method = FlowMethod::Free;
    RowLog log;
    bool overBudget = false;
    double energyHandedOut = 0;
    double energyRepaired = 0;
};

/// Advances the state to h > 0. Elements that do not influence each other (W) are solved apart.
RowOutcome solveRows(const RowNetwork& network, RowState& state, double h, const FlowSettings& settings);

/// True where an explicit step would be limited by the damping of this element in its present phase rather than by
/// accuracy: h d W beyond the limit (series: h c/d). W is the element's own inverse mass.
bool isStronglyDamped(const RowLaw& law, Phase phase, double W, double h, double limit);

}  // namespace elasto::flow
