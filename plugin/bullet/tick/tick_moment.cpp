#include <elasto/errors.h>
#include <elasto/tick_moment.h>

#include <algorithm>

#include "network/element_access.h"
#include "network/single_element.h"
#include "network/solved_network.h"
#include "tick/world_tick.h"

namespace elasto {
inline namespace ELASTO_BULLET_NAMESPACE {

std::optional<BodyState> TickMoment::body(const btRigidBody& body) const {
    const auto found = std::find_if(m_bodies.begin(), m_bodies.end(), [&](const Body& b) { return b.body == &body; });
    return found == m_bodies.end() ? std::nullopt : std::optional(found->state);
}

std::optional<Readout> TickMoment::element(const ForceElement& element) const {
    const auto found =
        std::find_if(m_elements.begin(), m_elements.end(), [&](const Element& e) { return e.element == &element; });
    return found == m_elements.end() ? std::nullopt : std::optional(found->readout);
}

TickMoment WorldTick::inside(double t) const {
    if (!(t >= 0 && t <= m_lastLength)) {
        throw InvalidParameter("Plugin::insideTick", "t", t,
                               "from 0 to the length of the last tick, " + std::to_string(m_lastLength) + " s");
    }
    TickMoment moment;
    moment.m_time = t;
    if (m_world == nullptr) {
        return moment;
    }
    std::vector<std::pair<const SolvedNetwork*, FlowNetwork>> seen;
    const auto look = [&](const SolvedNetwork& solved) {
        FlowNetwork network = stateInside(solved, t);
        for (std::size_t i = 0; i < solved.bodies.size(); ++i) {
            if (solved.bodies[i].isMovable) {
                moment.m_bodies.push_back({solved.bodies[i].body, network.bodies[i]});
            }
        }
        return network;
    };
    const auto at = [&](const SolvedNetwork& solved) -> const FlowNetwork& {
        const auto known = std::find_if(seen.begin(), seen.end(), [&](const auto& s) { return s.first == &solved; });
        return known != seen.end() ? known->second : seen.emplace_back(&solved, look(solved)).second;
    };
    // No element keeps what flies.
    for (const auto& solved : m_pool) {
        const bool isOfTick = solved->tick + 1 == results.totals.ticks && !solved->isUncoupled;
        if (isOfTick && solved->elementCount() == 0) look(*solved);
    }
    for (int i = 0; i < m_world->getNumConstraints(); ++i) {
        const ForceElement* element = elementOf(m_world->getConstraint(i));
        if (const SingleRecord* single = element != nullptr ? ElementAccess::singleTick(*element) : nullptr) {
            if (single->tick + 1 != results.totals.ticks) continue;
            const SolvedNetwork network = networkOf(*single, *element);
            const FlowNetwork inside = stateInside(network, t);
            moment.m_bodies.push_back({network.bodies[0].body, inside.bodies[0]});
            moment.m_elements.push_back({element, readoutIn(inside, 0)});
            continue;
        }
        const SolvedNetwork* solved = element != nullptr ? ElementAccess::lastTick(*element) : nullptr;
        // Elements that sleep keep the solution of an earlier tick.
        if (solved == nullptr || solved->tick + 1 != results.totals.ticks || solved->isUncoupled) {
            continue;
        }
        moment.m_elements.push_back(
            {element, readoutIn(at(*solved), static_cast<std::size_t>(ElementAccess::indexInTick(*element)))});
    }
    return moment;
}

}  // namespace ELASTO_BULLET_NAMESPACE
}  // namespace elasto
