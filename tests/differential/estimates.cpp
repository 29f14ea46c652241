#include "estimates.h"

#include <elasto/audit.h>
#include <elasto/errors.h>

#include <algorithm>

#include "finest_tick.h"

namespace elasto::differential {

namespace {

constexpr double kNear = 30;
/// [m, rad] Below it nothing is called approximate.
constexpr double kExact = 1e-7;

double trueErrorOf(const TickRecord& tick) {
    const FlowSettings great = tools::withGreatBudget(tick.settings);
    if (const auto* trees = std::get_if<TreeNetwork>(&tick.network)) {
        TreeAuditSpace space;
        return auditTick(*trees, tick.h, great, solveTreeTick(*trees, tick.h, tick.settings), space,
                         tools::kFinestParts)
            .difference;
    }
    const auto& network = std::get<FlowNetwork>(tick.network);
    AuditSpace space;
    return auditTick(network, tick.h, great, solveTick(network, tick.h, tick.settings), space, tools::kFinestParts)
        .difference;
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
