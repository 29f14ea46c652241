#pragma once
// Ticks whose loads change inside them: solved in pieces, from one change to the next.

#include <elasto/flow_tree.h>

#include <algorithm>

namespace elasto::flow {

void shift(FlowNetwork& network, double t);
void shift(TreeNetwork& network, double t);
void apply(const LoadChange& change, FlowNetwork& network);
void apply(const TreeLoadChange& change, TreeNetwork& network);
/// Adds what a piece gave that began at a time of the tick. The first one begins the total.
void add(const TickResult& piece, double start, TickResult& total);
void add(const TreeTickResult& piece, double start, TreeTickResult& total);

/// As one piece where no load changes.
/// @param moving storage for the network on its way @param piece storage for what a piece gives
/// @param solve (network, length, settings, result): a piece
template <class Network, class Result, class Solve>
void solveInPieces(const Network& network, double h, const FlowSettings& settings, Network& moving, Result& piece,
                   Result& total, const Solve& solve) {
    if (network.changes.empty()) return solve(network, h, settings, total);
    moving = network;
    moving.changes.clear();
    auto next = network.changes.begin();
    double t = 0;
    while (true) {
        const double end = next != network.changes.end() ? std::min(next->time, h) : h;
        FlowSettings rest = settings;
        if (t > 0) {
            rest.maxCost -= total.cost;
            rest.maxSteps = std::max(settings.maxSteps - total.steps, 1);
        }
        solve(moving, end - t, rest, piece);
        add(piece, t, total);
        if (end == h) return;
        moving.adopt(piece);
        shift(moving, end - t);
        t = end;
        for (; next != network.changes.end() && next->time == t; ++next) apply(*next, moving);
    }
}

}  // namespace elasto::flow
