#include "taylor_series.h"

#include "elementary.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace elasto::flow {

namespace {

constexpr std::size_t kTerms = kOrder + 1;

/// Gauss-Legendre nodes and weights on [0, 1]. The squares of degree 28 are integrated to about 1e-12 of themselves at
/// the steps that the tolerance allows, and never become negative.
struct Node {
    double x;
    double weight;
};
constexpr std::array<Node, 8> kNodes = {{{0.01985507175123188, 0.05061426814518813},
                                         {0.10166676129318664, 0.11119051722668724},
                                         {0.23723379504183550, 0.15685332293894364},
                                         {0.40828267875217510, 0.18134189168918100},
                                         {0.59171732124782490, 0.18134189168918100},
                                         {0.76276620495816450, 0.15685332293894364},
                                         {0.89833323870681340, 0.11119051722668724},
                                         {0.98014492824876810, 0.05061426814518813}}};

/// t at which |coefficient| t^order reaches the error.
double reach(double error, double coefficient, std::size_t order) {
    if (coefficient == 0) return std::numeric_limits<double>::infinity();
    return elementary::pow(error / coefficient, 1.0 / static_cast<double>(order));
}

Eigen::Index eigenIndex(std::size_t i) {
    return static_cast<Eigen::Index>(i);
}

}  // namespace

void TaylorSeries::begin(const RowNetwork& network) {
    m_network = &network;
    m_size = network.laws.size();
    m_constantLoad = network.hasConstantLoad();
    m_s.resize(kTerms * m_size);
    m_v.resize(kTerms * m_size);
    m_f.resize(kOrder * m_size);
    m_acting.reserve(m_size);
    m_columnStart.clear();
    m_entries.clear();
    for (std::size_t j = 0; j < m_size; ++j) {
        m_columnStart.push_back(m_entries.size());
        for (std::size_t i = 0; i < m_size; ++i) {
            const double W = network.W(eigenIndex(i), eigenIndex(j));
            if (W != 0) m_entries.push_back({i, W});
        }
    }
    m_columnStart.push_back(m_entries.size());
}

void TaylorSeries::expand(const RowState& state) {
    collectActing(state);
    std::copy(state.s.begin(), state.s.end(), m_s.begin());
    std::copy(state.v.begin(), state.v.end(), m_v.begin());
    expandLoads(state.t);
    for (std::size_t k = 0; k < kOrder; ++k) {
        const double share = 1 / static_cast<double>(k + 1);
        const double* v = &m_v[k * m_size];
        double* nextV = &m_v[(k + 1) * m_size];
        double* nextS = &m_s[(k + 1) * m_size];
        addForces(state, k);
        for (std::size_t i = 0; i < m_size; ++i) {
            nextS[i] = share * v[i];
            nextV[i] *= share;
        }
    }
}

void TaylorSeries::collectActing(const RowState& state) {
    m_acting.clear();
    for (std::size_t i = 0; i < m_size; ++i) {
        const RowLaw& law = m_network->laws[i];
        if (law.neverActs()) continue;
        const ForceSlopes slopes = slopesInPhase(law, state.phases[i], 0, 0);
        const bool acts = slopes.byS != 0 || slopes.byV != 0;
        const double relaxation = law.kind == RowLaw::Kind::Series ? law.c / law.d : 0;
        if (acts) m_acting.push_back({i, slopes.byS, slopes.byV, relaxation});
    }
}

/// Puts the accelerations of the loads where the forces will be added: order k at k + 1, not yet divided by k + 1.
void TaylorSeries::expandLoads(double t) {
    std::fill(m_v.begin() + static_cast<std::ptrdiff_t>(m_size), m_v.end(), 0.0);
    for (std::size_t i = 0; i < m_size; ++i) {
        const auto a = m_network->a.row(eigenIndex(i));
        m_v[m_size + i] = a(0) + t * (a(1) + t * a(2));
        m_v[2 * m_size + i] = a(1) + 2 * t * a(2);
        m_v[3 * m_size + i] = a(2);
    }
}

void TaylorSeries::addForces(const RowState& state, std::size_t order) {
    double* acceleration = &m_v[(order + 1) * m_size];
    for (const Acting& acting : m_acting) {
        const std::size_t i = acting.element;
        const std::size_t at = order * m_size + i;
        double f;
        if (order == 0) {
            const Eigen::Index e = eigenIndex(i);
            f = forceInPhase(m_network->laws[i], state.phases[i], state.s(e), state.v(e), state.z(e));
        } else {
            f = acting.byS * m_s[at] + acting.byV * m_v[at];
            if (acting.relaxation != 0) f -= acting.relaxation * m_f[at - m_size] / static_cast<double>(order);
        }
        m_f[at] = f;
        for (std::size_t e = m_columnStart[i]; e < m_columnStart[i + 1]; ++e) {
            acceleration[m_entries[e].row] -= m_entries[e].W * f;
        }
    }
}

double TaylorSeries::largest(const std::vector<double>& coefficients, std::size_t order) const {
    double most = 0;
    for (std::size_t i = order * m_size; i < (order + 1) * m_size; ++i)
        most = std::max(most, std::abs(coefficients[i]));
    return most;
}

