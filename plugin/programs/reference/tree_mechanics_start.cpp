// State and branches of trees at time 0, and the sizes that quantities have.

#include "tree_mechanics.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace elasto::reference {

TreeMechanics::Vector TreeMechanics::startState() const {
    Vector y = Vector::Zero(m_size);
    for (std::size_t k = 0; k < m_slots.size(); ++k) {
        const FlowTree& tree = m_problem.network.trees[k];
        const TreeSlots& slots = m_slots[k];
        if (slots.base.q >= 0) {
            y.segment<3>(slots.base.q) = tree.base.position;
            y.segment<4>(slots.base.q + 3) = tree.base.orientation.normalized().coeffs();
            y.segment<3>(slots.base.u) = tree.base.velocity;
            y.segment<3>(slots.base.u + 3) = tree.base.angularVelocity;
        }
        for (std::size_t i = 0; i < tree.links.size(); ++i) {
            const TreeLink& link = tree.links[i];
            const Place place = slots.links[i];
            if (link.joint == TreeJoint::Spherical) {
                y.segment<4>(place.q) = link.turn.normalized().coeffs();
                y.segment<3>(place.u) = link.spin;
            } else if (place.q >= 0) {
                y[place.q] = link.q;
                y[place.u] = link.qd;
            }
        }
        for (std::size_t i = 0; i < tree.rotors.size(); ++i) {
            y[slots.rotors[i].q] = tree.rotors[i].phi;
            y[slots.rotors[i].u] = tree.rotors[i].w;
        }
    }
    for (std::size_t e = 0; e < m_elementSlots.size(); ++e) {
        const ElementSlot& slot = m_elementSlots[e];
        if (slot.damper < 0) continue;
        const double s = measure(slot, y.data()).s;
        y[slot.damper] = slot.characteristic.startState(s, m_problem.network.elements[e].s_damper);
    }
    return y;
}

TreeMechanics::Branches TreeMechanics::startBranches() const {
    const Vector y = startState();
    Branches branches;
    for (const ElementSlot& slot : m_elementSlots) {
        const Measured measured = measure(slot, y.data());
        branches.push_back(
            slot.characteristic.branchAt(measured.s, measured.v, m_problem.network.elements[branches.size()].s_damper));
    }
    return branches;
}

// Coordinates are angles or of a metre's size; rates at least what the loads reach within a radian.
TreeMechanics::Vector TreeMechanics::scales(std::span<const double> times) const {
    const Vector y = startState();
    const Branches branches = startBranches();
    Vector dy(m_size);
    double acceleration = 0;
    const std::size_t stride = std::max<std::size_t>(1, times.size() / 16);
    for (std::size_t k = 0; k < times.size(); k += stride) {
        derivative(times[k], y.data(), branches, dy.data());
        acceleration = std::max(acceleration, dy.segment(m_coordinates, m_velocities).cwiseAbs().maxCoeff());
    }
    const double speed = y.segment(m_coordinates, m_velocities).cwiseAbs().maxCoeff();
    Vector scales = Vector::Ones(m_size);
    scales.segment(m_coordinates, m_velocities).setConstant(std::max({speed, std::sqrt(acceleration), 1e-3}));
    return scales;
}

}  // namespace elasto::reference
