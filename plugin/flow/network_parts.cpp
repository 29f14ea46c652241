#include "network_parts.h"

#include "balance/network_state.h"
#include "bodies/geometry.h"

#include <algorithm>
#include <numeric>

namespace elasto::flow {

/// Root of a body's tree in the union-find.
int NetworkParts::rootOf(int i) {
    while (m_parent[static_cast<std::size_t>(i)] != i) {
        int& parent = m_parent[static_cast<std::size_t>(i)];
        parent = m_parent[static_cast<std::size_t>(parent)];  // halves the path for those that come later
        i = parent;
    }
    return i;
}

void NetworkParts::find(const FlowNetwork& network) {
    joinBodies(network);
    divideBodies(network);
    if (!m_isOne) divideLinks(network);
}

void NetworkParts::joinBodies(const FlowNetwork& network) {
    m_parent.resize(network.bodies.size());
    std::iota(m_parent.begin(), m_parent.end(), 0);
    const auto join = [&](const auto& link) {
        int first = kWorld;
        forEachBody(link, [&](int body) {
            if (!isMovable(network, body)) return;
            if (first == kWorld) first = body;
            const int a = rootOf(first);
            const int b = rootOf(body);
            m_parent[static_cast<std::size_t>(std::max(a, b))] = std::min(a, b);
        });
    };
    std::for_each(network.elements.begin(), network.elements.end(), join);
    std::for_each(network.joints.begin(), network.joints.end(), join);
    std::for_each(network.bounded.begin(), network.bounded.end(), join);
    std::for_each(network.contacts.begin(), network.contacts.end(), join);
}

void NetworkParts::divideBodies(const FlowNetwork& network) {
    const std::size_t n = network.bodies.size();
    m_count = 0;
    m_partOf.assign(n, -1);
    std::size_t movableParts = 0;
    for (std::size_t i = 0; i < n; ++i) {
        const int root = rootOf(static_cast<int>(i));
        int& part = m_partOf[static_cast<std::size_t>(root)];
        if (part < 0) {
            part = static_cast<int>(m_count);
            if (m_parts.size() == m_count) m_parts.emplace_back();
            NetworkPart& fresh = m_parts[m_count++];
            for (std::vector<int>* list :
                 {&fresh.bodies, &fresh.elements, &fresh.joints, &fresh.bounded, &fresh.contacts})
                list->clear();
            movableParts += isMovable(network, root) ? 1 : 0;
        }
        m_partOf[i] = part;
        m_parts[static_cast<std::size_t>(part)].bodies.push_back(static_cast<int>(i));
    }
    m_isOne = movableParts == 1;
}

void NetworkParts::divideLinks(const FlowNetwork& network) {
    const auto enter = [&](const auto& links, std::vector<int> NetworkPart::*list) {
        for (std::size_t k = 0; k < links.size(); ++k) {
            int owner = kWorld;
            forEachBody(links[k],
                        [&](int body) { owner = owner == kWorld && isMovable(network, body) ? body : owner; });
            NetworkPart& part = m_parts[static_cast<std::size_t>(m_partOf[static_cast<std::size_t>(owner)])];
            (part.*list).push_back(static_cast<int>(k));
            forEachBody(links[k], [&](int other) {
                if (other == kWorld || isMovable(network, other)) return;
                const bool present = std::find(part.bodies.begin(), part.bodies.end(), other) != part.bodies.end();
                if (!present) part.bodies.push_back(other);
            });
        }
    };
    enter(network.elements, &NetworkPart::elements);
    enter(network.joints, &NetworkPart::joints);
    enter(network.bounded, &NetworkPart::bounded);
    enter(network.contacts, &NetworkPart::contacts);
}

void extract(const FlowNetwork& whole, const NetworkPart& part, FlowNetwork& network) {
    network.bodies.clear();
    network.elements.clear();
    network.joints.clear();
    network.bounded.clear();
    network.contacts.clear();
    for (const int i : part.bodies) {
        network.bodies.push_back(whole.bodies[static_cast<std::size_t>(i)]);
    }
    const auto local = [&](int body) {
        const auto at = std::find(part.bodies.begin(), part.bodies.end(), body);
        return body == kWorld ? kWorld : static_cast<int>(at - part.bodies.begin());
    };
    const auto copy = [&](const std::vector<int>& indices, const auto& from, auto& to) {
        for (const int k : indices) {
            to.push_back(from[static_cast<std::size_t>(k)]);
            to.back().a = local(to.back().a);
            to.back().b = local(to.back().b);
            if constexpr (requires { to.back().geared; }) {
                to.back().geared.a = local(to.back().geared.a);
                to.back().geared.b = local(to.back().geared.b);
            }
        }
    };
    copy(part.elements, whole.elements, network.elements);
    copy(part.joints, whole.joints, network.joints);
    copy(part.bounded, whole.bounded, network.bounded);
    copy(part.contacts, whole.contacts, network.contacts);
}

void merge(const NetworkPart& part, const TickResult& tick, TickResult& total) {
    for (std::size_t i = 0; i < part.bodies.size(); ++i) {
        total.bodies[static_cast<std::size_t>(part.bodies[i])] = tick.bodies[i];
    }
    for (std::size_t e = 0; e < part.elements.size(); ++e) {
        total.elements[static_cast<std::size_t>(part.elements[e])] = tick.elements[e];
    }
    for (std::size_t c = 0; c < part.contacts.size(); ++c) {
        total.contacts[static_cast<std::size_t>(part.contacts[c])] = tick.contacts[c];
    }
    for (std::size_t k = 0; k < part.bounded.size(); ++k) {
        total.bounded[static_cast<std::size_t>(part.bounded[k])] = tick.bounded[k];
    }
    // Rows of one joint are in one part; what another part has in its place is zero.
    if (total.reactions.size() < tick.reactions.size()) total.reactions.resize(tick.reactions.size());
    for (std::size_t k = 0; k < tick.reactions.size(); ++k) total.reactions[k] += tick.reactions[k];
    for (ContactEvent event : tick.events) {
        event.element = part.elements[static_cast<std::size_t>(event.element)];
        total.events.push_back(event);
    }
    total.method = std::max(total.method, tick.method);
    total.steps += tick.steps;
    total.cost += tick.cost;
    total.mostCost += tick.mostCost;
    total.leastCost = std::max(total.leastCost, tick.leastCost);
    total.overBudget |= tick.overBudget;
    total.energyHandedOut += tick.energyHandedOut;
    total.energyRepaired += tick.energyRepaired;
    total.jointEnergy += tick.jointEnergy;
    total.contactLoss += tick.contactLoss;
    total.recovery = std::max(total.recovery, tick.recovery);
    total.setChanges += tick.setChanges;
    total.substeps += tick.substeps;
    total.balance += tick.balance;
    total.isFirstOrder |= tick.isFirstOrder;
    total.grade += tick.grade;
    total.driveWork += tick.driveWork;
    total.limitLoss += tick.limitLoss;
}

}  // namespace elasto::flow
