// Networks of piecewise linear elements: Taylor series between the events, which are the zeros of polynomials.
// Section 3 of docs/method.md.

#include "taylor_series.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace elasto::flow {

namespace {

struct NextExit {
    double time = std::numeric_limits<double>::infinity();  ///< from the start of the step
    Eigen::Index element = -1;
    Exit exit{};
};

/// Two balls that touch at rest can exchange their modes for ever without any time passing (y = u = 0). An element that
/// keeps doing so is made to stay in its mode for a moment, longer and longer as needed.
class ChatterGuard {
public:
    ChatterGuard(Eigen::Index m, double h, std::vector<int>& counts) : m_h(h), m_counts(counts) {
        m_counts.assign(static_cast<std::size_t>(m), 0);
    }

    /// Exits before this time wait until then.
    double dwell() const { return m_dwell; }

    void report(Eigen::Index element, double time) {
        if (time > std::max(m_dwell, kNoTime * m_h)) {
            reset();
            return;
        }
        int& count = m_counts[static_cast<std::size_t>(element)];
        if (++count <= kPatience) return;
        count = 0;
        m_dwell = m_dwell > 0 ? std::min(4 * m_dwell, m_h / 64) : kFirstDwell * m_h;
    }

private:
    static constexpr double kNoTime = 1e-13;
    static constexpr double kFirstDwell = 1e-7;
    /// A whole contact (Free, Clipped, Linear, Slack, Free) may legitimately take no time.
    static constexpr int kPatience = 6;

    void reset() {
        m_dwell = 0;
        std::fill(m_counts.begin(), m_counts.end(), 0);
    }

    double m_h;
    double m_dwell = 0;
    std::vector<int>& m_counts;
};

double absoluteSum(const UnitPolynomial& g, std::size_t from) {
    double sum = 0;
    for (std::size_t k = from; k < g.size(); ++k) sum += std::abs(g[k]);
    return sum;
}

/// Share of the step at which the exit's function falls through zero, or kNoFall.
double fallOf(UnitPolynomial g, const LinearExit& exit, double s) {
    if (g[0] <= 0 && g[1] < 0) return 0;
    const double lowest = g[0] + std::min(g[1], 0.0) - absoluteSum(g, 2);
    if (g[0] > 0 && lowest > 0) return kNoFall;
    // Rounding of the state, and of the polynomial.
    const double tolerance =
        4e-16 * std::abs(exit.byS) * (std::abs(exit.edge) + std::abs(s)) + 1e-13 * absoluteSum(g, 0);
    g[0] = std::max(g[0], 0.0);
    return firstFallOf(g, tolerance);
}

NextExit earliestExit(const RowNetwork& network, const RowState& state, const TaylorSeries& series, double step) {
    NextExit next;
    for (Eigen::Index i = 0; i < network.size(); ++i) {
        const std::size_t k = static_cast<std::size_t>(i);
        const Exits exits = exitsOf(network.laws[k], state.phases[k]);
        for (int e = 0; e < exits.count; ++e) {
            if (next.time == 0) return next;
            const double limit = std::min(step, next.time);
            const LinearExit function = linearExit(network.laws[k], state.phases[k], exits.exits[e].kind);
            const double share = fallOf(series.exitFunction(i, function, limit), function, state.s(i));
            if (share == kNoFall || share * limit >= next.time) continue;
            next = {share * limit, i, exits.exits[e]};
        }
    }
    return next;
}

/// The speed that counts: errors are relative to it.
double speedScale(const RowNetwork& network, const RowState& state, double h, double floor) {
    double scale = floor;
    for (Eigen::Index i = 0; i < network.size(); ++i) {
        const auto a = network.a.row(i);
        const double acceleration = std::abs(a(0)) + h * (std::abs(a(1)) + h * std::abs(a(2)));
        scale = std::max({scale, std::abs(state.v(i)), 0.1 * h * acceleration});
    }
    return scale;
}

/// Puts the element into its next phase. On an edge it is set exactly there, unless it was kept waiting beyond it.
void enter(const RowNetwork& network, RowState& state, const NextExit& next, bool waited, RowLog& log) {
    const std::size_t k = static_cast<std::size_t>(next.element);
    const Phase before = state.phases[k];
    const Phase after = next.exit.next;
    if (isOnEdge(next.exit.kind)) {
        if (!waited) state.s(next.element) = linearExit(network.laws[k], before, next.exit.kind).edge;
        log.events.push_back(
            {static_cast<int>(next.element), after.inContact(), state.t, std::abs(state.v(next.element))});
    }
    state.phases[k] = after;
}

}  // namespace

void solveTaylor(const RowNetwork& network, RowState& state, double h, const FlowSettings& settings, RowLog& log) {
    TaylorSpace space;
    solveTaylor(network, state, h, settings, space, log);
}

void solveTaylor(const RowNetwork& network, RowState& state, double h, const FlowSettings& settings, TaylorSpace& space,
                 RowLog& log) {
    TaylorSeries& series = space.series;
    series.begin(network);
    ChatterGuard chatter(network.size(), h, space.counts);
    const double error = settings.tolerance * speedScale(network, state, h, settings.velocityFloor);
    while (state.t < h && log.steps < settings.maxSteps) {
        ++log.steps;
        series.expand(state);
        const double remaining = h - state.t;
        const double step = std::min(series.stepLength(error), remaining);
        const NextExit next = earliestExit(network, state, series, step);
        const bool exits = next.element >= 0;
        const bool waits = exits && next.time < chatter.dwell();
        const double duration = exits ? std::min(std::max(next.time, chatter.dwell()), step) : step;

        series.advance(state, duration);
        state.t = duration >= remaining * (1 - 1e-12) ? h : state.t + duration;
        if (!exits) continue;
        chatter.report(next.element, duration);
        enter(network, state, next, waits, log);
        const std::size_t k = static_cast<std::size_t>(next.element);
        if (state.phases[k].inContact() && !network.laws[k].isPiecewiseLinear()) return;
    }
}

}  // namespace elasto::flow
