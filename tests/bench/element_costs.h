#pragma once
// What elements that are alone with their bodies cost.

#include "field.h"

namespace elasto::bench {

/// Costs per body and tick [s], medians of turns.
struct ElementCost {
    double bodies = 0;  ///< of the same bodies in plain Bullet
    double added = 0;   ///< what is added to that
    double ratio() const { return added / bodies; }
};
ElementCost costOf(const FieldOptions& options, bool isCold = false);

/// Heights of bodies that fall on their stops from kDropHeight to twice that, against the exact solution over 1 s: root
/// mean square over the range. @param ticks per frame of 1/60 s
double bounceError(Push push, int ticks);
/// The fewest ticks per frame with which the explicit law errs by no more than `error`.
int explicitTicksFor(double error);

/// What an element takes in memory, with all that the plugin keeps for it [bytes].
double memoryPerElement(int elements);

}  // namespace elasto::bench
