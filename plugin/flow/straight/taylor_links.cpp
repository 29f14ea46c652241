// Which elements act on which, and how their series meet.

#include "straight/taylor_series.h"

#include <algorithm>
#include <cmath>
#include <cstring>

namespace elasto::flow {

namespace {

/// Two lanes, which the processor takes at once.
using Pair = double __attribute__((vector_size(2 * sizeof(double))));

/// Half of the lanes of a block.
Pair half(const Lanes& lanes, Eigen::Index which) {
    Pair pair;
    std::memcpy(&pair, __builtin_assume_aligned(lanes.data() + 2 * which, sizeof pair), sizeof pair);
    return pair;
}

void put(Pair low, Pair high, Lanes& lanes) {
    std::memcpy(__builtin_assume_aligned(lanes.data(), sizeof low), &low, sizeof low);
    std::memcpy(__builtin_assume_aligned(lanes.data() + 2, sizeof high), &high, sizeof high);
}

}  // namespace

void TaylorSeries::findLinks() {
    m_neighbours.assign(blocks(), {});
    m_links.clear();
    m_firstLink.clear();
    for (std::size_t b = 0; b < blocks(); ++b) {
        Neighbours& neighbours = m_neighbours[b];
        m_firstLink.push_back(m_links.size());
        for (std::size_t i = b * kLanes; i < std::min((b + 1) * kLanes, m_size); ++i) {
            const Eigen::Index lane = laneOf(i);
            std::size_t link = m_firstLink.back();
            for (const DelassusMatrix::Entry& entry : m_network->W.row(static_cast<Eigen::Index>(i))) {
                const auto from = static_cast<std::size_t>(entry.column);
                if (entry.value == 0) continue;
                if (from == i) {
                    neighbours.own[lane] = entry.value;
                } else if (from + 1 == i) {
                    neighbours.before[lane] = entry.value;
                } else if (from == i + 1) {
                    neighbours.after[lane] = entry.value;
                } else {
                    if (link == m_links.size()) {
                        m_links.emplace_back().from.fill(b * kLanes);  // with W = 0: what it is does not matter
                    }
                    m_links[link].W[lane] = entry.value;
                    m_links[link].from[i % kLanes] = from;
                    ++link;
                }
            }
        }
    }
    m_firstLink.push_back(m_links.size());
    m_linkPlaces.resize(m_links.size());
    findRate();
}

/// By the row sums of |W| times stiffness and damping: no mode is faster.
void TaylorSeries::findRate() {
    double stiffness = 0;
    double damping = 0;
    double relaxation = 0;
    for (std::size_t i = 0; i < m_size; ++i) {
        double stiffnessHere = 0;
        double dampingHere = 0;
        for (const DelassusMatrix::Entry& entry : m_network->W.row(static_cast<Eigen::Index>(i))) {
            const HybridLaw& law = m_network->laws[static_cast<std::size_t>(entry.column)];
            stiffnessHere += std::abs(entry.value) * law.c * (law.bounded ? 2 : 1);  // clipped
            if (law.kind != HybridLaw::Kind::Series) dampingHere += std::abs(entry.value) * law.largestDamping();
        }
        stiffness = std::max(stiffness, stiffnessHere);
        damping = std::max(damping, dampingHere);
        const HybridLaw& law = m_network->laws[i];
        if (law.kind == HybridLaw::Kind::Series && law.d > 0) relaxation = std::max(relaxation, law.c / law.d);
    }
    m_rate = 0.5 * (damping + std::sqrt(damping * damping + 4 * stiffness)) + relaxation;
}

bool TaylorSeries::isDriven(std::size_t block) const {
    if (m_hasSeries && (m_relaxation[block] != 0).any()) return true;  // its force has dynamics, whatever it moves
    for (std::size_t i = block * kLanes; i < std::min((block + 1) * kLanes, m_size); ++i) {
        for (const DelassusMatrix::Entry& entry : m_network->W.row(static_cast<Eigen::Index>(i))) {
            if (entry.value != 0 && acts(static_cast<std::size_t>(entry.column))) return true;
        }
    }
    return false;
}

/// The force of an element that is not expanded, about t; its terms below the order.
std::size_t TaylorSeries::shiftedForce(std::size_t element, double t, std::size_t order) {
    const std::size_t place = (blocks() + m_shiftedCount++) * kOrder * kLanes;
    if (m_f.size() * kLanes < place + kOrder * kLanes) m_f.resize(place / kLanes + kOrder);
    const std::size_t b = blockOf(element);
    const Lanes* from = forces(b);
    const double duration = t - m_base[b];
    const std::size_t terms = m_order[b];
    std::array<double, kOrder> c{};
    for (std::size_t k = 0; k < terms; ++k) c[k] = from[k][laneOf(element)];
    for (std::size_t i = 0; i < std::min(terms - 1, order); ++i) {
        for (std::size_t k = terms - 1; k-- > i;) c[k] += duration * c[k + 1];
    }
    for (std::size_t k = 0; k < order; ++k) m_f[place / kLanes + k][0] = c[k];
    return place;
}

/// Finds where the forces are that act on the blocks which are expanded.
void TaylorSeries::placeLinks(const std::vector<std::size_t>& blocks, double t, std::size_t order) {
    m_shiftedCount = 0;
    const auto placeOf = [&](std::size_t from) {
        const std::size_t b = blockOf(from);
        const bool isOutside = m_expanding[b] != m_expansion && acts(from) && m_base[b] != t;
        return isOutside ? shiftedForce(from, t, order) : forcePlace(from);
    };
    for (const std::size_t b : blocks) {
        Neighbours& neighbours = m_neighbours[b];
        const std::size_t first = b * kLanes;
        neighbours.placeBefore = neighbours.before[0] != 0 ? placeOf(first - 1) : forcePlace(first);
        neighbours.placeAfter = neighbours.after[kLanes - 1] != 0 ? placeOf(first + kLanes) : forcePlace(first);
        for (std::size_t l = m_firstLink[b]; l < m_firstLink[b + 1]; ++l) {
            const Link& link = m_links[l];
            for (std::size_t k = 0; k < kLanes; ++k) {
                const bool is = link.W[static_cast<Eigen::Index>(k)] != 0;
                m_linkPlaces[l][k] = is ? placeOf(link.from[k]) : forcePlace(first);
            }
        }
    }
}

/// Term k + 1 of the rates and the forces of what something acts on, from term k of the forces.
template <bool isDamped, bool isSeries>
void TaylorSeries::advance(std::size_t k) {
    // What is written below might be any of the members, for all the compiler knows.
    const double inverse = kInverse[k + 1];
    const double* const all = m_f[k].data();
    const Neighbours* const allNeighbours = m_neighbours.data();
    const Lanes* const allByS = m_byS.data();
    const Lanes* const allByV = m_byV.data();
    const Lanes* const allRelaxations = m_relaxation.data();
    const bool hasLinks = !m_links.empty();
    const std::size_t* const end = m_driven.data() + m_driven.size();
    Lanes* const firstRate = &m_v[k];
    Lanes* const firstForce = &m_f[k];
    for (const std::size_t* block = m_driven.data(); block != end; ++block) {
        const std::size_t b = *block;
        const Neighbours& neighbours = allNeighbours[b];
        Lanes* const f = firstForce + b * kOrder;
        Lanes* const v = firstRate + b * kTerms;
        const Pair fLow = half(f[0], 0);
        const Pair fHigh = half(f[0], 1);
        const Pair inner{fLow[1], fHigh[0]};
        Pair low = half(neighbours.own, 0) * fLow + half(neighbours.after, 0) * inner +
                   half(neighbours.before, 0) * Pair{all[neighbours.placeBefore], fLow[0]};
        Pair high = half(neighbours.own, 1) * fHigh + half(neighbours.before, 1) * inner +
                    half(neighbours.after, 1) * Pair{fHigh[1], all[neighbours.placeAfter]};
        if (hasLinks) {
            for (std::size_t l = m_firstLink[b]; l < m_firstLink[b + 1]; ++l) {
                const auto& place = m_linkPlaces[l];
                low += half(m_links[l].W, 0) * Pair{all[place[0]], all[place[1]]};
                high += half(m_links[l].W, 1) * Pair{all[place[2]], all[place[3]]};
            }
        }
        low *= -inverse;
        high *= -inverse;
        if (k + 1 < kLoadTerms) {
            low += half(v[1], 0);
            high += half(v[1], 1);
        }
        put(low, high, v[1]);
        if (k + 1 == kOrder) continue;
        Pair nextLow = half(allByS[b], 0) * (half(v[0], 0) * inverse);
        Pair nextHigh = half(allByS[b], 1) * (half(v[0], 1) * inverse);
        if constexpr (isDamped) {
            nextLow += half(allByV[b], 0) * low;
            nextHigh += half(allByV[b], 1) * high;
        }
        if constexpr (isSeries) {
            nextLow -= half(allRelaxations[b], 0) * fLow * inverse;
            nextHigh -= half(allRelaxations[b], 1) * fHigh * inverse;
        }
        put(nextLow, nextHigh, f[1]);
    }
}

void TaylorSeries::advance(std::size_t k) {
    if (m_hasSeries) {
        advance<true, true>(k);
    } else if (m_hasDamping) {
        advance<true, false>(k);
    } else {
        advance<false, false>(k);
    }
}

}  // namespace elasto::flow
