#include "straight/taylor_series.h"

#include "numerics/elementary.h"

#include <algorithm>
#include <cmath>

namespace elasto::flow {

namespace {

/// t at which |coefficient| t^order reaches the error.
double reachOf(double error, double coefficient, std::size_t order) {
    if (coefficient == 0) return std::numeric_limits<double>::infinity();
    return elementary::pow(error / coefficient, 1.0 / static_cast<double>(order));
}

void load(const Eigen::Ref<const Eigen::VectorXd>& from, std::vector<Lanes>& to) {
    std::fill(to.begin(), to.end(), Lanes::Zero());
    for (Eigen::Index i = 0; i < from.size(); ++i) {
        to[static_cast<std::size_t>(i) / kLanes][i % static_cast<Eigen::Index>(kLanes)] = from[i];
    }
}

void store(const std::vector<Lanes>& from, Eigen::VectorXd& to) {
    for (Eigen::Index i = 0; i < to.size(); ++i) {
        to[i] = from[static_cast<std::size_t>(i) / kLanes][i % static_cast<Eigen::Index>(kLanes)];
    }
}

/// Share of the time at which an exit's function falls through zero, or kNoCrossing.
double crossingOf(UnitPolynomial g, const LinearExit& exit, double s) {
    if (g[0] <= 0 && g[1] < 0) return 0;
    double size = 0;
    for (const double term : g) size += std::abs(term);
    // Rounding of the state, and of the polynomial.
    const double tolerance = 4e-16 * std::abs(exit.byS) * (std::abs(exit.edge) + std::abs(s)) + 1e-13 * size;
    g[0] = std::max(g[0], 0.0);
    return firstCrossingOf(g, tolerance);
}

}  // namespace

Weights Weights::of(double t) {
    Weights weights;
    weights.power[0] = 1;
    for (std::size_t k = 1; k <= kOrder; ++k) {
        weights.power[k] = weights.power[k - 1] * t;
        weights.once[k] = weights.power[k] * kInverse[k];
    }
    return weights;
}

void TaylorSeries::begin(const RowNetwork& network, const RowState& state) {
    m_network = &network;
    m_size = network.laws.size();
    m_hasConstantLoad = network.hasConstantLoad();
    const std::size_t count = (m_size + kLanes - 1) / kLanes;
    m_base.assign(count, state.t);
    for (std::vector<Lanes>* values : {&m_s, &m_z, &m_P, &m_sigma, &m_sigmaT, &m_sigmaTT, &m_heat}) {
        values->resize(count);
    }
    load(state.s, m_s);
    load(state.z, m_z);
    load(state.P, m_P);
    load(state.sigma, m_sigma);
    load(state.heat, m_heat);
    if (!m_hasConstantLoad) load(state.sigmaT, m_sigmaT);
    if (!m_hasConstantLoad) load(state.sigmaTT, m_sigmaTT);
    m_load.resize(count);
    load(network.a.col(0), m_load);
    m_v.assign(count * kTerms, Lanes::Zero());
    for (std::size_t i = 0; i < m_size; ++i) rates(blockOf(i))[0][laneOf(i)] = state.v(static_cast<Eigen::Index>(i));
    m_f.assign(count * kOrder, Lanes::Zero());
    m_weights = {};
    m_order.assign(count, kOrder);
    m_isExact.assign(count, 0);
    if (network.number == 0 || network.number != m_number) {
        takeLaws(state.phases);
        findLinks();
        m_number = network.number;
    } else {
        for (std::size_t i = 0; i < m_size; ++i) {
            if (!(m_phases[i] == state.phases[i])) setPhase(i, state.phases[i]);
        }
    }
    m_expanding.assign(count, 0);
    m_expansion = 0;
}

void TaylorSeries::takeLaws(const std::vector<Phase>& phases) {
    const std::size_t count = blocks();
    for (std::vector<Lanes>* values : {&m_byS, &m_byV, &m_edge, &m_offset, &m_relaxation})
        values->assign(count, Lanes::Zero());
    m_exits.assign(count, {});
    m_phases.resize(m_size);
    m_hasSeries = false;
    m_hasSliders = false;
    m_hasDamping = false;
    for (std::size_t i = 0; i < m_size; ++i) {
        setPhase(i, phases[i]);
        const HybridLaw& law = m_network->laws[i];
        m_hasSeries |= law.kind == HybridLaw::Kind::Series;
        m_hasSliders |= law.slips();
        m_hasDamping |= law.canLose();
    }
}

void TaylorSeries::end(RowState& state) const {
    store(m_s, state.s);
    store(m_z, state.z);
    store(m_P, state.P);
    store(m_sigma, state.sigma);
    store(m_heat, state.heat);
    if (!m_hasConstantLoad) store(m_sigmaT, state.sigmaT);
    if (!m_hasConstantLoad) store(m_sigmaTT, state.sigmaTT);
    for (std::size_t i = 0; i < m_size; ++i) state.v(static_cast<Eigen::Index>(i)) = speed(i);
    std::copy(m_phases.begin(), m_phases.end(), state.phases.begin());
    for (std::size_t i = 0; m_hasSliders && i < m_size; ++i) {
        double& z = state.z(static_cast<Eigen::Index>(i));
        z = innerState(m_network->laws[i], m_phases[i], length(i), z);
    }
}

void TaylorSeries::setPhase(std::size_t element, Phase phase) {
    const HybridLaw& law = m_network->laws[element];
    m_phases[element] = phase;
    const ForceSlopes slopes = law.neverActs() ? ForceSlopes{} : slopesInPhase(law, phase, 0, 0);
    const bool isSeries = law.kind == HybridLaw::Kind::Series;
    at(m_byS, element) = slopes.byS;
    at(m_byV, element) = slopes.byV;
    at(m_edge, element) = edgeInPhase(law, phase);
    at(m_offset, element) = offsetInPhase(law, phase);
    at(m_relaxation, element) = isSeries && slopes.byS != 0 ? law.c / law.d : 0;
    const Exits exits = exitsOf(law, phase);
    for (int e = 0; e < kMostExits; ++e) {
        ExitFunction& function = m_exits[blockOf(element)][static_cast<std::size_t>(e)];
        const std::size_t k = element % kLanes;
        const bool is = e < exits.count;
        const LinearExit linear = is ? linearExit(law, phase, exits.exits[e].kind) : LinearExit{};
        function.are[k] = is;
        function.exits[k] = exits.exits[e];
        function.byS[laneOf(element)] = linear.byS;
        function.byV[laneOf(element)] = linear.byV;
        function.edge[laneOf(element)] = linear.edge;
    }
}

/// The acceleration by the loads.
void TaylorSeries::startLoads(std::size_t block, double t) {
    Lanes* v = rates(block);
    v[1] = m_load[block];
    v[2].setZero();
    v[3].setZero();
    if (m_hasConstantLoad) return;
    const std::size_t first = block * kLanes;
    for (std::size_t i = first; i < std::min(first + kLanes, m_size); ++i) {
        const auto a = m_network->a.row(static_cast<Eigen::Index>(i));
        const Eigen::Index lane = laneOf(i);
        v[1][lane] = a(0) + t * (a(1) + t * a(2));
        v[2][lane] = (a(1) + 2 * t * a(2)) / 2;
        v[3][lane] = a(2) / 3;
    }
}

std::size_t TaylorSeries::orderFor(double duration, double share) const {
    const double x = m_rate * duration;
    double term = 1;  // x^k/k!, where all terms stay below it
    for (std::size_t k = 1; k < kOrder; ++k) {
        term *= x * kInverse[k];
        if (k >= kLoadTerms && term <= share) return k + 1;
    }
    return kOrder;
}

void TaylorSeries::expand(const std::vector<std::size_t>& blocks, double t, std::size_t order) {
    ++m_expansion;
    for (const std::size_t b : blocks) m_expanding[b] = m_expansion;
    m_driven.clear();
    for (const std::size_t b : blocks) {
        startLoads(b, t);
        m_order[b] = order;
        m_isExact[b] = isDriven(b) ? 0 : 1;
        if (m_isExact[b] == 0) m_driven.push_back(b);
        Lanes* v = rates(b);
        Lanes* f = forces(b);
        f[0] = m_byS[b] * (m_s[b] - m_edge[b] - (m_relaxation[b] != 0).select(m_z[b], 0)) + m_byV[b] * v[0];
        if (m_hasSliders) f[0] += m_offset[b];
        for (std::size_t k = order; k < kOrder; ++k) f[k].setZero();
        if (m_isExact[b] == 0) continue;
        for (std::size_t k = kLoadTerms; k < kTerms; ++k) v[k].setZero();
        for (std::size_t k = 1; k < order; ++k) f[k] = m_byS[b] * (v[k - 1] * kInverse[k]) + m_byV[b] * v[k];
    }
    placeLinks(m_driven, t, order);
    for (std::size_t k = 0; k < order; ++k) advance(k);
}

double TaylorSeries::reach(const std::vector<std::size_t>& blocks, double error, const Weights& most) const {
    if (blocks.empty()) return most.time();
    const std::size_t order = m_order[blocks.front()];
    Lanes last = Lanes::Zero();
    Lanes lastButOne = Lanes::Zero();
    for (const std::size_t b : blocks) {
        last = last.max(rates(b)[order].abs());
        lastButOne = lastButOne.max(rates(b)[order - 1].abs());
    }
    double step = most.time();
    const auto limit = [&](double term, std::size_t k) {
        if (!(term * most.power[k] <= error)) step = std::min(step, reachOf(error, term, k));
    };
    limit(last.maxCoeff(), order);
    limit(lastButOne.maxCoeff(), order - 1);
    if (!m_hasSeries) return step;
    for (const std::size_t b : blocks) {
        // The rate of a damper in series need not show in the bodies' motion.
        for (std::size_t i = b * kLanes; i < std::min((b + 1) * kLanes, m_size); ++i) {
            if (at(m_relaxation, i) == 0) continue;
            const double d = m_network->laws[i].d;
            for (const std::size_t k : {order - 1, order - 2}) {
                limit(std::abs(forces(b)[k][laneOf(i)]) / d, k);
            }
        }
    }
    return step;
}

double TaylorSeries::speedBound(std::size_t element, double t) const {
    const std::size_t b = blockOf(element);
    const double duration = t - m_base[b];
    double bound = 0;
    for (std::size_t k = isExact(b) ? kLoadTerms : m_order[b] + 1; k-- > 0;) {
        bound = bound * duration + std::abs(rates(b)[k][laneOf(element)]);
    }
    return bound;
}

UnitPolynomial TaylorSeries::exitFunction(std::size_t element, const ExitFunction& exit,
                                          const Weights& duration) const {
    const std::size_t b = blockOf(element);
    const Lanes* v = rates(b);
    const Eigen::Index lane = laneOf(element);
    const double byS = exit.byS[lane];
    const double byV = exit.byV[lane];
    UnitPolynomial g{};
    g[0] = byS * (length(element) - exit.edge[lane]) + byV * v[0][lane];
    for (std::size_t k = 1; k <= m_order[b]; ++k) g[k] = byS * (v[k - 1][lane] * duration.once[k]);
    if (byV == 0) return g;
    for (std::size_t k = 1; k <= m_order[b]; ++k) g[k] += byV * (v[k][lane] * duration.power[k]);
    return g;
}

/// Positive where an exit's function cannot fall through zero within the time, as most cannot: where it is bounded from
/// below, or begins at zero or above and rises, by the terms up to the third in Bernstein's form, whose coefficients
/// enclose their sum, less the size of the others.
Lanes TaylorSeries::margin(std::size_t block, const ExitFunction& exit, const Weights& duration) const {
    const Lanes* v = rates(block);
    const std::size_t terms = isExact(block) ? kLoadTerms + 1 : m_order[block] + 1;
    const Lanes start = exit.byS * (m_s[block] - exit.edge) + exit.byV * v[0];
    std::array<Lanes, 4> low;  // from 1
    Lanes rest = Lanes::Zero();
    if (m_hasDamping) {
        const auto term = [&](std::size_t k) -> Lanes {
            return exit.byS * (v[k - 1] * duration.once[k]) + exit.byV * (v[k] * duration.power[k]);
        };
        for (std::size_t k = 1; k < low.size(); ++k) low[k] = term(k);
        for (std::size_t k = low.size(); k < terms; ++k) rest += term(k).abs();
    } else {
        for (std::size_t k = 1; k < low.size(); ++k) low[k] = exit.byS * (v[k - 1] * duration.once[k]);
        for (std::size_t k = low.size(); k < terms; ++k) rest += v[k - 1].abs() * duration.once[k];
        rest *= exit.byS.abs();
    }
    const Lanes sum = low[1] + low[2] + low[3];
    const Lanes lowest =
        start.min(start + kInverse[3] * low[1]).min(start + kInverse[3] * (2 * low[1] + low[2])).min(start + sum);
    const Lanes rise = low[1].min(low[1] + 0.5 * low[2]).min(sum);
    return (start >= 0).select(lowest.max(rise), lowest) - rest;
}

std::array<TaylorSeries::Leaving, kLanes> TaylorSeries::leavings(std::size_t block, const Weights& duration) const {
    std::array<Leaving, kLanes> result;
    for (const ExitFunction& exit : m_exits[block]) {
        bool any = false;
        for (const bool is : exit.are) any |= is;
        if (!any) continue;
        const Lanes least = margin(block, exit, duration);
        for (std::size_t k = 0; k < kLanes; ++k) {
            const auto lane = static_cast<Eigen::Index>(k);
            if (least[lane] > 0 || !exit.are[k]) continue;
            const std::size_t element = block * kLanes + k;
            const LinearExit linear{exit.byS[lane], exit.byV[lane], exit.edge[lane]};
            const double share = crossingOf(exitFunction(element, exit, duration), linear, length(element));
            if (share != kNoCrossing && share < result[k].share) result[k] = {share, exit.exits[k]};
        }
    }
    return result;
}

const Weights& TaylorSeries::weightsOf(double duration) {
    if (m_weights.time() != duration) m_weights = Weights::of(duration);
    return m_weights;
}

void TaylorSeries::moveTo(std::size_t block, double t) {
    const double duration = t - m_base[block];
    if (duration == 0) return;
    Lanes* v = rates(block);
    const Weights& weights = weightsOf(duration);
    const std::size_t terms = isExact(block) ? kLoadTerms : m_order[block] + 1;
    Lanes displacement = Lanes::Zero();
    Lanes gain = Lanes::Zero();
    for (std::size_t k = terms; k-- > 1;) {
        displacement += v[k - 1] * weights.once[k];
        gain += v[k] * weights.power[k];
    }
    if (isExact(block)) displacement += v[terms - 1] * weights.once[terms];
    const Lanes s = m_s[block] + displacement;
    if (m_hasDamping) addHeat(block, s, duration);
    addImpulses(block, t, weights);
    m_s[block] = s;
    v[0] += gain;
    if (m_hasSeries) {
        for (std::size_t i = block * kLanes; i < std::min((block + 1) * kLanes, m_size); ++i) {
            at(m_z, i) = innerState(m_network->laws[i], m_phases[i], length(i), at(m_z, i));
        }
    }
    m_base[block] = t;
}

}  // namespace elasto::flow
