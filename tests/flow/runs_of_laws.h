#pragma once
// Networks that are run tick by tick, and compared with CVODE and with the balance of energy.

#include <elasto/flow.h>
#include <elasto/flow_tree.h>
#include <elasto/reference/reference.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <vector>

namespace elasto {

/// What a network did.
struct Run {
    std::vector<FlowNetwork> states;  ///< after each tick
    std::set<FlowMethod> methods;
    double heat = 0;  ///< [J]
};

/// Ticks of the flow, one after the other.
inline Run runTicks(FlowNetwork network, double rate, int ticks, const FlowSettings& settings = {}) {
    Run all;
    for (int i = 0; i < ticks; ++i) {
        const TickResult tick = solveTick(network, 1 / rate, settings);
        for (const ElementTick& element : tick.elements) all.heat += element.heat;
        all.methods.insert(tick.method);
        network.adopt(tick);
        all.states.push_back(network);
    }
    return all;
}

/// A run beside CVODE's.
struct Comparison {
    double error = 0;    ///< largest, of positions and inner states, as a share of how far the bodies move
    double slipped = 0;  ///< largest change of an inner state, likewise
};

inline Comparison compare(const FlowNetwork& start, const Run& found, double rate) {
    std::vector<double> times = {0};
    for (std::size_t i = 0; i < found.states.size(); ++i) times.push_back(static_cast<double>(i + 1) / rate);
    ReferenceProblem problem;
    problem.network = start;
    const ReferenceSolution oracle = solveReference(problem, times);
    double error = 0, range = 0, slipped = 0;
    for (std::size_t i = 0; i < found.states.size(); ++i) {
        const FlowNetwork& now = found.states[i];
        const ReferenceState& expected = oracle.states[i + 1];
        for (std::size_t b = 0; b < now.bodies.size(); ++b) {
            error = std::max(error, (now.bodies[b].position - expected.bodies[b].position).norm());
            range = std::max(range, (expected.bodies[b].position - start.bodies[b].position).norm());
        }
        for (std::size_t e = 0; e < now.elements.size(); ++e) {
            error = std::max(error, std::abs(now.elements[e].s_damper - expected.elements[e].s_damper));
            slipped = std::max(slipped, std::abs(expected.elements[e].s_damper - start.elements[e].s_damper));
        }
    }
    return {error / range, slipped / range};
}

/// Kinetic energy, what elements store, and what constant loads have yet to give [J].
inline double energyOf(const FlowNetwork& network) {
    double energy = 0;
    for (const FlowBody& body : network.bodies) {
        const Eigen::Vector3d w = body.orientation.conjugate() * body.angularVelocity;
        energy += 0.5 * body.velocity.squaredNorm() / body.inverseMass;
        energy += 0.5 * w.dot(w.cwiseQuotient(body.inverseInertia)) - body.force.constant.dot(body.position);
    }
    for (const FlowElement& element : network.elements) {
        energy += storedEnergy(element.law, measure(network, element).s, element.s_damper);
    }
    return energy;
}

/// A link of 1 kg on a joint beside its centre of mass, under gravity. @param qd its speed at the start [rad/s]
inline TreeNetwork swingingLink(double qd) {
    TreeLink link;
    link.centerOfMass = {0.3, 0, 0};
    link.mass = 1;
    link.inertia = Eigen::Vector3d(0.001, 0.02, 0.02).asDiagonal();
    link.force.constant = {0, -9.81, 0};
    link.q = 0.2;
    link.qd = qd;
    FlowTree tree;
    tree.links = {link};
    TreeNetwork network;
    network.trees = {tree};
    return network;
}

/// A link's run beside CVODE's.
struct LinkComparison {
    double error = 0;    ///< largest, of the joint and of inner states [rad]
    double slipped = 0;  ///< largest inner state [rad]
    int contacts = 0;    ///< that began
};

inline LinkComparison compareLink(TreeNetwork network, double rate, int ticks) {
    std::vector<double> times = {0};
    for (int i = 0; i < ticks; ++i) times.push_back((i + 1) / rate);
    TreeReferenceProblem problem;
    problem.network = network;
    const ReferenceSolution oracle = solveReference(problem, times);
    TreeWorkspace workspace;
    TreeTickResult tick;
    LinkComparison found;
    for (std::size_t i = 1; i < times.size(); ++i) {
        solveTreeTick(network, 1 / rate, {}, workspace, tick);
        for (const ContactEvent& event : tick.events) found.contacts += event.begin ? 1 : 0;
        network.adopt(tick);
        const ReferenceState& expected = oracle.states[i];
        found.error = std::max(found.error, std::abs(network.trees[0].links[0].q - expected.trees[0].links[0].q));
        for (std::size_t e = 0; e < network.elements.size(); ++e) {
            const double inner = expected.elements[e].s_damper;
            found.error = std::max(found.error, std::abs(network.elements[e].s_damper - inner));
            found.slipped = std::max(found.slipped, std::abs(inner));
        }
    }
    return found;
}

}  // namespace elasto
