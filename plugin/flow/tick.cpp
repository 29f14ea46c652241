#include <elasto/errors.h>
#include <elasto/flow.h>

#include "contact_tick.h"
#include "solve_rows.h"
#include "straight.h"
#include "turning.h"
#include "validation.h"

#include <algorithm>
#include <numeric>

namespace elasto {
namespace flow {
namespace {

// A connected part of a network: bodies joined by elements. Immovable bodies join nothing; each part has its own copy.
struct Part {
    std::vector<int> bodies;
    std::vector<int> elements;
    std::vector<int> joints;
    std::vector<int> contacts;
    std::vector<int> bounded;
};

std::vector<Part> connectedParts(const FlowNetwork& network) {
    const std::size_t n = network.bodies.size();
    std::vector<int> parent(n);
    std::iota(parent.begin(), parent.end(), 0);
    const auto find = [&](int i) {
        while (parent[static_cast<std::size_t>(i)] != i) {
            i = parent[static_cast<std::size_t>(i)];
        }
        return i;
    };
    const auto movable = [&](int i) {
        return i != kWorld && !network.bodies[static_cast<std::size_t>(i)].isImmovable();
    };
    const auto join = [&](const auto& link) {
        if (movable(link.a) && movable(link.b)) {
            const int a = find(link.a);
            const int b = find(link.b);
            parent[static_cast<std::size_t>(std::max(a, b))] = std::min(a, b);
        }
    };
    std::for_each(network.elements.begin(), network.elements.end(), join);
    std::for_each(network.joints.begin(), network.joints.end(), join);
    std::for_each(network.contacts.begin(), network.contacts.end(), join);
    std::for_each(network.bounded.begin(), network.bounded.end(), join);
    std::vector<Part> parts;
    std::vector<int> partOf(n, -1);
    for (std::size_t i = 0; i < n; ++i) {
        const int root = find(static_cast<int>(i));
        int& part = partOf[static_cast<std::size_t>(root)];
        if (part < 0) {
            part = static_cast<int>(parts.size());
            parts.emplace_back();
        }
        partOf[i] = part;
        parts[static_cast<std::size_t>(part)].bodies.push_back(static_cast<int>(i));
    }
    const auto enter = [&](const auto& links, std::vector<int> Part::*list) {
        for (std::size_t k = 0; k < links.size(); ++k) {
            const int owner = movable(links[k].a) ? links[k].a : links[k].b;
            Part& part = parts[static_cast<std::size_t>(partOf[static_cast<std::size_t>(owner)])];
            (part.*list).push_back(static_cast<int>(k));
            const int other = owner == links[k].a ? links[k].b : links[k].a;
            const bool present = std::find(part.bodies.begin(), part.bodies.end(), other) != part.bodies.end();
            if (other != kWorld && !movable(other) && !present) {
                part.bodies.push_back(other);
            }
        }
    };
    enter(network.elements, &Part::elements);
    enter(network.joints, &Part::joints);
    enter(network.contacts, &Part::contacts);
    enter(network.bounded, &Part::bounded);
    return parts;
}

FlowNetwork extract(const FlowNetwork& whole, const Part& part) {
    FlowNetwork network;
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
        }
    };
    copy(part.elements, whole.elements, network.elements);
    copy(part.joints, whole.joints, network.joints);
    copy(part.contacts, whole.contacts, network.contacts);
    copy(part.bounded, whole.bounded, network.bounded);
    return network;
}

TickResult solveStraight(const FlowNetwork& network, const RowFrame& frame, double h, const FlowSettings& settings) {
    TickResult result;
    const RowNetwork rows = frame.rowNetwork();
    RowState state = frame.startState(rows);
    if (!network.elements.empty()) {
        RowOutcome outcome = solveRows(rows, state, h, settings);
        result.method = outcome.method;
        result.steps = outcome.log.steps;
        result.overBudget = outcome.overBudget;
        result.energyHandedOut = outcome.energyHandedOut;
        result.energyRepaired = outcome.energyRepaired;
        result.events = std::move(outcome.log.events);
    }
    for (std::size_t i = 0; i < network.bodies.size(); ++i) {
        result.bodies.push_back(frame.endOf(static_cast<int>(i), h, state.P, state.sigma));
    }
    for (std::size_t e = 0; e < network.elements.size(); ++e) {
        const auto k = static_cast<Eigen::Index>(e);
        const Law& law = network.elements[e].law;
        ElementTick tick;
        tick.s = state.s[k];
        tick.v = state.v[k];
        tick.s_damper = state.z[k];
        tick.force = evaluate(law, tick.s, tick.v, tick.s_damper);
        tick.impulse = state.P[k];
        tick.heat = state.heat[k];
        tick.storedEnergy = elasto::storedEnergy(law, tick.s, tick.s_damper);
        result.elements.push_back(tick);
    }
    return result;
}

// A line that shrinks to nothing turns round: its coordinate is no longer a straight one.
bool passedThroughZero(const FlowNetwork& network, const TickResult& tick) {
    for (std::size_t e = 0; e < network.elements.size(); ++e) {
        const FlowElement& element = network.elements[e];
        if (element.geometry == Geometry::AlongLine && tick.elements[e].s < element.s_small) {
            return true;
        }
    }
    return false;
}

TickResult solvePart(const FlowNetwork& network, double h, const FlowSettings& settings) {
    if (!network.contacts.empty() && !network.bounded.empty()) {
        throw InvalidParameter("solveTick", "a network with contacts cannot have motors or limits yet");
    }
    if (!network.contacts.empty()) {
        return solveContacts(network, h, settings);
    }
    if (!network.joints.empty() || !network.bounded.empty()) {
        return solveTurning(network, h, settings);
    }
    const RowFrame frame(network);
    if (frame.isStraight(h)) {
        TickResult result = solveStraight(network, frame, h, settings);
        if (!passedThroughZero(network, result)) {
            return result;
        }
    }
    return solveTurning(network, h, settings);
}

void merge(const Part& part, const TickResult& tick, TickResult& total) {
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
    total.overBudget |= tick.overBudget;
    total.energyHandedOut += tick.energyHandedOut;
    total.energyRepaired += tick.energyRepaired;
    total.jointEnergy += tick.jointEnergy;
    total.contactLoss += tick.contactLoss;
    total.recovery = std::max(total.recovery, tick.recovery);
    total.setChanges += tick.setChanges;
    total.driveWork += tick.driveWork;
    total.limitLoss += tick.limitLoss;
}

}  // namespace
}  // namespace flow

TickResult solveTick(const FlowNetwork& network, double h, const FlowSettings& settings) {
    flow::validate(network, h);
    TickResult total;
    total.bodies.resize(network.bodies.size());
    total.elements.resize(network.elements.size());
    total.contacts.resize(network.contacts.size());
    total.bounded.resize(network.bounded.size());
    for (const flow::Part& part : flow::connectedParts(network)) {
        flow::merge(part, flow::solvePart(flow::extract(network, part), h, settings), total);
    }
    std::stable_sort(total.events.begin(), total.events.end(), [](const ContactEvent& x, const ContactEvent& y) {
        return x.time < y.time || (x.time == y.time && x.element < y.element);
    });
    return total;
}

}  // namespace elasto
