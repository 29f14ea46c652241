// State and branches at time 0, and the sizes that quantities have.

#include "mechanics.h"

#include <elasto/errors.h>

#include <algorithm>
#include <cmath>

namespace elasto::reference {

void Mechanics::closeAtStart() {
    m_startStates.assign(m_problem.network.bodies.begin(), m_problem.network.bodies.end());
    if (jointCount() == 0) return;
    Vector y = startState();
    gather(0, y.data());
    constexpr double kAgrees = 1e-6;  // of poses and velocities that were written with few digits
    const auto follows = [&](int body) {
        const BodyDrive* drive = body == kWorld ? nullptr : driveOf(body);
        return drive != nullptr && drive->motion;
    };
    bool isDriven = !m_prescribed.empty();
    for (const int body : m_given) isDriven = isDriven || follows(body);
    for (const Relation& joint : joints()) {
        if (!(std::abs(joint.opening) <= kAgrees))
            throw InvalidParameter("solveReference", "opening of a joint at time 0 [m, rad]", std::abs(joint.opening),
                                   "at most 1e-6");
        // What is driven may begin with a jump.
        if (!isDriven && !(std::abs(joint.rate) <= kAgrees))
            throw InvalidParameter("solveReference", "velocity against a joint at time 0 [m/s, rad/s]",
                                   std::abs(joint.rate), "at most 1e-6");
    }
    renew(0, y.data());
    constexpr int kRounds = 4;  // each squares what is left
    for (int round = 0; round < kRounds; ++round) {
        gather(0, y.data());
        gatherMobilities();
        const std::vector<Relation> picked = pickedJoints();
        Vector openings(static_cast<Eigen::Index>(picked.size()));
        for (std::size_t k = 0; k < picked.size(); ++k) openings[static_cast<Eigen::Index>(k)] = -picked[k].opening;
        const Vector pushes = Holding(picked, picked.size(), {}, m_mobilities).firmForces(openings);
        std::vector<Six> moves(m_problem.network.bodies.size(), Six::Zero());
        for (std::size_t k = 0; k < picked.size(); ++k) {
            for (const Form::Share& share : picked[k].form)
                moves[static_cast<std::size_t>(share.body)] += pushes[static_cast<Eigen::Index>(k)] * share.on;
        }
        for (const BodySlot& slot : m_bodySlots) {
            const auto index = static_cast<std::size_t>(slot.index);
            const Six move = m_mobilities[index] * moves[index];
            BodyState& state = m_startStates[index];
            state.position += move.head<3>();
            const Eigen::Vector3d turn = move.tail<3>();
            if (turn.norm() > 0) {
                state.orientation = Eigen::Quaterniond(Eigen::AngleAxisd(turn.norm(), turn.normalized())) *
                                    state.orientation.normalized();
            }
        }
        y = startState();
    }
    if (!isDriven) meet(0, y);
    for (const BodySlot& slot : m_bodySlots) {
        const auto index = static_cast<std::size_t>(slot.index);
        m_startStates[index] = bodyState(slot.index, 0, y.data());
    }
}

Mechanics::Vector Mechanics::startState() const {
    Vector y = Vector::Zero(m_size);
    for (const BodySlot& slot : m_bodySlots) {
        const BodyState& body = m_startStates[static_cast<std::size_t>(slot.index)];
        y.segment<3>(slot.offset) = body.position;
        y.segment<3>(slot.offset + 3) = body.velocity;
        if (!slot.turns) continue;
        y.segment<4>(slot.offset + 6) = body.orientation.normalized().coeffs();
        y.segment<3>(slot.offset + 10) = body.angularVelocity;
    }
    for (const Slot& slot : m_slots) {
        if (slot.angle >= 0) y[slot.angle] = slot.element->phi;
    }
    // The given angle only tells the turn; the state starts where the frames really are.
    gather(0, y.data());
    for (const Slot& slot : m_slots) {
        const double s = measure(slot, y.data()).s;
        if (slot.angle >= 0) y[slot.angle] = s;
        if (slot.damper >= 0) y[slot.damper] = slot.characteristic.startState(s, slot.element->s_damper);
    }
    return y;
}

Mechanics::Branches Mechanics::startBranches() const {
    const Vector y = startState();
    gather(0, y.data());
    Branches branches;
    for (const Slot& slot : m_slots) {
        const Coordinate measured = measure(slot, y.data());
        if (slot.limit != nullptr) {
            branches.push_back({Part::Apart, -1});
            continue;
        }
        if (slot.motor == nullptr) {
            branches.push_back(slot.characteristic.branchAt(measured.s, measured.v, slot.element->s_damper));
            continue;
        }
        const double v = measured.v - slot.target();
        constexpr double kRounding = 1e-12;
        const bool holds = std::abs(v) <= kRounding * std::max(1., std::abs(slot.target()));
        branches.push_back(holds ? Branch{Part::Proportional, +1} : Branch{Part::Slips, v > 0 ? +1 : -1});
    }
    return branches;
}

Mechanics::Vector Mechanics::scales(std::span<const double> times) const {
    const Vector y = startState();
    const Branches branches = startBranches();
    gather(0, y.data());

    double length = 0;
    double speed = 0;
    double mass = 0;
    for (const Slot& slot : m_slots) {
        const Coordinate measured = measure(slot, y.data());
        length = std::max({length, std::abs(measured.s), slot.characteristic.largestEdge()});
        speed = std::max({speed, std::abs(measured.v), std::abs(slot.target())});
    }
    for (const BodySlot& slot : m_bodySlots) {
        const FlowBody& body = m_problem.network.bodies[static_cast<std::size_t>(slot.index)];
        speed = std::max(speed, body.velocity.cwiseAbs().maxCoeff());
        if (body.inverseMass > 0) mass = std::max(mass, 1 / body.inverseMass);
        if (m_slots.empty()) length = std::max(length, body.position.cwiseAbs().maxCoeff());
    }
    if (length == 0) length = 1;
    if (mass == 0) mass = 1;

    // Loads that are zero at the start must count too, and those that something withstands.
    double acceleration = 0;
    Vector dy(m_size);
    const bool isHeld = hasHeld() || !m_picked.empty();
    const std::size_t stride = std::max<std::size_t>(1, times.size() / 16);
    for (std::size_t k = 0; k < times.size(); k += stride) {
        freeDerivative(times[k], y.data(), branches, dy.data());
        for (const BodySlot& slot : m_bodySlots) {
            acceleration = std::max(acceleration, dy.segment<3>(slot.offset + 3).cwiseAbs().maxCoeff());
            if (isHeld && slot.turns)
                acceleration = std::max(acceleration, length * dy.segment<3>(slot.offset + 10).cwiseAbs().maxCoeff());
        }
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
    for (const Slot& slot : m_slots) {
        if (slot.angle >= 0) scales[slot.angle] = 1;
        if (slot.damper >= 0) scales[slot.damper] = length;
        if (slot.integrals < 0) continue;
        scales[slot.integrals] = mass * speed;
        scales[slot.integrals + 1] = mass * speed * speed;
    }
    return scales;
}

}  // namespace elasto::reference
