#pragma once
// The method of multipliers for held rows: each round makes good what the one before it left of what is wanted.

#include "constraints/tuning.h"
#include "numerics/largest.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

namespace elasto::flow {

/// What the rounds work on, by held row.
struct MultiplierRows {
    std::vector<double> missing;   ///< of the wanted rates
    std::vector<double> impulses;  ///< of all rounds
    std::vector<double> last;      ///< of the last one
    std::vector<double> rates;     ///< that the last one has changed
    /// By which squares of rates are compared, and those of impulses inversely.
    std::vector<double> weights;
    std::vector<char> isMotor;  ///< or friction in a joint

    /// Without impulses yet.
    void resize(std::size_t count);
    /// How much of the last round's impulses is of motors.
    double motorShare() const;
};

/// Rows that follow from one another, or nearly so, contradict each other as soon as what is wanted is not quite what
/// they can do: each round leaves nearly as much as the one before it then, and its impulses show in which ratio.
/// That is given up: joints in loops and faces on each other are never quite parallel, and must not stop what moves in
/// them, nor let rounding tell which corner bears. Motors and friction in joints let go where they are asked for too
/// much, which shows only where it is solved for: so it is where little is missing.
/// @param rows missing is what is wanted; last and rates are written by round
/// @param round finds the last round's impulses, and the rates that they change, from what is missing
/// @param add adds the last round so many times to what else it changes
/// @return largest of what is missing in the end: rounding, unless something was given up
template <class Round, class Add>
double solveByMultipliers(MultiplierRows& rows, const Round& round, const Add& add) {
    const std::size_t count = rows.missing.size();
    const auto addLast = [&](double factor) {
        for (std::size_t k = 0; k < count; ++k) rows.impulses[k] += factor * rows.last[k];
        add(factor);
    };
    double left = largestOf(rows.missing);
    const double enough = kExactRows * left, nearlyMet = kNearlyMet * left;
    int slow = 0;  // rounds one after the other that left much
    for (int i = 0; i < kRounds && left > enough; ++i) {
        round();
        double both = 0, own = 0;
        for (std::size_t k = 0; k < count; ++k) {
            const double before = rows.missing[k], after = before - rows.rates[k];
            both += rows.weights[k] * after * before;
            own += rows.weights[k] * before * before;
            rows.missing[k] = after;
        }
        addLast(1);
        const double now = largestOf(rows.missing);
        slow = i > 0 && !(now < kNoGain * left) ? slow + 1 : 0;
        left = now;
        if (slow == 0) continue;
        const double kept = both / own;
        if (!(kept < kSameLeft) || left > nearlyMet || rows.motorShare() < kMotorShare) {
            // What is missing cannot be had. It makes each round add impulses that cancel each other; the last one
            // shows them alone.
            addLast(-i - 1);
            break;
        }
        if (slow < kSlowRounds) continue;
        // The rounds that would follow are a geometric series.
        const double more = kept / (1 - kept);
        addLast(more);
        for (std::size_t k = 0; k < count; ++k) rows.missing[k] -= more * rows.rates[k];
        left = largestOf(rows.missing);
        slow = 0;
    }
    return left;
}

}  // namespace elasto::flow
