// Joints and what sticks: forces and impulses that hold them.

#include "mechanics.h"

#include "rigid_body.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

namespace elasto::reference {

using Eigen::Index;
using Eigen::Quaterniond;
using Eigen::Vector3d;
using Eigen::VectorXd;

namespace {

/// How fast rates and openings that errors have left fall [1/s]: fast against the seconds in which they add up, slow
/// against what a step resolves.
constexpr double kClosing = 20;

constexpr double kEpsilon = std::numeric_limits<double>::epsilon();

/// A value without its rounding: far below `noise` nothing is left of it, far above it is what it was, and there is no
/// jump between.
///
/// Where forces balance a method of order 12 enlarges what is left of them some thousand times, and takes tiny steps
/// though everything is at rest.
double quieted(double value, double noise) {
    if (value == 0) return 0;
    const double share = noise / value;
    return value / (1 + share * share);
}

}  // namespace

Relation Mechanics::jointAt(std::size_t joint) const {
    const auto stateOfBody = [this](int body) -> const BodyState& { return stateOf(body); };
    Relation out;
    if (joint < m_group.joints.size()) {
        const int row = m_group.joints[joint];
        out = relationOf(m_problem.network.joints[static_cast<std::size_t>(row)], stateOfBody);
    } else {
        // A rate that is prescribed; where its coordinate is follows from that.
        const Slot& slot = m_prescribed[joint - m_group.joints.size()];
        const Coordinate coordinate = measured(*slot.element, slot.geared, stateOfBody, 0);
        out = {.form = coordinate.form, .rate = coordinate.v - slot.target(), .bend = coordinate.bend};
    }
    out.bend += givenAcceleration(out.form);
    return out;
}

std::vector<Relation> Mechanics::joints() const {
    std::vector<Relation> all;
    for (std::size_t k = 0; k < jointCount(); ++k) all.push_back(jointAt(k));
    return all;
}

std::vector<Relation> Mechanics::pickedJoints() const {
    std::vector<Relation> picked;
    for (const std::size_t joint : m_picked) picked.push_back(jointAt(joint));
    return picked;
}

void Mechanics::gatherMobilities() const {
    for (const BodySlot& slot : m_bodySlots) {
        const auto index = static_cast<std::size_t>(slot.index);
        const FlowBody& body = m_problem.network.bodies[index];
        Mobility& mobility = m_mobilities[index];
        mobility.linear = body.inverseMass * body.linearFactor;
        if (!slot.turns) continue;
        const Eigen::Matrix3d toWorld = m_states[index].orientation.toRotationMatrix();
        const Eigen::Matrix3d acted = body.angularFactor.cwiseSqrt().asDiagonal() * toWorld;
        mobility.angular = acted * body.inverseInertia.asDiagonal() * acted.transpose();
    }
}

/// Joints that cannot all be held open or move apart; what is picked of them hides that.
void Mechanics::checkJoints(double t) const {
    constexpr double kHeld = 1e-6;
    if (m_picked.size() == jointCount() || t == 0) return;  // what is driven may begin with a jump
    for (const Relation& joint : joints()) {
        if (std::abs(joint.opening) <= kHeld && std::abs(joint.rate) <= kHeld) continue;
        throw ReferenceError("the joints and prescribed motions contradict each other at t = " + std::to_string(t) +
                             " s");
    }
}

/// Of the bodies that move, by their accelerations in the state's rate, or by velocities that stand in their place.
double Mechanics::accelerationAlong(const Form& form, const double* dy) const {
    double sum = 0;
    for (const Form::Share& share : form) {
        const auto index = static_cast<std::size_t>(share.body);
        if (m_offsetOfBody[index] < 0) continue;
        const double* at = dy + m_offsetOfBody[index];
        sum += share.on.head<3>().dot(Eigen::Map<const Vector3d>(at + 3));
        if (canTurn(m_problem.network.bodies[index]))
            sum += share.on.tail<3>().dot(Eigen::Map<const Vector3d>(at + 10));
    }
    return sum;
}

double Mechanics::givenAcceleration(const Form& form) const {
    double sum = 0;
    for (const Form::Share& share : form) {
        const auto index = static_cast<std::size_t>(share.body);
        if (m_offsetOfBody[index] >= 0) continue;
        sum += share.on.head<3>().dot(m_accelerations[index].linear) +
               share.on.tail<3>().dot(m_accelerations[index].angular);
    }
    return sum;
}

/// Adds what a push along a form changes in the bodies' accelerations, or velocities in their place.
void Mechanics::accelerate(const Form& form, double f, double* dy) const {
    for (const Form::Share& share : form) {
        const auto index = static_cast<std::size_t>(share.body);
        if (m_offsetOfBody[index] < 0) continue;
        const Six change = m_mobilities[index] * (f * share.on);
        double* at = dy + m_offsetOfBody[index];
        Eigen::Map<Vector3d>(at + 3) += change.head<3>();
        if (canTurn(m_problem.network.bodies[index])) Eigen::Map<Vector3d>(at + 10) += change.tail<3>();
    }
}

std::vector<Six> Mechanics::sizesOfAccelerations(const double* dy) const {
    std::vector<Six> sizes(m_problem.network.bodies.size(), Six::Zero());
    for (const BodySlot& slot : m_bodySlots) {
        Six& size = sizes[static_cast<std::size_t>(slot.index)];
        size.head<3>() = Eigen::Map<const Vector3d>(dy + slot.offset + 3).cwiseAbs();
        if (slot.turns) size.tail<3>() = Eigen::Map<const Vector3d>(dy + slot.offset + 10).cwiseAbs();
    }
    return sizes;
}

void Mechanics::dropRounding(const std::vector<Six>& sizes, double* dy) const {
    for (const BodySlot& slot : m_bodySlots) {
        const Six& size = sizes[static_cast<std::size_t>(slot.index)];
        constexpr double kBalanced = 1024 * kEpsilon;
        for (int axis = 0; axis < 3; ++axis) {
            double& linear = dy[slot.offset + 3 + axis];
            linear = quieted(linear, kBalanced * size[axis]);
            if (!slot.turns) continue;
            double& angular = dy[slot.offset + 10 + axis];
            angular = quieted(angular, kBalanced * size[3 + axis]);
        }
    }
}

void Mechanics::addHeld(const double* y, const Branches& branches, double* dy) const {
    m_sticking.setZero(static_cast<Index>(m_slots.size()));
    m_canStick.assign(m_slots.size(), true);
    std::vector<Relation> held = pickedJoints();
    const std::size_t firm = held.size();
    std::vector<std::size_t> stuck;
    std::vector<double> strengths;
    for (std::size_t k = 0; k < m_slots.size(); ++k) {
        const Slot& slot = m_slots[k];
        if (!slot.holds(branches[k])) continue;
        const Coordinate coordinate = measure(slot, y);
        held.push_back({.form = coordinate.form,
                        .rate = coordinate.v - slot.target(),
                        .bend = coordinate.bend + givenAcceleration(coordinate.form)});
        stuck.push_back(k);
        strengths.push_back(largest(slot, m_gatheredAt));
    }
    if (held.empty()) return;
    gatherMobilities();
    const Holding holding(held, firm, strengths, m_mobilities);
    VectorXd wanted(static_cast<Index>(held.size()));
    VectorXd openings(static_cast<Index>(firm));
    for (std::size_t i = 0; i < held.size(); ++i) {
        const Relation& relation = held[i];
        wanted[static_cast<Index>(i)] =
            -accelerationAlong(relation.form, dy) - relation.bend - kClosing * relation.rate;
        if (i >= firm) continue;
        constexpr double kClosed = 64 * kEpsilon;
        openings[static_cast<Index>(i)] = -kClosing * quieted(relation.opening, kClosed * relation.size);
    }
    const VectorXd forces = holding.forces(wanted);
    const VectorXd closing = holding.firmForces(openings);
    std::vector<Six> sizes = sizesOfAccelerations(dy);
    for (std::size_t i = 0; i < held.size(); ++i) {
        const double f = forces[static_cast<Index>(i)];
        accelerate(held[i].form, f, dy);
        for (const Form::Share& share : held[i].form) {
            const auto index = static_cast<std::size_t>(share.body);
            sizes[index] += (m_mobilities[index] * (f * share.on)).cwiseAbs();
        }
    }
    dropRounding(sizes, dy);
    for (std::size_t i = 0; i < stuck.size(); ++i) {
        const Slot& slot = m_slots[stuck[i]];
        const double f = -forces[static_cast<Index>(firm + i)];
        m_sticking[static_cast<Index>(stuck[i])] = f;
        m_canStick[stuck[i]] = holding.canHold(firm + i);
        if (slot.integrals < 0) continue;
        dy[slot.integrals] = f;
        dy[slot.integrals + 1] = 0;
    }
    for (std::size_t i = 0; i < firm; ++i) {
        for (const Form::Share& share : held[i].form) {
            const auto index = static_cast<std::size_t>(share.body);
            const int offset = m_offsetOfBody[index];
            if (offset < 0) continue;
            const Six move = m_mobilities[index] * (closing[static_cast<Index>(i)] * share.on);
            Eigen::Map<Vector3d>(dy + offset) += move.head<3>();
            if (!canTurn(m_problem.network.bodies[index])) continue;
            const Quaterniond q(Eigen::Map<const Eigen::Vector4d>(y + offset + 6));
            const Quaterniond turn(0, move[3], move[4], move[5]);
            Eigen::Map<Eigen::Vector4d>(dy + offset + 6) += 0.5 * (turn * q).coeffs();
            // The angular velocity turns with the body: if it stayed, what spins fast would leave its axis, open the
            // joint by that, and be turned further.
            Eigen::Map<Vector3d>(dy + offset + 10) += move.tail<3>().cross(m_states[index].angularVelocity);
        }
    }
}

/// Changes the rate along a form by an impulse along it, which joints pass on and nothing else resists: friction and
/// motors have no impulse in an instant. @param impulse set; 0 where the rate cannot be changed
void Mechanics::hit(const Form& form, double change, double* y, double& impulse) const {
    gatherMobilities();
    std::vector<Relation> held = pickedJoints();
    const std::size_t firm = held.size();
    held.push_back({.form = form});
    const double strengths[] = {1};
    const Holding holding(held, firm, strengths, m_mobilities);
    impulse = 0;
    if (!holding.canHold(firm)) return;
    VectorXd wanted = VectorXd::Zero(static_cast<Index>(held.size()));
    wanted[static_cast<Index>(firm)] = change;
    const VectorXd impulses = holding.forces(wanted);
    // The state's velocities stand where its rate has accelerations.
    for (std::size_t i = 0; i < held.size(); ++i) accelerate(held[i].form, impulses[static_cast<Index>(i)], y);
    impulse = impulses[static_cast<Index>(firm)];
}

void Mechanics::meet(double t, Vector& y) const {
    if (m_picked.empty()) return;
    gather(t, y.data());
    gatherMobilities();
    const std::vector<Relation> held = pickedJoints();
    VectorXd wanted(static_cast<Index>(held.size()));
    for (std::size_t i = 0; i < held.size(); ++i) wanted[static_cast<Index>(i)] = -held[i].rate;
    const VectorXd impulses = Holding(held, held.size(), {}, m_mobilities).firmForces(wanted);
    for (std::size_t i = 0; i < held.size(); ++i) accelerate(held[i].form, impulses[static_cast<Index>(i)], y.data());
}

/// Joints that depend on others may be the better choice at another pose.
bool Mechanics::isWornOut(double t, const double* y) const {
    if (m_picked.size() == jointCount()) return false;
    gather(t, y);
    gatherMobilities();
    const std::vector<Relation> held = pickedJoints();
    constexpr double kWorse = 0.1;
    return Holding(held, held.size(), {}, m_mobilities).leastPivot() < kWorse * m_leastPivot;
}

void Mechanics::renew(double t, const double* y) {
    gather(t, y);
    gatherMobilities();
    const std::vector<Relation> all = joints();
    m_picked = independent(all, m_mobilities);
    const std::vector<Relation> held = pickedJoints();
    m_leastPivot = Holding(held, held.size(), {}, m_mobilities).leastPivot();
}

}  // namespace elasto::reference
