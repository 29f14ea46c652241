#include "finest_tick.h"

#include <algorithm>
#include <limits>

namespace elasto::tools {

FlowSettings withGreatBudget(FlowSettings settings) {
    constexpr int kTimes = 100;
    constexpr int kMostSteps = 100'000'000;  // so that products with it stay numbers
    settings.maxSteps = std::min(settings.maxSteps, kMostSteps / kTimes) * kTimes;
    settings.maxCost = std::numeric_limits<double>::infinity();
    settings.accuracy = Accuracy::Exact;
    settings.substep = 0;
    return settings;
}

}  // namespace elasto::tools
