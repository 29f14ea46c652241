#include <functional>

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

double idleInPile() {
    const PairedCost cost = costOf([](Workshop& workshop) { pile(workshop, 1000); }, kNetworkTick, 60, 41);
    return cost.added / (cost.with - cost.added);
}

}  // namespace

std::vector<Target> networkTargets() {
    return {
        {"chain of 100 with gaps, h*omega = 11, per element / isolated element with an impact", 3, true,
         chainOverElement},
        {"element idle in a pile of 1 000 boxes: added cost / pile", 0.02, true, idleInPile},
    };
}

}  // namespace elasto::bench