double TaylorSeries::stepLength(double error) const {
    double step =
        std::min(reach(error, largest(m_v, kOrder), kOrder), reach(error, largest(m_v, kOrder - 1), kOrder - 1));
    for (const Acting& acting : m_acting) {
        // The rate of a damper in series need not show in the bodies' motion.
        if (acting.relaxation == 0) continue;
        const double d = m_network->laws[acting.element].d;
        for (const std::size_t k : {kOrder - 1, kOrder - 2}) {
            step = std::min(step, reach(error, std::abs(m_f[k * m_size + acting.element]) / d, k));
        }
    }
    return step;
}

UnitPolynomial TaylorSeries::exitFunction(Eigen::Index element, const LinearExit& exit, double duration) const {
    const std::size_t i = static_cast<std::size_t>(element);
    UnitPolynomial g;
    g[0] = exit.byS * (m_s[i] - exit.edge) + exit.byV * m_v[i];
    double power = 1;
    for (std::size_t k = 1; k < kTerms; ++k) {
        power *= duration;
        g[k] = (exit.byS * m_s[k * m_size + i] + exit.byV * m_v[k * m_size + i]) * power;
    }
    return g;
}

double TaylorSeries::sum(const std::vector<double>& coefficients, std::size_t element, double duration) const {
    double total = 0;
    for (std::size_t k = kTerms; k-- > 0;) total = total * duration + coefficients[k * m_size + element];
    return total;
}

void TaylorSeries::advance(RowState& state, double duration) const {
    // What the impulse before this step adds to its own integrals.
    if (!m_constantLoad) {
        const double t0 = state.t;
        const double t1 = t0 + duration;
        state.sigmaT += 0.5 * (t1 * t1 - t0 * t0) * state.P;
        state.sigmaTT += (t1 * t1 * t1 - t0 * t0 * t0) / 3 * state.P;
    }
    state.sigma += duration * state.P;
    for (const Acting& acting : m_acting) advanceImpulses(state, acting, duration);
    for (std::size_t i = 0; i < m_size; ++i) {
        const Eigen::Index e = eigenIndex(i);
        const double s = sum(m_s, i, duration);
        if (state.phases[i].inContact()) state.heat(e) += heatOf(state, i, s, duration);
        state.s(e) = s;
        state.v(e) = sum(m_v, i, duration);
        state.z(e) = settledDamper(m_network->laws[i], s, state.z(e));
    }
}

/// Adds what the force of this step gives. sigma ends one order earlier than P, as s does compared with v.
void TaylorSeries::advanceImpulses(RowState& state, const Acting& acting, double duration) const {
    const Eigen::Index e = eigenIndex(acting.element);
    double P = 0;
    double sigma = 0;
    double sigmaT = 0;  // with time from the start of the step
    double sigmaTT = 0;
    double power = 1;
    for (std::size_t k = 0; k < kOrder; ++k) {
        const double n = static_cast<double>(k + 1);
        power *= duration;
        const double term = m_f[k * m_size + acting.element] * power / n;
        P += term;
        if (k + 1 == kOrder) break;
        sigma += term / (n + 1);
        if (m_constantLoad) continue;
        sigmaT += term / (n + 2);
        sigmaTT += term / (n + 3);
    }
    sigma *= duration;
    sigmaT *= duration * duration;
    sigmaTT *= duration * duration * duration;
    state.P(e) += P;
    state.sigma(e) += sigma;
    if (!m_constantLoad) {
        state.sigmaT(e) += state.t * sigma + sigmaT;
        state.sigmaTT(e) += state.t * (state.t * sigma + 2 * sigmaT) + sigmaTT;
    }
    if (acting.relaxation != 0) state.z(e) += P / m_network->laws[acting.element].d;
}

double TaylorSeries::heatOf(const RowState& before, std::size_t element, double sAfter, double duration) const {
    const RowLaw& law = m_network->laws[element];
    const Phase phase = before.phases[element];
    if (law.d == 0 || law.neverActs()) return 0;
    if (law.kind == RowLaw::Kind::Series) return integrateSquare(m_f, element, kOrder, duration) / law.d;
    if (phase.mode == Mode::Linear) return law.d * integrateSquare(m_v, element, kTerms, duration);
    // Clipped the damper takes as much as the spring stores, slack the spring's energy is lost.
    const double y0 = law.penetration(before.s(eigenIndex(element)), phase.side);
    const double y1 = law.penetration(sAfter, phase.side);
    const double stored = 0.5 * law.c * (y1 - y0) * (y1 + y0);
    return phase.mode == Mode::Clipped ? stored : -stored;
}

double TaylorSeries::integrateSquare(const std::vector<double>& coefficients, std::size_t element, std::size_t terms,
                                     double duration) const {
    double integral = 0;
    for (const Node& node : kNodes) {
        const double t = node.x * duration;
        double value = 0;
        for (std::size_t k = terms; k-- > 0;) value = value * t + coefficients[k * m_size + element];
        integral += node.weight * value * value;
    }
    return integral * duration;
}

}  // namespace elasto::flow
