#include "estimates.h"

#include <elasto/audit.h>
#include <elasto/errors.h>

#include <algorithm>
#include <limits>

namespace elasto::differential {

namespace {

constexpr int kParts = 64;
constexpr int kTimesTheBudget = 100;
constexpr double kNear = 30;
/// [m, rad] Below it nothing is called approximate.
constexpr double kExact = 1e-7;

double trueErrorOf(const TickRecord& tick) {
    FlowSettings generous = tick.settings;
    generous.maxSteps *= kTimesTheBudget;
    generous.maxCost = std::numeric_limits<double>::infinity();
    if (const auto* trees = std::get_if<TreeNetwork>(&tick.network)) {
        TreeAuditSpace space;
        return auditTick(*trees, tick.h, generous, solveTreeTick(*trees, tick.h, tick.settings), space, kParts)
            .difference;
    }
    const auto& network = std::get<FlowNetwork>(tick.network);
    AuditSpace space;
    return auditTick(network, tick.h, generous, solveTick(network, tick.h, tick.settings), space, kParts).difference;
}

}  // namespace

Estimates& Estimates::operator+=(const Estimates& other) {
    ticks += other.ticks;
    within += other.within;
    near += other.near;
    return *this;
}

Estimates estimatesOf(std::span<const TickRecord> ticks) {
    Estimates estimates;
    for (const TickRecord& tick : ticks) {
        try {
            const double error = trueErrorOf(tick);
            estimates.ticks += 1;
            estimates.within += error <= tick.grade.error ? 1 : 0;
            estimates.near += tick.grade.error <= kNear * std::max(error, kExact) ? 1 : 0;
        } catch (const InvalidParameter&) {  // it ends where nothing is finite
        }
    }
    return estimates;
}

}  // namespace elasto::differential
