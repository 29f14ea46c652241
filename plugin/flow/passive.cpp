// The rest of a tick whose budget ended: a few steps of backward Euler, which never add energy but lose the rebound.
// Section 4 of docs/method.md.

#include "backward_euler.h"

#include <Eigen/Cholesky>

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>

namespace elasto::flow {

namespace {

constexpr int kFewestSteps = 4;
constexpr int kMostSteps = 64;

struct LoadIntegrals {
    Eigen::VectorXd once;   ///< int a dt
    Eigen::VectorXd twice;  ///< int int a dt dt
};

LoadIntegrals integrateLoads(const RowNetwork& network, double t) {
    const auto& a = network.a;
    return {t * (a.col(0) + t * (a.col(1) / 2 + t / 3 * a.col(2))),
            t * t * (a.col(0) / 2 + t * (a.col(1) / 6 + t / 12 * a.col(2)))};
}

/// The same network with time counted from t0.
RowNetwork startingAt(const RowNetwork& network, double t0) {
    RowNetwork shifted = network;
    shifted.a.col(0) += t0 * (network.a.col(1) + t0 * network.a.col(2));
    shifted.a.col(1) += 2 * t0 * network.a.col(2);
    return shifted;
}

/// The same state as a start: no impulses, no heat yet.
RowState startOf(const RowState& state) {
    RowState start;
    start.resize(state.s.size());
    start.s = state.s;
    start.v = state.v;
    start.z = state.z;
    start.phases = state.phases;
    return start;
}

/// Appends what happened after state.t, with time counted from there.
void append(RowState& state, const RowState& rest) {
    const double t0 = state.t;
    const double t1 = t0 + rest.t;
    state.sigma += rest.t * state.P + rest.sigma;
    state.sigmaT += 0.5 * (t1 * t1 - t0 * t0) * state.P + t0 * rest.sigma + rest.sigmaT;
    state.sigmaTT +=
        (t1 * t1 * t1 - t0 * t0 * t0) / 3 * state.P + t0 * (t0 * rest.sigma + 2 * rest.sigmaT) + rest.sigmaTT;
    state.P += rest.P;
    state.heat += rest.heat;
    state.s = rest.s;
    state.v = rest.v;
    state.z = rest.z;
    state.phases = rest.phases;
}

double speedScale(const RowNetwork& network, const RowState& start, double duration) {
    const double most = start.v.lpNorm<Eigen::Infinity>();
    const double gained = integrateLoads(network, duration).once.lpNorm<Eigen::Infinity>();
    return std::max({most, gained, 1e-6});
}

class PassiveRun {
public:
    PassiveRun(const RowNetwork& network, const RowState& start, double duration, int steps)
        : m_network(network),
          m_start(start),
          m_duration(duration),
          m_steps(steps),
          m_euler(network, duration / steps, speedScale(network, start, duration)),
          m_end(start),
          m_work(Eigen::VectorXd::Zero(network.size())) {
        for (int k = 0; k < steps; ++k) step(k);
        deliverPositions();
        m_energy0 = storedEnergy(network, start);
    }

    double energyHandedOut() const {
        const double G = flow::energyHandedOut(m_network, m_start.v, m_energy0, m_end);
        return std::isfinite(G) ? G : std::numeric_limits<double>::infinity();
    }
    /// True if energy was handed out, by more than rounding.
    bool gains() const {
        const double exchanged = m_end.P.cwiseAbs().dot(m_start.v.cwiseAbs() + m_end.v.cwiseAbs());
        return energyHandedOut() > 1e-9 * (exchanged + m_energy0);
    }
    /// The end, its energy balance closed.
    RowState finish() const;
    const std::vector<ContactEvent>& events() const { return m_events; }

private:
    void step(int k);
    void reclassify(double t);
    void deliverPositions();
    Eigen::VectorXd lossPerElement() const;

    const RowNetwork& m_network;
    const RowState& m_start;
    const double m_duration;
    const int m_steps;
    const BackwardEuler m_euler;

