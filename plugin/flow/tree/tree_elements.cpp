// What elements of trees do while their phases last: forces and rates of their own, and the functions that end phases.

#include "tree/tree_system.h"
#include "tree/tuning.h"

#include <algorithm>
#include <cmath>

namespace elasto::flow {
/// After each change of phases.
void TreeSystem::startPhases() {
    m_exits.clear();
    m_characteristics.resize(elementCount());
    for (std::size_t e = 0; e < elementCount(); ++e) {
        const HybridLaw& law = m_laws[e];
        const Phase phase = m_phases[e];
        const Exits exits = exitsOf(law, phase);
        for (int k = 0; k < exits.count; ++k) {
            const Exit& exit = exits.exits[k];
            const bool isLinear = law.isPiecewiseLinear() || isOnEdge(exit.kind);
            m_exits.push_back({e, exit, isLinear, isLinear ? linearExit(law, phase, exit.kind) : LinearExit{}});
        }
        Characteristic& now = m_characteristics[e];
        now = {};
        now.isLinear = (law.isPiecewiseLinear() && !law.slips()) || !phase.inContact();
        if (!now.isLinear || !phase.inContact()) continue;
        const ForceSlopes slopes = slopesInPhase(law, phase, 0, 0);
        const bool isContact = law.kind == HybridLaw::Kind::Contact;
        now = {true, slopes.byS, slopes.byV, law.c, isContact ? law.edge(phase.side) : law.edgeHigh};
    }
}

/// Rates of what belongs to one element alone. @return its force
double TreeSystem::elementRates(std::size_t e, const Eigen::VectorXd& y, Eigen::VectorXd& dydt) const {
    const auto k = static_cast<Eigen::Index>(e);
    const HybridLaw& law = m_laws[e];
    const Characteristic& now = m_characteristics[e];
    double f = 0, damper = 0, heat = 0;
    if (m_phases[e].inContact()) {
        const double position = s(e, y);
        const double rate = v(e, y);
        if (law.kind == HybridLaw::Kind::Series) {
            f = now.byS * (position - now.edge - y[2 * m_n + k]);
            damper = damperRate(law, f);
            heat = f * damper;
        } else if (now.isLinear) {
            const double displacement = position - now.edge;
            f = now.byS * displacement + now.byV * rate;
            heat = (f - now.spring * displacement) * rate;
        } else {
            f = forceInPhase(law, m_phases[e], position, rate, 0);
            heat = (f - springForceInPhase(law, m_phases[e], position)) * rate;
        }
    }
    dydt[2 * m_n + k] = damper;
    dydt[impulsePlace() + k] = f;
    dydt[heatPlace() + k] = heat;
    return f;
}

/// Responses to all elements, with the inertia of the last evaluation.
void TreeSystem::findResponses() {
    const auto count = static_cast<Eigen::Index>(elementCount());
    m_linear.allResponses.resize(m_n, count);
    m_linear.allMobility.resize(count, count);
    for (Eigen::Index q = 0; q < count; ++q) {
        double* column = m_linear.allResponses.col(q).data();
        respond(m_coordinates[static_cast<std::size_t>(q)], column);
        takeHeld(column);
        for (Eigen::Index p = 0; p < count; ++p) {
            m_linear.allMobility(p, q) = m_coordinates[static_cast<std::size_t>(p)].rate(column);
        }
    }
}

bool TreeSystem::refreshQuick(const Eigen::VectorXd& y) {
    Eigen::VectorXd& at = m_linear.at;
    const auto isNear = [&](std::size_t tree) {
        const Eigen::Index first = m_treePlaces[tree], count = m_trees[tree].jointSize();
        return ((y.segment(first, count) - at.segment(first, count)).array().abs() <= kSamePlace).all();
    };
    bool isSame = at.size() == m_n;
    for (std::size_t i = 0; isSame && i < m_trees.size(); ++i) isSame = isNear(i);
    if (isSame) return false;
    at = y.head(m_n);
    findResponses();
    return true;
}

/// Elements with the responses that were found, and the work of torques on rotors, which swing as elements do.
void TreeSystem::quick(double t, const Eigen::VectorXd& y, Eigen::VectorXd& dydt) {
    auto accelerations = dydt.segment(m_n, m_n);
    accelerations.setZero();
    dydt.tail(m_size - workPlace()).setZero();
    for (std::size_t e = 0; e < elementCount(); ++e) {
        const double f = elementRates(e, y, dydt);
        if (f != 0) accelerations -= f * m_linear.allResponses.col(static_cast<Eigen::Index>(e));
    }
    for (std::size_t i = 0; i < m_trees.size(); ++i) {
        const std::vector<TreeRotor>& rotors = m_network->trees[i].rotors;
        for (std::size_t r = 0; r < rotors.size(); ++r) {
            const QuadraticTorque& torque = rotors[r].torque;
            if (!torque.isConstant()) dydt[workPlace()] += torque.value(t) * y[m_n + rotorPlace(i, r)];
        }
    }
    positionRates(y, dydt);
}

double TreeSystem::eventValue(int i, double t, const Eigen::VectorXd& y) const {
    const auto own = static_cast<std::size_t>(i);
    if (own >= m_exits.size()) return m_bounded.exitValue(*this, own - m_exits.size(), t, y, !m_steps.isImplicit());
    const PendingExit& pending = m_exits[own];
    const std::size_t e = pending.element;
    if (!pending.isLinear) return exitValue(m_laws[e], m_phases[e], pending.exit.kind, s(e, y), v(e, y));
    const LinearExit& function = pending.function;
    const double value = function.byS * (s(e, y) - function.edge);
    return function.byV != 0 ? value + function.byV * v(e, y) : value;
}

bool TreeSystem::isEventLinear(int i) const {
    const auto own = static_cast<std::size_t>(i);
    return own < m_exits.size() && m_exits[own].isLinear;
}

/// Events need not be met better than the steps are.
double TreeSystem::eventSlack(int i) const {
    const auto own = static_cast<std::size_t>(i);
    if (own >= m_exits.size()) return m_bounded.exitSlack(own - m_exits.size());
    const PendingExit& pending = m_exits[own];
    const double speed = kSlackShare * m_tolerance * m_speed;
    return exitSlack(m_laws[pending.element], pending.exit.kind, speed, m_h);
}

}  // namespace elasto::flow
