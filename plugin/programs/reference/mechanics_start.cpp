// State and branches at time 0, and the sizes that quantities have.

#include "mechanics.h"

#include <algorithm>
#include <cmath>

namespace elasto::reference {

Mechanics::Vector Mechanics::startState() const {
    Vector y = Vector::Zero(m_size);
    for (const BodySlot& slot : m_bodySlots) {
        const BodyState& body = m_problem.network.bodies[static_cast<std::size_t>(slot.index)];
        y.segment<3>(slot.offset) = body.position;
        y.segment<3>(slot.offset + 3) = body.velocity;
        if (!slot.turns) continue;
        y.segment<4>(slot.offset + 6) = body.orientation.normalized().coeffs();
        y.segment<3>(slot.offset + 10) = body.angularVelocity;
    }
    for (const ElementSlot& slot : m_elementSlots) {
        const FlowElement& element = m_problem.network.elements[static_cast<std::size_t>(slot.index)];
        if (slot.angle >= 0) y[slot.angle] = element.phi;
    }
    // The given angle only tells the turn; the state starts where the frames really are.
    gather(0, y.data(), m_states);
    for (const ElementSlot& slot : m_elementSlots) {
        const double s = measure(slot, m_states, y.data()).s;
        if (slot.angle >= 0) y[slot.angle] = s;
        const double z = m_problem.network.elements[static_cast<std::size_t>(slot.index)].s_damper;
        if (slot.damper >= 0) y[slot.damper] = slot.characteristic.startState(s, z);
    }
    return y;
}

Mechanics::Branches Mechanics::startBranches() const {
    const Vector y = startState();
    gather(0, y.data(), m_states);
    Branches branches;
    for (const ElementSlot& slot : m_elementSlots) {
        const Measured measured = measure(slot, m_states, y.data());
        branches.push_back(slot.characteristic.branchAt(
            measured.s, measured.v, m_problem.network.elements[static_cast<std::size_t>(slot.index)].s_damper));
    }
    return branches;
}

Mechanics::Vector Mechanics::scales(std::span<const double> times) const {
    const Vector y = startState();
    const Branches branches = startBranches();
    gather(0, y.data(), m_states);

    double length = 0;
    double speed = 0;
    double mass = 0;
    for (const ElementSlot& slot : m_elementSlots) {
        const Measured measured = measure(slot, m_states, y.data());
        length = std::max({length, std::abs(measured.s), slot.characteristic.largestEdge()});
        speed = std::max(speed, std::abs(measured.v));
    }
    for (const BodySlot& slot : m_bodySlots) {
        const FlowBody& body = m_problem.network.bodies[static_cast<std::size_t>(slot.index)];
        speed = std::max(speed, body.velocity.cwiseAbs().maxCoeff());
        if (body.inverseMass > 0) mass = std::max(mass, 1 / body.inverseMass);
        if (m_elementSlots.empty()) length = std::max(length, body.position.cwiseAbs().maxCoeff());
    }
    if (length == 0) length = 1;
    if (mass == 0) mass = 1;

    // Loads that are zero at the start must count too.
    double acceleration = 0;
    Vector dy(m_size);
    const std::size_t stride = std::max<std::size_t>(1, times.size() / 16);
    for (std::size_t k = 0; k < times.size(); k += stride) {
        derivative(times[k], y.data(), branches, dy.data());
        for (const BodySlot& slot : m_bodySlots)
            acceleration = std::max(acceleration, dy.segment<3>(slot.offset + 3).cwiseAbs().maxCoeff());
    }
    speed = std::max(speed, std::sqrt(acceleration * length));
    if (speed == 0) speed = length;

    Vector scales(m_size);
    double turning = speed / length;
    for (const BodySlot& slot : m_bodySlots) {
        const FlowBody& body = m_problem.network.bodies[static_cast<std::size_t>(slot.index)];
        scales.segment<3>(slot.offset).setConstant(length);
        scales.segment<3>(slot.offset + 3).setConstant(speed);
        if (!slot.turns) continue;
        turning = std::max(turning, body.angularVelocity.cwiseAbs().maxCoeff());
        scales.segment<4>(slot.offset + 6).setConstant(1);
        scales.segment<3>(slot.offset + 10).setConstant(turning);
    }
    for (const ElementSlot& slot : m_elementSlots) {
        if (slot.angle >= 0) scales[slot.angle] = 1;
        if (slot.damper >= 0) scales[slot.damper] = length;
        scales[slot.integrals] = mass * speed;
        scales[slot.integrals + 1] = mass * speed * speed;
    }
    return scales;
}

}  // namespace elasto::reference