    RowState m_end;
    Eigen::VectorXd m_lastImpulses;
    Eigen::VectorXd m_work;  ///< on the elements, as backward Euler counts it
    std::vector<ContactEvent> m_events;
    double m_energy0 = 0;
};

void PassiveRun::step(int k) {
    const double t0 = m_duration * k / m_steps;
    const double t1 = m_duration * (k + 1) / m_steps;
    const Eigen::VectorXd gained = integrateLoads(m_network, t1).once - integrateLoads(m_network, t0).once;
    const Eigen::VectorXd freeVelocity = m_end.v + gained;
    const Eigen::VectorXd x = m_euler.impulses(m_end.s, m_end.z, freeVelocity);
    m_end.v = freeVelocity - m_network.W.times(x);
    m_end.s += (t1 - t0) * m_end.v;
    m_end.P += x;
    m_end.sigma += (t1 - t0) * m_end.P;
    m_end.sigmaT += 0.5 * (t1 * t1 - t0 * t0) * m_end.P;
    m_end.sigmaTT += (t1 * t1 * t1 - t0 * t0 * t0) / 3 * m_end.P;
    for (Eigen::Index i = 0; i < x.size(); ++i) {
        const RowLaw& law = m_network.laws[static_cast<std::size_t>(i)];
        if (law.kind != RowLaw::Kind::Series) continue;
        m_end.z(i) = settledDamper(law, m_end.s(i), m_end.z(i) + damperRate(law, x(i)));
    }
    m_work += x.cwiseProduct(m_end.v);
    m_lastImpulses = x;
    reclassify(t1);
}

void PassiveRun::reclassify(double t) {
    m_end.t = t;
    for (Eigen::Index i = 0; i < m_network.size(); ++i) {
        const std::size_t k = static_cast<std::size_t>(i);
        const Phase after = classify(m_network.laws[k], m_end.s(i), m_end.v(i), 0);
        const bool began = after.inContact() && !m_end.phases[k].inContact();
        const bool ended = !after.inContact() && m_end.phases[k].inContact();
        if (began || ended) m_events.push_back({static_cast<int>(i), began, t, std::abs(m_end.v(i))});
        m_end.phases[k] = after;
    }
}

/// Bodies move freely plus W sigma, which is not where backward Euler ended: its free path differs by a h dt/2. sigma
/// of the elements that still push is corrected so that they end where the forces were balanced; the others fly freely.
void PassiveRun::deliverPositions() {
    const Eigen::VectorXd freePath = m_start.s + m_duration * m_start.v + integrateLoads(m_network, m_duration).twice;
    std::vector<Eigen::Index> pushing;
    for (Eigen::Index i = 0; i < m_network.size(); ++i) {
        if (m_lastImpulses(i) != 0 && m_network.W(i, i) > 0) pushing.push_back(i);
    }
    if (!pushing.empty()) {
        const Eigen::MatrixXd W = m_network.W.dense()(pushing, pushing);
        Eigen::MatrixXd regular = W;
        regular.diagonal() *= 1 + 1e-10;  // elements side by side share the correction
        const Eigen::LDLT<Eigen::MatrixXd> solver(regular);
        const Eigen::VectorXd gap = (m_end.s - (freePath - m_network.W.times(m_end.sigma)))(pushing);
        Eigen::VectorXd correction = solver.solve(gap);
        correction += solver.solve(gap - W * correction);  // a stiff spring feels the 1e-10
        m_end.sigma(pushing) -= correction;
        m_end.sigmaT(pushing) -= m_duration / 2 * correction;
        m_end.sigmaTT(pushing) -= m_duration * m_duration / 3 * correction;
    }
    m_end.s = freePath - m_network.W.times(m_end.sigma);
    reclassify(m_duration);
}

/// What each element took without storing it, >= 0 up to the correction of the positions.
Eigen::VectorXd PassiveRun::lossPerElement() const {
    Eigen::VectorXd loss = m_work;
    for (Eigen::Index i = 0; i < m_network.size(); ++i) {
        const std::size_t k = static_cast<std::size_t>(i);
        const RowLaw& law = m_network.laws[k];
        loss(i) -= energyInPhase(law, m_end.phases[k], m_end.s(i), m_end.z(i));
        loss(i) += energyInPhase(law, m_start.phases[k], m_start.s(i), m_start.z(i));
        loss(i) = std::max(loss(i), 0.0);
    }
    return loss;
}

RowState PassiveRun::finish() const {
    RowState end = m_end;
    repairEnergy(m_network, m_start.v, m_energy0, end);
    const double lost = std::max(-flow::energyHandedOut(m_network, m_start.v, m_energy0, end), 0.0);
    Eigen::VectorXd share = lossPerElement();
    if (share.sum() == 0) share = (end.P.array() != 0).cast<double>();
    if (share.sum() > 0) end.heat = lost / share.sum() * share;
    return end;
}

}  // namespace

void solvePassive(const RowNetwork& network, RowState& state, double h, RowLog& log) {
    if (network.size() == 0 || state.t >= h) return;
    const RowNetwork rest = startingAt(network, state.t);
    const RowState start = startOf(state);
    int steps = kFewestSteps;
    auto run = std::make_unique<PassiveRun>(rest, start, h - state.t, steps);
    // Where elements share bodies with jumping forces a few of 10 000 ticks gain; shorter steps end that.
    while (run->gains() && steps < kMostSteps) {
        steps *= 2;
        auto shorter = std::make_unique<PassiveRun>(rest, start, h - state.t, steps);
        if (shorter->energyHandedOut() < run->energyHandedOut()) run = std::move(shorter);
    }
    append(state, run->finish());
    for (ContactEvent event : run->events()) {
        event.time += state.t;
        log.events.push_back(event);
    }
    state.t = h;
    log.steps += steps;
}

}  // namespace elasto::flow
