#pragma once
/// @file try_rates.h
/// Runs a scene again at other rates, to find one at which all ticks are exact.

#include <elasto/errors.h>
#include <elasto/plugin.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "exact_rate.h"
#include "interrupt.h"
#include "progress.h"

namespace elasto::tools {

/// What Bullet takes for a body in a tick, in the same units: about a microsecond.
inline constexpr double kWorkPerBody = 3;

/// What ticks of a world have cost, one or all so far.
template <class World>
double workOf(World& world, const TickStatistics& ticks) {
    return ticks.cost + ticks.auditCost + kWorkPerBody * static_cast<double>(ticks.ticks) * world.world().getNumCollisionObjects();
}

/// Ticks of a world until one is not exact, with a bar of progress.
/// @param ticks at most @param work that may be done; what was done is taken off
template <class World>
Exactness tryTicks(World& world, long ticks, double& work) {
    Progress progress(fmt::format("trying {:g} Hz", world.rate()));
    world.plugin().setMessageHandler(nullptr);  // of the same scene, which has been warned of
    for (long i = 0; i < ticks; ++i) {
        if (!(work > 0) || InterruptGuard::interrupted()) return Exactness::Unknown;
        try {
            world.step();
        } catch (const InvalidParameter&) {
            return Exactness::NotAll;  // a state or a load that is not finite
        }
        work -= workOf(world, world.plugin().statistics());
        if (world.plugin().statistics().grade().grade != Grade::Exact) return Exactness::NotAll;
        progress.update(static_cast<double>(i + 1) / static_cast<double>(ticks));
    }
    return Exactness::All;
}

/// The rate that makes a run exact whose ticks were not all exact.
/// @param world a SceneWorld or RobotWorld, which has run from its start @param work that may be done
template <class World>
ExactRate exactRateOf(World& world, double work) {
    return findExactRate(world.rate(), work, [&](double rate, double& left) {
        World again(world.scene(), rate);
        again.plugin().setThreads(world.plugin().threads());
        const double ticks = static_cast<double>(world.ticks()) * (rate / world.rate());
        return tryTicks(again, std::lround(ticks), left);
    });
}

}  // namespace elasto::tools
