#pragma once
// One piecewise linear element alone, under a constant load: what solveClosedForm and solveSeries
// (straight/row_network.h) do, without a network's storage.

#include "law/hybrid_law.h"
#include "straight/row_network.h"

namespace elasto::flow {

/// s'' = a - W f with constant a and W.
struct SingleProblem {
    const HybridLaw& law;
    double W = 0;  ///< [1/kg or 1/(kg.m^2)], >= 0
    double a = 0;  ///< free acceleration

    static SingleProblem of(const RowNetwork& network) { return {network.laws[0], network.W(0, 0), network.a(0, 0)}; }
};

/// As RowState, of one element.
struct SingleState {
    double t = 0;
    double s = 0;
    double v = 0;
    double z = 0;
    double P = 0;
    double sigma = 0;
    double heat = 0;
    Phase phase;

    static SingleState of(const RowState& state) {
        return {state.t,    state.s(0),     state.v(0),    state.z(0),
                state.P(0), state.sigma(0), state.heat(0), state.phases[0]};
    }
    void writeTo(RowState& state) const;
};

void advanceClosedForm(const SingleProblem& problem, SingleState& state, double h, RowLog& log);
void advanceSeries(const SingleProblem& problem, SingleState& state, double h, RowLog& log);

}  // namespace elasto::flow
