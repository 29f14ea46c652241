#include <elasto/audit.h>

#include "balance/load_changes.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace elasto {

namespace {

/// The two kinds of networks are solved by one name.
void solveTick(const TreeNetwork& network, double h, const FlowSettings& settings, TreeWorkspace& workspace,
               TreeTickResult& result) {
    solveTreeTick(network, h, settings, workspace, result);
}

/// What contacts bore in the last tick they bore in a time as long as that, and not as a part of it.
void beginPart(int parts, FlowNetwork& network) {
    for (FlowContact& contact : network.contacts) contact.impulse /= parts;
}
void beginPart(int /*parts*/, TreeNetwork& /*network*/) {}

/// Loads are those from a time of the tick on.
template <class Network>
void shiftTo(double time, Network& network) {
    if (network.changes.empty()) return flow::shift(network, time);
    const auto changes = std::move(network.changes);
    network.changes.clear();
    double t = 0;
    for (const auto& change : changes) {
        if (change.time > time) {
            network.changes.push_back(change);
            network.changes.back().time -= time;
            continue;
        }
        flow::shift(network, change.time - t);
        flow::apply(change, network);
        t = change.time;
    }
    flow::shift(network, time - t);
}

/// @return cost of all parts
template <class Network, class Space>
double solveParts(const Network& network, double h, int parts, const FlowSettings& settings, Space& space) {
    space.part = network;
    beginPart(parts, space.part);
    double cost = 0;
    for (int i = 0; i < parts; ++i) {
        if (i > 0) {
            space.part.adopt(space.end);
            shiftTo(h / parts, space.part);
        }
        solveTick(space.part, h / parts, settings, space.workspace, space.end);
        cost += space.end.cost;
    }
    return cost;
}

double differenceOf(const BodyState& x, const BodyState& y, double h) {
    const double turned = y.orientation.angularDistance(x.orientation);
    return std::max({(y.position - x.position).norm(), turned, h * (y.velocity - x.velocity).norm(),
                     h * (y.angularVelocity - x.angularVelocity).norm()});
}

template <class Result>
double differenceOfElements(const Result& tick, const Result& halves, double h) {
    double most = 0;
    for (std::size_t e = 0; e < tick.elements.size(); ++e) {
        most = std::max({most, std::abs(halves.elements[e].s - tick.elements[e].s),
                         h * std::abs(halves.elements[e].v - tick.elements[e].v)});
    }
    return most;
}

}  // namespace

double endDifference(const TickResult& tick, const TickResult& other, double h) {
    double most = differenceOfElements(tick, other, h);
    for (std::size_t i = 0; i < tick.bodies.size(); ++i) {
        most = std::max(most, differenceOf(tick.bodies[i], other.bodies[i], h));
    }
    return most;
}

double endDifference(const TreeTickResult& tick, const TreeTickResult& other, double h) {
    double most = differenceOfElements(tick, other, h);
    for (std::size_t i = 0; i < tick.trees.size(); ++i) {
        const TreeTick &x = tick.trees[i], &y = other.trees[i];
        most = std::max(most, differenceOf(x.base, y.base, h));
        for (std::size_t k = 0; k < x.links.size(); ++k) {
            const TreeJointState &a = x.links[k], &b = y.links[k];
            most = std::max({most, std::abs(b.q - a.q), h * std::abs(b.qd - a.qd), b.turn.angularDistance(a.turn),
                             h * (b.spin - a.spin).norm()});
        }
        for (std::size_t k = 0; k < x.rotors.size(); ++k) {
            most = std::max(
                {most, std::abs(y.rotors[k].phi - x.rotors[k].phi), h * std::abs(y.rotors[k].w - x.rotors[k].w)});
        }
    }
    return most;
}

TickAudit auditTick(const FlowNetwork& network, double h, const FlowSettings& settings, const TickResult& tick,
                    AuditSpace& space, int parts) {
    FlowSettings finer = settings;
    if (tick.substeps > 0) finer.substep = h / (parts * tick.substeps);
    const double cost = solveParts(network, h, parts, finer, space);
    return {endDifference(tick, space.end, h), cost};
}

TickAudit auditTick(const TreeNetwork& network, double h, const FlowSettings& settings, const TreeTickResult& tick,
                    TreeAuditSpace& space, int parts) {
    const double cost = solveParts(network, h, parts, settings, space);
    return {endDifference(tick, space.end, h), cost};
}

}  // namespace elasto
