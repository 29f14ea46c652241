// Where contacts of a RigidSystem begin and end.

#include "law/hybrid_law.h"
#include "rigid/rigid_system.h"
#include "rigid/tuning.h"

#include <algorithm>
#include <cmath>

namespace elasto::flow {

void RigidSystem::listExits() {
    m_exits.clear();
    for (std::size_t e = 0; e < elementCount(); ++e) {
        const Exits exits = exitsOf(m_laws[e], m_phases[e]);
        for (int k = 0; k < exits.count; ++k) {
            m_exits.push_back({e, exits.exits[k]});
        }
    }
}

double RigidSystem::eventValue(int i, double t, const Eigen::VectorXd& y) const {
    const auto own = static_cast<std::size_t>(i);
    if (own >= m_exits.size()) return m_bounded.exitValue(*this, own - m_exits.size(), t, y, m_steps.isExplicit());
    const PendingExit& pending = m_exits[static_cast<std::size_t>(i)];
    const Row row = rowOf(pending.element, t, y);
    return exitValue(m_laws[pending.element], m_phases[pending.element], pending.exit.kind, row.s, row.v);
}

/// Where joints are held events need not be met better than the steps are: a repeated step does, and no second one.
double RigidSystem::eventSlack(int i) const {
    const auto own = static_cast<std::size_t>(i);
    if (own >= m_exits.size()) return m_bounded.exitSlack(own - m_exits.size());
    if (!m_steps.isExplicit() || m_network.joints.empty()) return 0;
    const PendingExit& pending = m_exits[own];
    const double speed = m_tolerance * m_speed;
    return exitSlack(m_laws[pending.element], pending.exit.kind, speed, m_h);
}

// By the cubic through the values and rates at both ends, in Bernstein's form. Steps that are accepted are short
// against all that bodies and springs do, and then it is a few per cent wrong at most.
bool RigidSystem::isFarFromEvents(double t, const Eigen::VectorXd& y, double dt, const Eigen::VectorXd& end) const {
    if (m_bounded.exitCount() > 0) return false;
    return std::all_of(m_exits.begin(), m_exits.end(), [&](const PendingExit& pending) {
        const Exit::Kind kind = pending.exit.kind;
        if (!isByPlace(kind)) return false;
        const std::size_t e = pending.element;
        const HybridLaw& law = m_laws[e];
        const Phase phase = m_phases[e];
        const Row from = rowOf(e, t, y), to = rowOf(e, t + dt, end);
        // Gradients of angles need not have unit length.
        const double size = std::sqrt(from.direction.squaredNorm() * to.direction.squaredNorm());
        if (from.direction.dot(to.direction) < kHardlyTurned * size) return false;
        const double slope = linearExit(law, phase, kind).byS;
        const double first = exitValue(law, phase, kind, from.s, from.v);
        const double last = exitValue(law, phase, kind, to.s, to.v);
        const double second = first + dt / 3 * slope * from.v;
        const double third = last - dt / 3 * slope * to.v;
        return std::min({first, second, third, last}) > kFar * std::max({first, second, third, last});
    });
}

void RigidSystem::crossEvent(int i, double t, Eigen::VectorXd& y) {
    const auto own = static_cast<std::size_t>(i);
    if (own >= m_exits.size()) {
        m_bounded.cross(*this, own - m_exits.size(), t, y);
        m_steps.begun([&] { return isStiff(t, y); });
        countSpins(t, y, m_steps.isExplicit());
        return;
    }
    m_bounded.forgetForces();
    const PendingExit pending = m_exits[static_cast<std::size_t>(i)];
    Phase& phase = m_phases[pending.element];
    const bool was = phase.inContact();
    phase = entered(m_laws[pending.element], phase, pending.exit.next, rowOf(pending.element, t, y).s);
    if (phase.inContact() != was) {
        const double speed = std::fabs(rowOf(pending.element, t, y).v);
        m_events.push_back({static_cast<int>(pending.element), phase.inContact(), t, speed});
        m_steps.begun([&] { return phase.inContact() && isStiff(t, y); });
    }
    listExits();
    countSpins(t, y, m_steps.isExplicit());
}

// Quaternions are normalised where they are read, so that the state itself stays as integrated.
bool RigidSystem::stepAccepted(double t, Eigen::VectorXd& y) {
    countTurns(t, y);
    m_bounded.stepAccepted();
    return false;
}

}  // namespace elasto::flow
