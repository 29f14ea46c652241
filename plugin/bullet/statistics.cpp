#include <elasto/statistics.h>

#include <algorithm>

namespace elasto {
inline namespace ELASTO_BULLET_NAMESPACE {

TickGrade TickStatistics::grade() const {
    TickGrade grade;
    for (std::size_t cause = 1; cause < networksPerCause.size(); ++cause) {
        if (networksPerCause[cause] > 0) grade += TickGrade::of(static_cast<GradeCause>(cause));
    }
    if (failed > 0) grade.grade = Grade::Failed;
    grade.error = error;
    return grade;
}

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
    for (std::size_t i = 0; i < networksPerCause.size(); ++i) networksPerCause[i] += tick.networksPerCause[i];
    approximateTicks += tick.approximateTicks;
    failedTicks += tick.failedTicks;
    if (tick.error > error || errorAt.empty()) {
        error = tick.error;
        errorAt = tick.errorAt;
        errorTime = tick.errorTime;
    }
    inexactFrom = std::min(inexactFrom, tick.inexactFrom);
    audits += tick.audits;
    auditCost += tick.auditCost;
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
