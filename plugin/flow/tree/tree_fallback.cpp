#include "tree/tree_fallback.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace elasto::flow {

void finishByBackwardEuler(TreeSystem& system, int steps, double duration, double t, Eigen::VectorXd& y) {
    const double dt = duration / steps;
    for (int k = 0; k < steps; ++k) system.stepByBackwardEuler(t + k * dt, dt, y);
}

/// Motors and limits as backward Euler takes them: impulses of a step that lower the rate.
std::vector<BackwardEuler::Bound> TreeSystem::backwardEulerBounds(double dt) const {
    std::vector<BackwardEuler::Bound> bounds;
    for (const TreeBounded& row : m_network->bounded) {
        BackwardEuler::Bound bound;
        bound.isLimit = row.kind == BoundedRow::Kind::Limit;
        bound.target = row.targetRate;
        bound.most = bound.isLimit ? std::numeric_limits<double>::infinity() : row.maxForce * dt;
        bound.bound = row.bound;
        bound.side = row.side;
        bounds.push_back(bound);
    }
    return bounds;
}

void TreeSystem::stepByBackwardEuler(double t, double dt, Eigen::VectorXd& y) {
    const auto m = static_cast<Eigen::Index>(elementCount());
    const auto rowCount = m + static_cast<Eigen::Index>(m_boundedCoordinates.size());
    const auto coordinateOf = [&](Eigen::Index i) -> const PlacedCoordinate& {
        return i < m ? m_coordinates[static_cast<std::size_t>(i)]
                     : m_boundedCoordinates[static_cast<std::size_t>(i - m)];
    };
    auto velocities = y.segment(m_n, m_n);
    Eigen::VectorXd acceleration(m_n);
    Eigen::VectorXd rest = Eigen::VectorXd::Zero(m_size - workPlace());
    m_forces.setZero();
    accelerate(t + 0.5 * dt, y, m_forces.data(), acceleration.data(), m_hasRest ? rest.data() : nullptr);
    Eigen::VectorXd free = velocities + dt * acceleration;

    // Rows of the elements, then of motors and limits.
    RowNetwork rows;
    rows.laws = m_laws;
    Eigen::MatrixXd W(rowCount, rowCount);
    Eigen::MatrixXd responses(m_n, rowCount);
    Eigen::VectorXd s0(rowCount), z0 = Eigen::VectorXd::Zero(rowCount), rates(rowCount);
    for (Eigen::Index k = 0; k < rowCount; ++k) {
        respond(coordinateOf(k), responses.col(k).data());
        s0[k] = coordinateOf(k).value(y.data());
        if (k < m) z0[k] = y[2 * m_n + k];
        rates[k] = coordinateOf(k).rate(free.data());
        for (Eigen::Index i = 0; i < rowCount; ++i) W(i, k) = coordinateOf(i).change(responses.col(k).data());
    }
    rows.W.assign(W);
    Eigen::VectorXd impulses = Eigen::VectorXd::Zero(rowCount);
    if (rowCount > 0) {
        const double speed = std::max({m_speed, m_settings.velocityFloor, rates.lpNorm<Eigen::Infinity>()});
        impulses = BackwardEuler(rows, dt, speed, backwardEulerBounds(dt)).impulses(s0, z0, rates);
    }
    velocities = free - responses * impulses;
    Eigen::VectorXd positionRates(m_n);
    for (std::size_t i = 0; i < m_trees.size(); ++i) {
        const Eigen::Index at = m_treePlaces[i];
        m_trees[i].rates(y.data() + at, y.data() + m_n + at, positionRates.data() + at);
    }
    y.head(m_n) += dt * positionRates;
    y.tail(m_size - workPlace()) += dt * rest;
    bookElements(t + dt, s0, z0, impulses, y);
    for (Eigen::Index k = m; k < rowCount; ++k) {
        const auto row = static_cast<std::size_t>(k - m);
        const double before = coordinateOf(k).rate(free.data());
        const double after = coordinateOf(k).rate(velocities.data());
        // Backward Euler counts impulses that lower the rate.
        if (m_network->bounded[row].kind == BoundedRow::Kind::Limit) {
            m_bounded.addLimitLoss(std::max(0.0, 0.5 * impulses[k] * (before + after)));
        } else {
            addWork(row, -impulses[k] * after, y.data() + workPlace());
        }
        y[workPlace() + 2 + k - m] -= impulses[k];
    }
    stepAccepted(t + dt, y);
}

/// Inner states, phases, impulses and heat of the elements after a step of backward Euler.
/// @param s0, z0 coordinates and inner states at its start
void TreeSystem::bookElements(double t, const Eigen::VectorXd& s0, const Eigen::VectorXd& z0,
                              const Eigen::VectorXd& impulses, Eigen::VectorXd& y) {
    for (Eigen::Index e = 0; e < static_cast<Eigen::Index>(elementCount()); ++e) {
        const auto k = static_cast<std::size_t>(e);
        const HybridLaw& law = m_laws[k];
        const double s1 = s(k, y);
        const double before = energyInPhase(law, m_phases[k], s0[e], z0[e]);
        double& z = y[2 * m_n + e];
        if (law.kind == HybridLaw::Kind::Series) z += damperRate(law, impulses[e]);
        const Phase after = classify(law, s1, v(k, y), 0, z);
        z = innerState(law, after, s1, z);
        if (after.inContact() != m_phases[k].inContact()) {
            m_events.push_back({static_cast<int>(e), after.inContact(), t, std::abs(v(k, y))});
        }
        m_phases[k] = after;
        y[impulsePlace() + e] += impulses[e];
        y[heatPlace() + e] += std::max(0.0, impulses[e] * v(k, y) - energyInPhase(law, after, s1, z) + before);
    }
}

}  // namespace elasto::flow
