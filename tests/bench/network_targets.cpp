#include <algorithm>
#include <array>
#include <functional>
#include <numeric>
#include <vector>

#include "element_costs.h"
#include "networks.h"
#include "stopwatch.h"
#include "targets.h"

namespace elasto::bench {

namespace {

struct PairedCost {
    double with = 0;   ///< per tick [s]
    double added = 0;  ///< to the same world without elements
};

PairedCost costOf(const std::function<void(Workshop&)>& build, double h, int warmUp, int turns) {
    Workshop with(true);
    Workshop without(false);
    build(with);
    build(without);
    for (int i = 0; i < warmUp; ++i) {
        with.step(h);
        without.step(h);
    }
    std::vector<double> ours, added;
    for (int i = 0; i < turns; ++i) {
        const double a = timed([&] { with.step(h); });
        const double b = timed([&] { without.step(h); });
        ours.push_back(a);
        added.push_back(a - b);
    }
    return {quantile(ours, 0.5), quantile(added, 0.5)};
}

double chainOverElement() {
    constexpr int kLinks = 100;
    const PairedCost chains = costOf([](Workshop& workshop) { chain(workshop, kLinks); }, kNetworkTick, 60, 401);
    return chains.added / kLinks / costOf(FieldOptions{.bodies = kLinks, .course = Course::Impact}).added;
}

/// Both worlds tick alike each time they are made; where they lie in memory makes more of a difference than an idle
/// element does. Of each tick the fastest counts.
double idleInPile() {
    constexpr int kWorlds = 9, kWarmUp = 60;
    constexpr std::size_t kTicks = 41;
    std::vector<double> with(kTicks, 1e300), without(kTicks, 1e300);
    for (int k = 0; k < kWorlds; ++k) {
        Workshop ours(true), plain(false);
        const auto build = [](Workshop& workshop) { pile(workshop, 1000); };
        // One and the other lies first.
        build(k % 2 == 0 ? ours : plain);
        build(k % 2 == 0 ? plain : ours);
        for (int i = 0; i < kWarmUp; ++i) {
            ours.step(kNetworkTick);
            plain.step(kNetworkTick);
        }
        for (std::size_t i = 0; i < kTicks; ++i) {
            with[i] = std::min(with[i], timed([&] { ours.step(kNetworkTick); }));
            without[i] = std::min(without[i], timed([&] { plain.step(kNetworkTick); }));
        }
    }
    const auto sum = [](const std::vector<double>& times) { return std::accumulate(times.begin(), times.end(), 0.); };
    return sum(with) / sum(without) - 1;
}

/// A plane's box overlaps all: Bullet looks at each pair. Beyond that only what touches it may cost something.
double idleOverPlane() {
    constexpr int kTicks = 160, kWarm = 40;
    Workshop plane(true), box(true), plainPlane(false), plainBox(false);
    Workshop* const worlds[] = {&plane, &box, &plainPlane, &plainBox};
    std::array<std::vector<double>, 4> times;
    for (Workshop* world : worlds) bumpers(*world, 500, world == &plane || world == &plainPlane);
    for (int i = 0; i < kTicks; ++i) {
        for (std::size_t k = 0; k < times.size(); ++k) {
            const double time = timed([&] { worlds[k]->step(kNetworkTick); });
            if (i >= kWarm) times[k].push_back(time);
        }
    }
    const auto median = [&](std::size_t k) { return quantile(times[k], 0.5); };
    return median(0) / median(1) / (median(2) / median(3));
}

}  // namespace

std::vector<Target> networkTargets() {
    return {
        {"chain of 100 with gaps, h*omega = 11, per element / isolated element with an impact", 3, true,
         chainOverElement},
        {"element idle in a pile of 1 000 boxes: added cost / pile", 0.02, true, idleInPile},
        {"500 idle bumpers over a plane / over a box, in plain Bullet's ratio", 1.1, true, idleOverPlane},
    };
}

}  // namespace elasto::bench
