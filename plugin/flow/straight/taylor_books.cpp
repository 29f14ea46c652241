// What elements give and lose while their series move on: impulses, their moments, and heat.

#include "straight/taylor_series.h"

#include <array>

namespace elasto::flow {

namespace {

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

/// Integral over the duration of the squares of series.
Lanes integrateSquares(const Lanes* terms, std::size_t count, double duration) {
    Lanes integral = Lanes::Zero();
    for (const Node& node : kNodes) {
        const double t = node.x * duration;
        Lanes value = Lanes::Zero();
        for (std::size_t k = count; k-- > 0;) value = value * t + terms[k];
        integral += node.weight * value.square();
    }
    return integral * duration;
}

}  // namespace

/// sigma ends one order earlier than P, as s does compared with v.
void TaylorSeries::addImpulses(std::size_t block, double t, const Weights& weights) {
    // What the impulse before adds to its own integrals.
    const double before = m_base[block];
    const double duration = weights.time();
    if (!m_hasConstantLoad) {
        m_sigmaT[block] += 0.5 * (t * t - before * before) * m_P[block];
        m_sigmaTT[block] += (t * t * t - before * before * before) / 3 * m_P[block];
    }
    m_sigma[block] += duration * m_P[block];
    if (((m_byS[block] == 0) && (m_byV[block] == 0) && (m_offset[block] == 0)).all()) return;
    const Lanes* f = forces(block);
    const std::size_t order = m_order[block];
    Lanes P = f[order - 1] * weights.once[order];
    Lanes sigma = Lanes::Zero();
    for (std::size_t k = order - 1; k-- > 0;) {
        const Lanes term = f[k] * weights.once[k + 1];
        P += term;
        sigma += term * kInverse[k + 2];
    }
    sigma *= duration;
    m_P[block] += P;
    m_sigma[block] += sigma;
    if (!m_hasConstantLoad) {
        Lanes sigmaT = Lanes::Zero();  // with time from the start of the series
        Lanes sigmaTT = Lanes::Zero();
        for (std::size_t k = order - 1; k-- > 0;) {
            const Lanes term = f[k] * weights.once[k + 1];
            sigmaT += term * kInverse[k + 3];
            sigmaTT += term * kInverse[k + 4];
        }
        sigmaT *= duration * duration;
        sigmaTT *= duration * duration * duration;
        m_sigmaT[block] += before * sigma + sigmaT;
        m_sigmaTT[block] += before * (before * sigma + 2 * sigmaT) + sigmaTT;
    }
    if (!m_hasSeries) return;
    for (std::size_t i = block * kLanes; i < std::min((block + 1) * kLanes, m_size); ++i) {
        if (at(m_relaxation, i) != 0) at(m_z, i) += P[laneOf(i)] / m_network->laws[i].d;
    }
}

void TaylorSeries::addHeat(std::size_t block, const Lanes& sAfter, double duration) {
    enum class Square { None, Rate, Force };
    const auto squareOf = [&](std::size_t i) {
        const HybridLaw& law = m_network->laws[i];
        const Phase phase = m_phases[i];
        if (law.damping(phase.side) == 0 || law.neverActs() || !phase.inContact()) return Square::None;
        if (law.kind == HybridLaw::Kind::Series) return Square::Force;
        const bool slides = phase.mode == Mode::Slips && law.kind == HybridLaw::Kind::Slip;
        return phase.mode == Mode::Linear || slides ? Square::Rate : Square::None;
    };
    const std::size_t first = block * kLanes;
    const std::size_t end = std::min(first + kLanes, m_size);
    bool hasRates = false;
    bool hasForces = false;
    for (std::size_t i = first; i < end; ++i) {
        hasRates |= squareOf(i) == Square::Rate;
        hasForces |= squareOf(i) == Square::Force;
    }
    const std::size_t order = m_order[block];
    Lanes ofRates, ofForces;
    if (hasRates) ofRates = integrateSquares(rates(block), order + 1, duration);
    if (hasForces) ofForces = integrateSquares(forces(block), order, duration);
    for (std::size_t i = first; i < end; ++i) {
        const HybridLaw& law = m_network->laws[i];
        const Square square = squareOf(i);
        if (square == Square::Rate) at(m_heat, i) += law.damping(m_phases[i].side) * ofRates[laneOf(i)];
        if (square == Square::Force) at(m_heat, i) += ofForces[laneOf(i)] / law.d;
        if (square == Square::None) at(m_heat, i) += springHeat(i, sAfter[laneOf(i)]);
        if (m_phases[i].mode == Mode::Slips) {
            const double sliding = law.isLimited() ? law.f_max : law.f_slip;
            at(m_heat, i) += m_phases[i].side * sliding * (sAfter[laneOf(i)] - length(i));
        }
    }
}

// Clipped the damper takes as much as the spring stores, slack the spring's energy is lost, and at its limit the damper
// takes what the spring does not store.
double TaylorSeries::springHeat(std::size_t element, double sAfter) const {
    const HybridLaw& law = m_network->laws[element];
    const Phase phase = m_phases[element];
    const bool isCut = phase.mode == Mode::Clipped || phase.mode == Mode::Slack || phase.mode == Mode::Full;
    if (law.d == 0 || !isCut) return 0;
    const double y0 = penetrationInPhase(law, phase, length(element));
    const double y1 = penetrationInPhase(law, phase, sAfter);
    const double stored = 0.5 * law.c * (y1 - y0) * (y1 + y0);
    if (phase.mode == Mode::Full) return law.f_max * (y1 - y0) - stored;
    return phase.mode == Mode::Clipped ? stored : -stored;
}

}  // namespace elasto::flow
