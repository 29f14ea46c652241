#pragma once
// A tick is solved again with finer steps as long as its balance asks for them.

#include <elasto/flow.h>

#include "balance/tuning.h"

#include <algorithm>
#include <cmath>

namespace elasto::flow {

/// Energy that the steps may get wrong, as a share of the energy in play: in the proportion of what is asked for.
inline double trustedError(const FlowSettings& settings) {
    return std::min(kTrustedError * settings.accuracy.looseness(), kTakenError);
}

/// @param maxSteps no attempt begins that would probably go beyond
/// @param steps of all attempts so far; `attempt` counts it up
/// @param attempt (fineness) solves the tick with this share of the tolerance. @return false if its budget ended
/// @param isTrusted () whether the balance of what was found last shows no error
/// @param swapKept () changes what was found last for what was found before it
/// @return whether the tick is solved: what was found last is the best then
template <class Attempt, class IsTrusted, class SwapKept>
bool solveFinely(int maxSteps, const int& steps, Attempt&& attempt, IsTrusted&& isTrusted, SwapKept&& swapKept) {
    bool isSolved = false;
    for (double fineness = 1; fineness >= kFinest; fineness *= kFiner) {
        if (isSolved) swapKept();
        const int before = steps;
        if (!attempt(fineness)) {
            // The budget has ended: what was found before it is what there is.
            if (isSolved) swapKept();
            break;
        }
        isSolved = true;
        if (isTrusted()) break;
        const double next = steps + (steps - before) * std::pow(kFiner, -1. / 8);
        if (next > maxSteps) break;
    }
    return isSolved;
}

}  // namespace elasto::flow
