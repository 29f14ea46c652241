#include "balance/load_changes.h"

#include "balance/network_state.h"

namespace elasto::flow {

namespace {

/// @param change of an element's strength
template <class Change, class Network>
void setStrength(const Change& change, Network& network) {
    network.elements[static_cast<std::size_t>(change.element)].f_normalized = change.share;
    for (auto& row : network.bounded) {
        if (row.friction.element == change.element) row.friction.share = change.share;
    }
}

/// What both kinds of results have: sums, and what has decided.
template <class Result>
void addSums(const Result& piece, double start, Result& total) {
    for (ContactEvent event : piece.events) {
        event.time += start;
        total.events.push_back(event);
    }
    for (std::size_t e = 0; e < piece.elements.size(); ++e) {
        const ElementTick before = total.elements[e];
        total.elements[e] = piece.elements[e];
        total.elements[e].impulse += before.impulse;
        total.elements[e].heat += before.heat;
    }
    for (std::size_t k = 0; k < piece.bounded.size(); ++k) {
        const BoundedTick before = total.bounded[k];
        total.bounded[k] = piece.bounded[k];
        total.bounded[k].impulse += before.impulse;
        total.bounded[k].work += before.work;
    }
    total.method = std::max(total.method, piece.method);
    total.steps += piece.steps;
    total.overBudget = total.overBudget || piece.overBudget;
    total.leastCost = std::max(total.leastCost, total.cost + piece.leastCost);
    total.cost += piece.cost;
    total.energyHandedOut += piece.energyHandedOut;
    total.driveWork += piece.driveWork;
    total.limitLoss += piece.limitLoss;
    total.energyRepaired += piece.energyRepaired;
    total.balance += piece.balance;
    total.grade += piece.grade;
}

}  // namespace

void shift(FlowNetwork& network, double t) {
    shiftLoads(network, t);
    for (FlowContact& contact : network.contacts) {
        contact.restSpeed = 0;  // what its bodies have now is their own motion
        contact.hasStuck = false;
    }
}

void shift(TreeNetwork& network, double t) {
    for (FlowTree& tree : network.trees) {
        for (QuadraticLoad* load : {&tree.base.force, &tree.base.torque}) *load = load->from(t);
        for (TreeLink& link : tree.links) {
            for (QuadraticLoad* load : {&link.force, &link.forceTorque, &link.ballTorque}) *load = load->from(t);
            link.torque = link.torque.from(t);
        }
        for (TreeRotor& rotor : tree.rotors) rotor.torque = rotor.torque.from(t);
    }
    shiftStrengths(network, t);
}

void apply(const LoadChange& change, FlowNetwork& network) {
    if (change.element >= 0) return setStrength(change, network);
    FlowBody& body = network.bodies[static_cast<std::size_t>(change.body)];
    body.force = change.force;
    body.torque = change.torque;
}

void apply(const TreeLoadChange& change, TreeNetwork& network) {
    if (change.element >= 0) return setStrength(change, network);
    FlowTree& tree = network.trees[static_cast<std::size_t>(change.tree)];
    const auto i = static_cast<std::size_t>(change.index);
    (change.kind == TreeTerm::Kind::Joint ? tree.links[i].torque : tree.rotors[i].torque) = change.torque;
}

void add(const TickResult& piece, double start, TickResult& total) {
    if (start == 0) {
        total = piece;
        return;
    }
    addSums(piece, start, total);
    for (std::size_t i = 0; i < piece.bodies.size(); ++i) {
        const BodyTick before = total.bodies[i];
        total.bodies[i] = piece.bodies[i];
        total.bodies[i].elementVelocity += before.elementVelocity;
        total.bodies[i].elementAngularVelocity += before.elementAngularVelocity;
    }
    for (std::size_t i = 0; i < piece.reactions.size(); ++i) total.reactions[i] += piece.reactions[i];
    for (std::size_t i = 0; i < piece.contacts.size(); ++i) {
        const ContactTick before = total.contacts[i];
        total.contacts[i] = piece.contacts[i];
        total.contacts[i].impulse += before.impulse;
        total.contacts[i].frictionImpulse += before.frictionImpulse;
        total.contacts[i].frictionTorque += before.frictionTorque;
    }
    total.jointEnergy += piece.jointEnergy;
    total.contactLoss += piece.contactLoss;
    total.setChanges += piece.setChanges;
    total.substeps += piece.substeps;
    total.isFirstOrder |= piece.isFirstOrder;
    total.mostCost += piece.mostCost;
    total.recovery = std::max(total.recovery, piece.recovery);
}

void add(const TreeTickResult& piece, double start, TreeTickResult& total) {
    if (start == 0) {
        total = piece;
        return;
    }
    addSums(piece, start, total);
    total.trees = piece.trees;
}

}  // namespace elasto::flow
