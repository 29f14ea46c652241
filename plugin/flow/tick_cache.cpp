#include "tick_cache.h"

namespace elasto::flow {

namespace {

bool stoodStill(const FlowNetwork& network, const TickResult& result) {
    for (std::size_t i = 0; i < network.bodies.size(); ++i) {
        const BodyState &start = network.bodies[i], &end = result.bodies[i];
        if (!(start == end)) return false;
    }
    return true;
}

}  // namespace

bool TickCache::recall(const FlowNetwork& network, double h, const FlowSettings& settings, TickResult& result) const {
    // Mostly it is the bodies that are somewhere else.
    if (!m_isKnown || network.bodies.size() != m_result.bodies.size() || !stoodStill(network, m_result)) return false;
    // What other networks leave of the world's budget is another amount in each tick.
    const bool isEnough = m_result.leastCost < m_settings.maxCost && m_result.leastCost <= settings.maxCost;
    if (settings.maxCost != m_settings.maxCost && !isEnough) return false;
    FlowSettings but = settings;
    but.maxCost = m_settings.maxCost;
    if (h != m_h || !(but == m_settings) || !(network == m_network)) return false;
    result = m_result;
    return true;
}

void TickCache::note(const FlowNetwork& network, double h, const FlowSettings& settings, const TickResult& result) {
    m_isKnown = stoodStill(network, result);
    if (!m_isKnown) return;
    m_network = network;
    m_h = h;
    m_settings = settings;
    m_result = result;
}

}  // namespace elasto::flow
