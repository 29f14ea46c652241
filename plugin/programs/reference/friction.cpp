// Dry friction: what sticks keeps its rate, by forces that follow from that.

#include "mechanics.h"

#include "rigid_body.h"

#include <Eigen/QR>

namespace elasto::reference {

using Eigen::Vector3d;

namespace {

/// Speeds up to it are what rounding leaves of rest [m/s, rad/s].
constexpr double kRest = 1e-9;

}  // namespace

/// Where a boundary leads. @param v rate there
Branch Mechanics::frictionBeyond(std::size_t k, double t, const double* y, const Branches& branches, int boundary,
                                 double v) const {
    const ElementSlot& slot = m_elementSlots[k];
    const Branch branch = branches[k];
    if (sticks(slot, branch)) {
        if (boundary != 0) return {Part::Slips, boundary == 1 ? +1 : -1};
        // Pressed into its stop again it is stopped again.
        if (branch.part == Part::Limited && branch.side * v > 0) return branch;
        return {Part::Slips, v > 0 ? +1 : -1};
    }
    if (boundary == 0) return {Part::Limited, branch.side};            // a stop is hit
    if (branch.side * v < -kRest) return {Part::Slips, -branch.side};  // what drives a body has jumped
    return isSpeedingUp(k, t, y, branches) ? branch : Branch{Part::Proportional, +1};
}

/// Of the rate of an element, by changes of the bodies' velocities in the state. Its direction stands still.
double Mechanics::rateChange(const ElementSlot& slot, const Measured& measured, const double* change) const {
    const FlowElement& element = m_problem.network.elements[static_cast<std::size_t>(slot.index)];
    const bool turns = element.geometry == Geometry::AboutAxis;
    const auto ofBody = [&](int body) -> double {
        const int offset = body == kWorld ? -1 : m_offsetOfBody[static_cast<std::size_t>(body)];
        if (offset < 0) return 0;
        return measured.direction.dot(Eigen::Map<const Vector3d>(change + offset + (turns ? 10 : 3)));
    };
    return ofBody(element.b) - ofBody(element.a);
}

/// Adds what a force f of the element changes in the bodies' accelerations.
void Mechanics::respond(const ElementSlot& slot, const Measured& measured, double f, double* change) const {
    const FlowElement& element = m_problem.network.elements[static_cast<std::size_t>(slot.index)];
    const bool turns = element.geometry == Geometry::AboutAxis;
    const auto push = [&](int body, double share) {
        const auto index = static_cast<std::size_t>(body);
        if (body == kWorld || m_offsetOfBody[index] < 0) return;
        const FlowBody& given = m_problem.network.bodies[index];
        const Vector3d vector = share * f * measured.direction;
        double* at = change + m_offsetOfBody[index];
        if (turns) {
            const Vector3d none = angularAcceleration(given, m_states[index], Vector3d::Zero());
            Eigen::Map<Vector3d>(at + 10) += angularAcceleration(given, m_states[index], vector) - none;
        } else {
            Eigen::Map<Vector3d>(at + 3) += given.inverseMass * given.linearFactor.cwiseProduct(vector);
        }
    };
    push(element.a, 1);
    push(element.b, -1);
}

void Mechanics::addSticking(const double* y, const Branches& branches, double* dy) const {
    std::vector<std::size_t> stuck;
    for (std::size_t k = 0; k < m_elementSlots.size(); ++k) {
        if (sticks(m_elementSlots[k], branches[k])) stuck.push_back(k);
    }
    m_sticking.setZero(static_cast<Eigen::Index>(m_elementSlots.size()));
    if (stuck.empty()) return;
    const auto count = static_cast<Eigen::Index>(stuck.size());
    Eigen::MatrixXd mobility(count, count);
    Eigen::VectorXd accelerations(count);
    std::vector<Measured> measured;
    for (const std::size_t k : stuck) measured.push_back(measure(m_elementSlots[k], m_states, y));
    for (Eigen::Index i = 0; i < count; ++i) {
        const auto at = static_cast<std::size_t>(i);
        accelerations[i] = rateChange(m_elementSlots[stuck[at]], measured[at], dy);
        Vector change = Vector::Zero(m_size);
        respond(m_elementSlots[stuck[at]], measured[at], 1, change.data());
        for (Eigen::Index j = 0; j < count; ++j) {
            const auto other = static_cast<std::size_t>(j);
            mobility(j, i) = rateChange(m_elementSlots[stuck[other]], measured[other], change.data());
        }
    }
    const Eigen::VectorXd forces = mobility.completeOrthogonalDecomposition().solve(-accelerations);
    for (Eigen::Index i = 0; i < count; ++i) {
        const auto at = static_cast<std::size_t>(i);
        const ElementSlot& slot = m_elementSlots[stuck[at]];
        respond(slot, measured[at], forces[i], dy);
        m_sticking[static_cast<Eigen::Index>(stuck[at])] = forces[i];
        dy[slot.integrals] = forces[i];
        dy[slot.integrals + 1] = 0;
    }
}

/// What has just given way has hardly any speed yet, of any sign.
bool Mechanics::isSpeedingUp(std::size_t k, double t, const double* y, const Branches& branches) const {
    const ElementSlot& slot = m_elementSlots[k];
    if (sticks(slot, branches[k])) return false;
    m_rates.resize(m_size);
    derivative(t, y, branches, m_rates.data());
    return branches[k].side * rateChange(slot, measure(slot, m_states, y), m_rates.data()) > 0;
}

/// Takes the rate of what begins to stick, and the last bits of it, of the wrong sign, where something gives way.
void Mechanics::stop(const ElementSlot& slot, Branch branch, double* y) const {
    gather(m_gatheredAt, y, m_states);
    const Measured measured = measure(slot, m_states, y);
    if (!sticks(slot, branch) && (branch.side * measured.v >= 0 || std::abs(measured.v) > kRest)) return;
    Vector change = Vector::Zero(m_size);
    respond(slot, measured, 1, change.data());
    const double mobility = rateChange(slot, measured, change.data());
    if (mobility == 0) return;
    Eigen::Map<Vector>(y, m_size) -= measured.v / mobility * change;
    y[slot.integrals] -= measured.v / mobility;  // of a hard stop
}

Characteristic::Boundaries Mechanics::frictionBoundaries(std::size_t k, Branch branch, double t, double s,
                                                         double v) const {
    const ElementSlot& slot = m_elementSlots[k];
    const FrictionParameters& p = slot.friction->parameters();
    if (!sticks(slot, branch)) {
        const double room = branch.side > 0 ? p.s_max - s : s - p.s_min;
        return {slot.friction->hasStop(branch.side) ? room : 1, branch.side * v, 1};
    }
    const double largest = shareAt(slot, t) * slot.friction->largest();
    const double force = m_sticking[static_cast<Eigen::Index>(k)];
    // At a stop nothing is too strong that presses against it. A hit elsewhere, or a driven body that jumps, gives what
    // sticks a rate.
    const bool isAtStop = branch.part == Part::Limited;
    return {kRest - std::abs(v), isAtStop && branch.side > 0 ? 1 : largest - force,
            isAtStop && branch.side < 0 ? 1 : largest + force};
}

}  // namespace elasto::reference
