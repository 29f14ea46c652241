// Networks of piecewise linear elements: Taylor series between the events, which are the zeros of polynomials.
// Section 3 of docs/method.md.

#include "straight/taylor.h"
#include "straight/tuning.h"

#include <algorithm>
#include <cmath>

namespace elasto::flow {

namespace {

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

}  // namespace

void TaylorSolver::begin(const RowNetwork& network, const RowState& state, double h, const FlowSettings& settings) {
    m_network = &network;
    const std::size_t m = network.laws.size();
    m_series.begin(network, state);
    m_earliest.reset(m);
    m_chatter.begin(m, h);
    m_h = h;
    m_tolerance = settings.stepTolerance();
    m_error = m_tolerance * speedScale(network, state, h, settings.velocityFloor);
    m_now = state.t;
    m_work = 0;
    m_exits.resize(m);
    m_felt.assign(m, {});
    m_isRenewed.assign(m_series.blocks(), 0);
    m_renewed.clear();
    for (std::size_t b = 0; b < m_series.blocks(); ++b) m_renewed.push_back(b);
    m_stepEnd = h;
}

/// New series for m_renewed, about now, and what ends them.
void TaylorSolver::renew() {
    for (const std::size_t b : m_renewed) m_series.moveTo(b, m_now);
    m_series.expand(m_renewed, m_now, m_series.orderFor(m_stepEnd - m_now, kKept * m_tolerance));
    m_work += m_renewed.size();
    Weights toStepEnd = Weights::of(m_stepEnd - m_now);
    const double reach = m_series.reach(m_renewed, m_error, toStepEnd);
    if (reach < toStepEnd.time()) {
        m_stepEnd = m_now + reach;
        toStepEnd = Weights::of(reach);
    }
    const auto isExact = [&](std::size_t b) { return m_series.isExact(b); };
    const bool anyExact = std::any_of(m_renewed.begin(), m_renewed.end(), isExact);
    const Weights toTickEnd = anyExact ? Weights::of(m_h - m_now) : toStepEnd;
    for (const std::size_t b : m_renewed) {
        const Weights& duration = m_series.isExact(b) ? toTickEnd : toStepEnd;
        const auto leavings = m_series.leavings(b, duration);
        for (std::size_t i = b * kLanes; i < std::min((b + 1) * kLanes, m_exits.size()); ++i) {
            const TaylorSeries::Leaving& leaving = leavings[i % kLanes];
            m_exits[i] = leaving.exit;
            m_earliest.set(i, m_now + leaving.share * duration.time());
        }
    }
}

/// Series that do not serve any longer.
void TaylorSolver::startStep() {
    m_renewed.clear();
    for (std::size_t b = 0; b < m_series.blocks(); ++b) {
        if (!m_series.isExact(b) || m_series.isDriven(b)) m_renewed.push_back(b);
    }
    m_stepEnd = m_h;
}

void TaylorSolver::renewLater(std::size_t block) {
    if (m_isRenewed[block] != 0) return;
    m_isRenewed[block] = 1;
    m_renewed.push_back(block);
}

/// Lets all that a force moves feel its change. @param order power of time with which the change begins
void TaylorSolver::feelNeighbours(std::size_t element, double force, int order, double duration) {
    for (const DelassusMatrix::Entry& entry : m_network->W.row(static_cast<Eigen::Index>(element))) {
        const auto i = static_cast<std::size_t>(entry.column);
        Felt& felt = m_felt[i];
        if (felt.isWorth) continue;
        if (felt.change == 0) {
            m_touched.push_back(i);
            felt.order = order + 1;
        }
        felt.order = std::min(felt.order, order + 1);
        felt.change += std::abs(entry.value) * force * duration / (order + 1);
    }
}

/// Finds the blocks to renew when the force of an element changes by up to the given bound. They are found from
/// neighbour to neighbour: the force moves rows, their elements' own forces change by that and move further ones, each
/// time with a higher power of the short duration until the step ends.
void TaylorSolver::findFelt(std::size_t element, double force, int order, double duration) {
    m_renewed.clear();
    m_worth.assign(1, element);
    m_felt[element].isWorth = true;
    feelNeighbours(element, force, order, duration);
    for (std::size_t done = 1; !m_touched.empty();) {
        for (const std::size_t i : m_touched) {
            m_felt[i].isWorth = m_felt[i].change > kFelt * m_error;
            if (m_felt[i].isWorth) {
                m_worth.push_back(i);
            } else {
                m_felt[i] = {};
            }
        }
        m_touched.clear();
        for (const std::size_t end = m_worth.size(); done < end; ++done) {
            const std::size_t j = m_worth[done];
            const Felt& felt = m_felt[j];
            const double byS = std::abs(m_series.byLength(j));
            const double byV = std::abs(m_series.bySpeed(j));
            const double changed = (byS * duration / (felt.order + 1) + byV) * felt.change;
            if (changed > 0) feelNeighbours(j, changed, felt.order + (byV > 0 ? 0 : 1), duration);
        }
    }
    for (const std::size_t i : m_worth) {
        m_felt[i] = {};
        renewLater(TaylorSeries::blockOf(i));
    }
    std::sort(m_renewed.begin(), m_renewed.end());
    for (const std::size_t b : m_renewed) m_isRenewed[b] = 0;
}

/// Puts the element into its next phase at t, and finds the blocks to renew. On an edge it is set exactly there, unless
/// it was kept waiting beyond it.
void TaylorSolver::change(std::size_t element, double t, RowLog& log) {
    const bool waited = t > m_earliest.time();
    const Exit exit = m_exits[element];
    const HybridLaw& law = m_network->laws[element];
    const Phase before = m_series.phase(element);
    const double speed = m_series.speedBound(element, m_stepEnd);
    m_series.moveTo(TaylorSeries::blockOf(element), t);
    if (isOnEdge(exit.kind)) {
        if (!waited) m_series.setLength(element, linearExit(law, before, exit.kind).edge);
        log.events.push_back({static_cast<int>(element), exit.next.inContact(), t, std::abs(m_series.speed(element))});
    }
    if (isAtRest(exit.kind) && !waited) m_series.stop(element);
    const double byS = m_series.byLength(element);
    const double byV = m_series.bySpeed(element);
    m_series.setPhase(element, entered(law, before, exit.next, m_series.length(element)));
    const double stiffer = std::abs(m_series.byLength(element) - byS);
    const double damped = std::abs(m_series.bySpeed(element) - byV);
    const Phase acts = exit.next.inContact() ? m_series.phase(element) : before;
    const double duration = m_stepEnd - t;
    const double depth = std::abs(penetrationInPhase(law, acts, m_series.length(element)));
    const double force = stiffer * (depth + speed * duration) + damped * speed;
    const bool isContinuous = damped == 0 && depth == 0;
    if (m_network->W.isSymmetric() && duration > 0) {
        findFelt(element, force, isContinuous ? 1 : 0, duration);
    } else {
        m_renewed.clear();
        for (std::size_t b = 0; b < m_series.blocks(); ++b) m_renewed.push_back(b);
    }
}

void TaylorSolver::solve(const RowNetwork& network, RowState& state, double h, const FlowSettings& settings,
                         RowLog& log) {
    if (!(state.t < h) || log.steps >= settings.maxSteps) return;
    begin(network, state, h, settings);
    const int stepsBefore = log.steps;
    double lastEvent = m_now;
    while (true) {
        renew();
        log.steps = stepsBefore + static_cast<int>((m_work + m_series.blocks() - 1) / m_series.blocks());
        const bool exits = m_earliest.time() <= m_stepEnd;
        double next = m_stepEnd;
        if (exits) next = std::min(std::max(m_earliest.time(), lastEvent + m_chatter.dwell()), m_stepEnd);
        if (h - next <= 1e-12 * (h - m_now)) next = h;
        m_now = next;
        if (exits) {
            const std::size_t element = m_earliest.index();
            change(element, next, log);
            m_chatter.report(element, next - lastEvent);
            if (m_series.phase(element).inContact() && !network.laws[element].isPiecewiseLinear()) break;
        } else {
            startStep();
        }
        lastEvent = next;
        if (!(m_now < h) || log.steps >= settings.maxSteps) break;
    }
    for (std::size_t b = 0; b < m_series.blocks(); ++b) m_series.moveTo(b, m_now);
    m_series.end(state);
    state.t = m_now;
}

void solveTaylor(const RowNetwork& network, RowState& state, double h, const FlowSettings& settings, RowLog& log) {
    TaylorSolver().solve(network, state, h, settings, log);
}

}  // namespace elasto::flow
