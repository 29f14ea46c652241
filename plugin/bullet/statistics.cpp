#include <elasto/statistics.h>

namespace elasto {
inline namespace ELASTO_BULLET_NAMESPACE {

TickStatistics& TickStatistics::operator+=(const TickStatistics& tick) {
    ticks += tick.ticks;
    networks += tick.networks;
    elements += tick.elements;
    flying += tick.flying;
    for (std::size_t i = 0; i < elementsPerMethod.size(); ++i) {
        elementsPerMethod[i] += tick.elementsPerMethod[i];
    }
    events += tick.events;
    steps += tick.steps;
    cost += tick.cost;
    mostCost += tick.mostCost;
    fallbacks += tick.fallbacks;
    implicit += tick.implicit;
    substeps += tick.substeps;
    firstOrder += tick.firstOrder;
    failed += tick.failed;
    outOfBudget += tick.outOfBudget;
    repairs += tick.repairs;
    uncoupled += tick.uncoupled;
    coupled += tick.coupled;
    idle += tick.idle;
    missed += tick.missed;
    setChanges += tick.setChanges;
    remembered += tick.remembered;
    cutBack += tick.cutBack;
    if (tick.worstSteps > worstSteps || worstNetwork.empty()) {
        worstSteps = tick.worstSteps;
        worstNetwork = tick.worstNetwork;
    }
    return *this;
}

}  // namespace ELASTO_BULLET_NAMESPACE
}  // namespace elasto
