#include "contact/contact_budget.h"

#include "contact/depenetration.h"
#include "contact/tuning.h"
#include "implicit/implicit_tick.h"
#include "implicit/tuning.h"
#include "numerics/cost_model.h"

#include <algorithm>

namespace elasto::flow {

ContactBudget::ContactBudget(const FlowNetwork& network, double h, const FlowSettings& settings)
    : m_network(network),
      m_settings(settings),
      m_substeps(implicit::substepsFor(network, h, settings)),
      m_spent(static_cast<double>((price::kGather + price::kTick) * price::partsOf(network))) {}

void ContactBudget::plan(long exact, TickResult& result) {
    const double overshoot = static_cast<double>(price::kOvershoot * price::partsOf(m_network));
    const double atEnd = m_atEnd =
        static_cast<double>(price::kAttempt * price::partsOf(m_network) + depenetrationWork(m_network));
    const double before = m_spent + (exact > 0 ? static_cast<double>(exact) + overshoot : 0);
    const double most = before + mostOf(m_substeps) + lossyOf(m_substeps) + atEnd;
    const double limit = m_settings.maxCost * price::kCost;
    result.leastCost = std::min(m_settings.maxCost, (1 + kBudgetRounding) * most / price::kCost);
    m_bound = most;
    if (limit < most) {
        const double left = limit - m_spent - atEnd;
        const auto needed = [&] { return usualOf(m_substeps) + lossyOf(m_substeps); };
        const int wanted = m_substeps;
        while (m_substeps > 1 && needed() > left) --m_substeps;
        result.overBudget = m_substeps < wanted;
        exact = static_cast<long>(std::clamp(left - needed() - overshoot, 0., static_cast<double>(exact)));
        m_bound = std::max(limit, m_spent + leastOf(m_substeps) + lossyOf(m_substeps) + atEnd);
    }
    m_work = exact;
    // Shorter sub-steps are taken as far as the settings leave room for them.
    double finer = 0;
    for (int n = 2; n <= kMostHalved; n *= 2) finer += finerOf(n);
    for (int n = 16; n <= kMostHalved; n *= 8) finer += finerOf(n);
    result.mostCost = std::max(m_bound, std::min(m_bound + finer, limit)) / price::kCost;
    m_bound -= atEnd + lossyOf(m_substeps);
}

bool ContactBudget::takesFiner(int times, TickResult& result) const {
    const double needed = m_spent + finerOf(times) + lossyOf(m_substeps) + m_atEnd;
    if (needed > m_settings.maxCost * price::kCost) return false;
    const double least = (1 + kBudgetRounding) * needed / price::kCost;
    result.leastCost = std::min(m_settings.maxCost, std::max(result.leastCost, least));
    return true;
}

double ContactBudget::usualOf(int substeps) const {
    return static_cast<double>(price::implicitTick(m_network, substeps));
}

double ContactBudget::mostOf(int substeps) const {
    return static_cast<double>(price::implicitTick(m_network, substeps, price::kMostNewton));
}

double ContactBudget::lossyOf(int substeps) const {
    return static_cast<double>(price::implicitTick(m_network, 2 * substeps, 2 * price::kUsualNewton));
}

double ContactBudget::leastOf(int substeps) const {
    return static_cast<double>(price::implicitTick(m_network, substeps, implicit::kFewestIterations));
}

void ContactBudget::count(const Trial& trial) {
    m_spent += static_cast<double>(trial.work);
    m_work = std::max(m_work - trial.work, 0L);
}

void ContactBudget::noteExact(const Trial& trial, double least) {
    m_workPerTime = std::max(m_workPerTime, static_cast<double>(trial.work) / std::max(trial.length, least));
}

bool ContactBudget::hasWorkFor(double time) const {
    const double work = m_workPerTime * time;
    const double share = m_network.bounded.empty() ? kTickShare : 1;
    return m_spent + work < share * (m_spent + static_cast<double>(m_work));
}

double ContactBudget::cost() const {
    return m_spent / price::kCost;
}

}  // namespace elasto::flow
