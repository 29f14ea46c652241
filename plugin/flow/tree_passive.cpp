#include "tree_passive.h"

#include "backward_euler.h"

#include <algorithm>
#include <cmath>

namespace elasto::flow {
namespace {

constexpr int kSteps = 4;

}  // namespace

void finishPassively(TreeSystem& system, double duration, double t, Eigen::VectorXd& y, TreeTickResult& result) {
    const double dt = duration / kSteps;
    for (int k = 0; k < kSteps; ++k) {
        system.stepPassively(t + k * dt, dt, y);
        ++result.steps;
    }
}

void TreeSystem::stepPassively(double t, double dt, Eigen::VectorXd& y) {
    const auto m = static_cast<Eigen::Index>(elementCount());
    auto velocities = y.segment(m_n, m_n);
    Eigen::VectorXd acceleration(m_n);
    Eigen::VectorXd rest = Eigen::VectorXd::Zero(m_size - workPlace());
    m_forces.setZero();
    accelerate(t + 0.5 * dt, y, m_forces.data(), acceleration.data(), m_hasRest ? rest.data() : nullptr);
    Eigen::VectorXd free = velocities + dt * acceleration;

    RowNetwork rows;
    rows.laws = m_laws;
    rows.W.resize(m, m);
    Eigen::MatrixXd responses(m_n, m);
    Eigen::VectorXd s0(m), z0(m), rates(m);
    for (Eigen::Index e = 0; e < m; ++e) {
        const PlacedCoordinate& coordinate = m_coordinates[static_cast<std::size_t>(e)];
        respond(coordinate, responses.col(e).data());
        s0[e] = coordinate.value(y.data());
        z0[e] = y[2 * m_n + e];
        rates[e] = coordinate.rate(free.data());
        for (Eigen::Index i = 0; i < m; ++i) {
            rows.W(i, e) = m_coordinates[static_cast<std::size_t>(i)].rate(responses.col(e).data());
        }
    }
    const double speed = std::max({m_speed, m_settings.velocityFloor, m > 0 ? rates.lpNorm<Eigen::Infinity>() : 0.0});
    const Eigen::VectorXd impulses =
        m > 0 ? BackwardEuler(rows, dt, speed).impulses(s0, z0, rates) : Eigen::VectorXd(Eigen::VectorXd::Zero(0));
    velocities = free - responses * impulses;
    Eigen::VectorXd positionRates(m_n);
    for (std::size_t i = 0; i < m_trees.size(); ++i) {
        const Eigen::Index at = m_treePlaces[i];
        m_trees[i].rates(y.data() + at, y.data() + m_n + at, positionRates.data() + at);
    }
    positionRates.tail(m_n - m_treeCoordinates) = velocities.tail(m_n - m_treeCoordinates);
    y.head(m_n) += dt * positionRates;
    y.tail(m_size - workPlace()) += dt * rest;
    for (Eigen::Index e = 0; e < m; ++e) {
        const auto k = static_cast<std::size_t>(e);
        const RowLaw& law = m_laws[k];
        const double s1 = s(k, y);
        const double before = energyInPhase(law, m_phases[k], s0[e], z0[e]);
        double& z = y[2 * m_n + e];
        if (law.kind == RowLaw::Kind::Series) z = settledDamper(law, s1, z + damperRate(law, impulses[e]));
        const Phase after = classify(law, s1, v(k, y), 0);
        if (after.inContact() != m_phases[k].inContact()) {
            m_events.push_back({static_cast<int>(e), after.inContact(), t + dt, std::abs(v(k, y))});
        }
        m_phases[k] = after;
        y[impulsePlace() + e] += impulses[e];
        y[heatPlace() + e] += std::max(0.0, impulses[e] * v(k, y) - energyInPhase(law, after, s1, z) + before);
    }
    stepAccepted(t + dt, y);
}

}  // namespace elasto::flow
