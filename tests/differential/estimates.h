#pragma once
// Are ticks as far off as their grades say?

#include <elasto/tick_file.h>

#include <span>

namespace elasto::differential {

/// Ticks that were not exact, and what the estimates of their errors were worth.
struct Estimates {
    int ticks = 0;
    int within = 0;  ///< of them: the true error is no larger than the estimate
    int near = 0;    ///< of them: the estimate is no more than 30 times the true error

    Estimates& operator+=(const Estimates& other);
};

/// Solves each tick again in 64 parts with a hundred times the budget: what that ends elsewhere is its true error. What
/// was wrong before the tick began, as a contact that was not listed, is in both.
Estimates estimatesOf(std::span<const TickRecord> ticks);

}  // namespace elasto::differential
