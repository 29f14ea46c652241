#include "taylor_series.h"

#include "elementary.h"

#include <algorithm>
#include <cmath>

namespace elasto::flow {

namespace {

constexpr std::array<double, kOrder + 5> kInverse = [] {
    std::array<double, kOrder + 5> inverse{};
    for (std::size_t k = 1; k < inverse.size(); ++k) inverse[k] = 1 / static_cast<double>(k);
    return inverse;
}();

/// Terms that loads alone make: 1, t, t^2 of the acceleration.
constexpr std::size_t kLoadTerms = 4;

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
double reachOf(double error, double coefficient, std::size_t order) {
    if (coefficient == 0) return std::numeric_limits<double>::infinity();
    return elementary::pow(error / coefficient, 1.0 / static_cast<double>(order));
}

/// Integral over the duration of the square of one lane of a series.
double integrateSquare(const Lanes* terms, Eigen::Index lane, std::size_t count, double duration) {
    double integral = 0;
    for (const Node& node : kNodes) {
        const double t = node.x * duration;
        double value = 0;
        for (std::size_t k = count; k-- > 0;) value = value * t + terms[k][lane];
        integral += node.weight * value * value;
    }
    return integral * duration;
}

void load(const Eigen::VectorXd& from, std::vector<Lanes>& to) {
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

/// Share of the time at which an exit's function falls through zero, or kNoFall.
double fallOf(UnitPolynomial g, const LinearExit& exit, double s) {
    if (g[0] <= 0 && g[1] < 0) return 0;
    double size = 0;
    for (const double term : g) size += std::abs(term);
    // Rounding of the state, and of the polynomial.
    const double tolerance = 4e-16 * std::abs(exit.byS) * (std::abs(exit.edge) + std::abs(s)) + 1e-13 * size;
    g[0] = std::max(g[0], 0.0);
    return firstFallOf(g, tolerance);
}

}  // namespace

Powers powersOf(double t) {
    Powers powers;
    powers[0] = 1;
    for (std::size_t k = 1; k < powers.size(); ++k) powers[k] = powers[k - 1] * t;
    return powers;
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
    m_v.assign(count * kTerms, Lanes::Zero());
    for (std::size_t i = 0; i < m_size; ++i) rates(blockOf(i))[0][laneOf(i)] = state.v(static_cast<Eigen::Index>(i));
    m_f.assign(count * kOrder, Lanes::Zero());
    m_isExact.assign(count, 0);
    for (std::vector<Lanes>* values : {&m_byS, &m_byV, &m_edge, &m_relaxation}) values->assign(count, Lanes::Zero());
    m_exits.assign(count, {});
    m_phases.resize(m_size);
    m_hasSeries = false;
    m_hasDamping = false;
    for (std::size_t i = 0; i < m_size; ++i) {
        setPhase(i, state.phases[i]);
        m_hasSeries |= network.laws[i].kind == RowLaw::Kind::Series;
        m_hasDamping |= network.laws[i].d > 0;
    }
    m_expanding.assign(count, 0);
    m_expansion = 0;
    findLinks();
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
}

void TaylorSeries::findLinks() {
    m_links.clear();
    m_firstLink.clear();
    for (std::size_t b = 0; b < blocks(); ++b) {
        m_firstLink.push_back(m_links.size());
        for (std::size_t i = b * kLanes; i < std::min((b + 1) * kLanes, m_size); ++i) {
            std::size_t link = m_firstLink.back();
            for (const InverseMass::Entry& entry : m_network->W.row(static_cast<Eigen::Index>(i))) {
                if (entry.value == 0) continue;
                if (link == m_links.size()) {
                    m_links.emplace_back().from.fill(b * kLanes);  // with W = 0: what it is does not matter
                }
                m_links[link].W[laneOf(i)] = entry.value;
                m_links[link].from[i % kLanes] = static_cast<std::size_t>(entry.column);
                ++link;
            }
        }
    }
    m_firstLink.push_back(m_links.size());
    m_linkPlaces.resize(m_links.size());
    for (std::size_t l = 0; l < m_links.size(); ++l) {
        for (std::size_t k = 0; k < kLanes; ++k) m_linkPlaces[l][k] = forcePlace(m_links[l].from[k]);
    }
}

void TaylorSeries::setPhase(std::size_t element, Phase phase) {
    const RowLaw& law = m_network->laws[element];
    m_phases[element] = phase;
    const ForceSlopes slopes = law.neverActs() ? ForceSlopes{} : slopesInPhase(law, phase, 0, 0);
    const bool isSeries = law.kind == RowLaw::Kind::Series;
    at(m_byS, element) = slopes.byS;
    at(m_byV, element) = slopes.byV;
    at(m_edge, element) = law.edge(phase.side);
    at(m_relaxation, element) = isSeries && slopes.byS != 0 ? law.c / law.d : 0;
    const Exits exits = exitsOf(law, phase);
    for (int e = 0; e < 2; ++e) {
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

bool TaylorSeries::isDriven(std::size_t block) const {
    if (m_hasSeries && (m_relaxation[block] != 0).any()) return true;  // its force has dynamics, whatever it moves
    for (std::size_t l = m_firstLink[block]; l < m_firstLink[block + 1]; ++l) {
        for (const std::size_t from : m_links[l].from) {
            if (acts(from)) return true;
        }
    }
    return false;
}

/// The force of an element that is not expanded, about t.
std::size_t TaylorSeries::shiftedForce(std::size_t element, double t) {
    const std::size_t place = blocks() * kOrder * kLanes + m_shiftedCount++ * kOrder * kLanes;
    if (m_f.size() * kLanes < place + kOrder * kLanes) m_f.resize(place / kLanes + kOrder);
    const Lanes* from = forces(blockOf(element));
    const double duration = t - m_base[blockOf(element)];
    std::array<double, kOrder> c;
    for (std::size_t k = 0; k < kOrder; ++k) c[k] = from[k][laneOf(element)];
    for (std::size_t i = 0; i + 1 < kOrder; ++i) {
        for (std::size_t k = kOrder - 1; k-- > i;) c[k] += duration * c[k + 1];
    }
    for (std::size_t k = 0; k < kOrder; ++k) m_f[place / kLanes + k][0] = c[k];
    return place;
}

/// Finds where the forces are that act on the blocks which are expanded.
void TaylorSeries::placeLinks(const std::vector<std::size_t>& blocks, double t) {
    m_shiftedCount = 0;
    for (const std::size_t b : blocks) {
        for (std::size_t l = m_firstLink[b]; l < m_firstLink[b + 1]; ++l) {
            const Link& link = m_links[l];
            for (std::size_t k = 0; k < kLanes; ++k) {
                const std::size_t from = link.from[k];
                const bool isOutside = m_expanding[blockOf(from)] != m_expansion && acts(from) &&
                                       link.W[static_cast<Eigen::Index>(k)] != 0 && m_base[blockOf(from)] != t;
                m_linkPlaces[l][k] = isOutside ? shiftedForce(from, t) : forcePlace(from);
            }
        }
    }
}

/// Speed, and the acceleration by the loads.
void TaylorSeries::startLoads(std::size_t block, double t) {
    Lanes* v = rates(block);
    const std::size_t first = block * kLanes;
    for (std::size_t i = first; i < std::min(first + kLanes, m_size); ++i) {
        const auto a = m_network->a.row(static_cast<Eigen::Index>(i));
        const Eigen::Index lane = laneOf(i);
        v[1][lane] = a(0) + t * (a(1) + t * a(2));
        v[2][lane] = (a(1) + 2 * t * a(2)) / 2;
        v[3][lane] = a(2) / 3;
    }
    for (std::size_t k = kLoadTerms; k < kTerms; ++k) v[k].setZero();
}

void TaylorSeries::expand(const std::vector<std::size_t>& blocks, double t) {
    ++m_expansion;
    for (const std::size_t b : blocks) m_expanding[b] = m_expansion;
    m_driven.clear();
    for (const std::size_t b : blocks) {
        startLoads(b, t);
        m_isExact[b] = isDriven(b) ? 0 : 1;
        if (m_isExact[b] == 0) m_driven.push_back(b);
        // Where the force of a series element has no bodies to move it has terms all the same.
        Lanes* f = forces(b);
        f[0] = m_byS[b] * (m_s[b] - m_edge[b] - (m_relaxation[b] != 0).select(m_z[b], 0)) + m_byV[b] * rates(b)[0];
    }
    placeLinks(m_driven, t);
    const double* force = m_f.data()->data();
    for (std::size_t k = 0; k < kOrder; ++k) {
        if (k > 0) {
            for (const std::size_t b : blocks) {
                const Lanes* v = rates(b);
                Lanes* f = forces(b);
                f[k] = m_byS[b] * (v[k - 1] * kInverse[k]);
                if (m_hasDamping) f[k] += m_byV[b] * v[k];
                if (m_hasSeries) f[k] -= m_relaxation[b] * f[k - 1] * kInverse[k];
            }
        }
        const double* here = force + k * kLanes;
        for (const std::size_t b : m_driven) {
            Lanes acceleration = Lanes::Zero();
            for (std::size_t l = m_firstLink[b]; l < m_firstLink[b + 1]; ++l) {
                const auto& place = m_linkPlaces[l];
                acceleration += m_links[l].W * Lanes(here[place[0]], here[place[1]], here[place[2]], here[place[3]]);
            }
            rates(b)[k + 1] -= acceleration * kInverse[k + 1];
        }
    }
}

double TaylorSeries::reach(const std::vector<std::size_t>& blocks, double error, const Powers& most) const {
    Lanes last = Lanes::Zero();
    Lanes lastButOne = Lanes::Zero();
    for (const std::size_t b : blocks) {
        last = last.max(rates(b)[kOrder].abs());
        lastButOne = lastButOne.max(rates(b)[kOrder - 1].abs());
    }
    double step = most[1];
    const auto limit = [&](double term, std::size_t order) {
        if (!(term * most[order] <= error)) step = std::min(step, reachOf(error, term, order));
    };
    limit(last.maxCoeff(), kOrder);
    limit(lastButOne.maxCoeff(), kOrder - 1);
    if (!m_hasSeries) return step;
    for (const std::size_t b : blocks) {
        // The rate of a damper in series need not show in the bodies' motion.
        for (std::size_t i = b * kLanes; i < std::min((b + 1) * kLanes, m_size); ++i) {
            if (at(m_relaxation, i) == 0) continue;
            const double d = m_network->laws[i].d;
            for (const std::size_t k : {kOrder - 1, kOrder - 2}) {
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
    for (std::size_t k = isExact(b) ? kLoadTerms : kTerms; k-- > 0;) {
        bound = bound * duration + std::abs(rates(b)[k][laneOf(element)]);
    }
    return bound;
}

UnitPolynomial TaylorSeries::exitFunction(std::size_t element, const ExitFunction& exit, const Powers& duration) const {
    const Lanes* v = rates(blockOf(element));
    const Eigen::Index lane = laneOf(element);
    const double byS = exit.byS[lane];
    const double byV = exit.byV[lane];
    UnitPolynomial g;
    g[0] = byS * (length(element) - exit.edge[lane]) + byV * v[0][lane];
    for (std::size_t k = 1; k < kTerms; ++k) {
        g[k] = (byS * (v[k - 1][lane] * kInverse[k]) + byV * v[k][lane]) * duration[k];
    }
    return g;
}

std::array<TaylorSeries::Leaving, kLanes> TaylorSeries::leavings(std::size_t block, const Powers& duration) const {
    std::array<Leaving, kLanes> result;
    const Lanes* v = rates(block);
    const std::size_t terms = isExact(block) ? kLoadTerms + 1 : kTerms;
    for (const ExitFunction& exit : m_exits[block]) {
        bool any = false;
        for (const bool is : exit.are) any |= is;
        if (!any) continue;
        // Most stay far from their exits.
        const Lanes start = exit.byS * (m_s[block] - exit.edge) + exit.byV * v[0];
        Lanes lowest = start + ((exit.byS * v[0] + exit.byV * v[1]) * duration[1]).min(0);
        const auto term = [&](std::size_t k) -> Lanes { return exit.byS * (v[k - 1] * (kInverse[k] * duration[k])); };
        if (m_hasDamping) {
            for (std::size_t k = 2; k < terms; ++k) lowest -= (term(k) + exit.byV * (v[k] * duration[k])).abs();
        } else {
            for (std::size_t k = 2; k < terms; ++k) lowest -= term(k).abs();
        }
        for (std::size_t k = 0; k < kLanes; ++k) {
            const auto lane = static_cast<Eigen::Index>(k);
            if (!exit.are[k] || (start[lane] > 0 && lowest[lane] > 0)) continue;
            const std::size_t element = block * kLanes + k;
            const LinearExit linear{exit.byS[lane], exit.byV[lane], exit.edge[lane]};
            const double share = fallOf(exitFunction(element, exit, duration), linear, length(element));
            if (share != kNoFall && share < result[k].share) result[k] = {share, exit.exits[k]};
        }
    }
    return result;
}

void TaylorSeries::moveTo(std::size_t block, double t) {
    const double duration = t - m_base[block];
    if (duration == 0) return;
    Lanes* v = rates(block);
    const Powers power = powersOf(duration);
    const std::size_t terms = isExact(block) ? kLoadTerms : kTerms;
    Lanes way = Lanes::Zero();
    Lanes gain = Lanes::Zero();
    for (std::size_t k = terms; k-- > 1;) {
        way += v[k - 1] * (kInverse[k] * power[k]);
        gain += v[k] * power[k];
    }
    if (terms < kTerms) way += v[terms - 1] * (kInverse[terms] * power[terms]);
    const Lanes s = m_s[block] + way;
    if (m_hasDamping) addHeat(block, s, duration);
    addImpulses(block, t, power);
    m_s[block] = s;
    v[0] += gain;
    if (m_hasSeries) {
        for (std::size_t i = block * kLanes; i < std::min((block + 1) * kLanes, m_size); ++i) {
            at(m_z, i) = settledDamper(m_network->laws[i], length(i), at(m_z, i));
        }
    }
    m_base[block] = t;
}

/// sigma ends one order earlier than P, as s does compared with v.
void TaylorSeries::addImpulses(std::size_t block, double t, const Powers& power) {
    // What the impulse before adds to its own integrals.
    const double before = m_base[block];
    const double duration = power[1];
    if (!m_hasConstantLoad) {
        m_sigmaT[block] += 0.5 * (t * t - before * before) * m_P[block];
        m_sigmaTT[block] += (t * t * t - before * before * before) / 3 * m_P[block];
    }
    m_sigma[block] += duration * m_P[block];
    if (((m_byS[block] == 0) && (m_byV[block] == 0)).all()) return;
    const Lanes* f = forces(block);
    Lanes P = f[kOrder - 1] * (power[kOrder] * kInverse[kOrder]);
    Lanes sigma = Lanes::Zero();
    Lanes sigmaT = Lanes::Zero();  // with time from the start of the series
    Lanes sigmaTT = Lanes::Zero();
    for (std::size_t k = kOrder - 1; k-- > 0;) {
        const Lanes term = f[k] * (power[k + 1] * kInverse[k + 1]);
        P += term;
        sigma += term * kInverse[k + 2];
        if (m_hasConstantLoad) continue;
        sigmaT += term * kInverse[k + 3];
        sigmaTT += term * kInverse[k + 4];
    }
    sigma *= duration;
    sigmaT *= duration * duration;
    sigmaTT *= duration * duration * duration;
    m_P[block] += P;
    m_sigma[block] += sigma;
    if (!m_hasConstantLoad) {
        m_sigmaT[block] += before * sigma + sigmaT;
        m_sigmaTT[block] += before * (before * sigma + 2 * sigmaT) + sigmaTT;
    }
    if (!m_hasSeries) return;
    for (std::size_t i = block * kLanes; i < std::min((block + 1) * kLanes, m_size); ++i) {
        if (at(m_relaxation, i) != 0) at(m_z, i) += P[laneOf(i)] / m_network->laws[i].d;
    }
}

void TaylorSeries::addHeat(std::size_t block, const Lanes& sAfter, double duration) {
    for (std::size_t i = block * kLanes; i < std::min((block + 1) * kLanes, m_size); ++i) {
        if (m_phases[i].inContact()) at(m_heat, i) += heatOf(i, sAfter[laneOf(i)], duration);
    }
}

double TaylorSeries::heatOf(std::size_t element, double sAfter, double duration) const {
    const RowLaw& law = m_network->laws[element];
    const Phase phase = m_phases[element];
    if (law.d == 0 || law.neverActs()) return 0;
    const std::size_t b = blockOf(element);
    const Eigen::Index lane = laneOf(element);
    if (law.kind == RowLaw::Kind::Series) return integrateSquare(forces(b), lane, kOrder, duration) / law.d;
    if (phase.mode == Mode::Linear) return law.d * integrateSquare(rates(b), lane, kTerms, duration);
    // Clipped the damper takes as much as the spring stores, slack the spring's energy is lost.
    const double y0 = law.penetration(length(element), phase.side);
    const double y1 = law.penetration(sAfter, phase.side);
    const double stored = 0.5 * law.c * (y1 - y0) * (y1 + y0);
    return phase.mode == Mode::Clipped ? stored : -stored;
}

}  // namespace elasto::flow
