// One piecewise linear element alone, under a constant load: within a mode the motion is known, and so are the times at
// which modes end. Nothing is approximated; section 2 of docs/method.md.

#include "straight/closed_form.h"

#include "straight/linear_mode.h"
#include "straight/tuning.h"

#include <algorithm>
#include <cmath>

namespace elasto::flow {

namespace {

/// The element's state relative to an edge of its law, so that a small penetration keeps all its digits.
struct EdgeState {
    double x;  ///< s - edge
    double v;
    double edge;
};

struct FoundExit {
    double time = kNever;
    Exit exit{};
};

class ClosedForm {
public:
    ClosedForm(const SingleProblem& problem, SingleState& state, double h, RowLog& log)
        : m_law(problem.law),
          m_w(problem.W),
          m_a(problem.a),
          m_state(state),
          m_log(log),
          m_h(h),
          m_time(state.t),
          m_phase(state.phase) {
        m_motion.edge = edgeInPhase(m_law, m_phase);
        m_motion.x = state.s - m_motion.edge;
        m_motion.v = state.v;
    }

    void run();

private:
    struct Integrals {
        double P = 0;
        double sigma = 0;
        double heat = 0;
    };

    LinearMode mode() const;
    bool staysPressed(const LinearMode& mode) const;
    FoundExit firstExit(const LinearMode& mode, double remaining) const;
    void move(const LinearMode& mode, double duration);
    void integrateGivenMotion(double duration);
    void leave(const Exit& exit);
    void crossEdge(const Exit& exit);
    void skipWholePeriods(int side);
    void rest();
    double energy() const;
    double push() const { return m_a - m_w * offsetInPhase(m_law, m_phase); }
    Integrals given(const EdgeState& start, double startEnergy) const;
    void deliver(const EdgeState& start, double startEnergy);

    const HybridLaw& m_law;
    const double m_w;
    const double m_a;
    SingleState& m_state;
    RowLog& m_log;
    const double m_h;

    double m_time;
    Phase m_phase;
    EdgeState m_motion{};
    Integrals m_given;  ///< W = 0 only
    int m_events = 0;
    int m_periodSide = 0;  ///< side whose entries are timed, 0 before the first one
    double m_period = 0;   ///< time since the last entry on that side
    bool m_skipped = false;
    bool m_acted = false;  ///< a force may have acted
    bool m_rested = false;
};

LinearMode ClosedForm::mode() const {
    const ForceSlopes slopes = slopesInPhase(m_law, m_phase, 0, 0);
    return {m_w * slopes.byS, m_w * slopes.byV};
}

double ClosedForm::energy() const {
    if (m_law.slips()) return energyInPhase(m_law, m_phase, m_motion.edge + m_motion.x, 0);
    return m_phase.inContact() ? m_law.springEnergy(m_motion.x) : 0;
}

/// The energy about the equilibrium never grows; where it cannot reach an exit's function there is nothing to search.
bool ClosedForm::staysPressed(const LinearMode& mode) const {
    if (m_phase.mode != Mode::Linear || mode.k() == 0 || m_law.slips() || m_law.hasRebound) return false;
    const double equilibrium = m_a / mode.k();
    if (equilibrium * m_phase.side <= 0) return false;
    const double offset = m_motion.x - equilibrium;
    const double radiusSquared = m_motion.v * m_motion.v + mode.k() * offset * offset;
    const double reach = m_law.c / std::sqrt(mode.k()) + m_law.d;
    const double force = m_law.c * equilibrium;
    return force * force >= radiusSquared * reach * reach;
}

FoundExit ClosedForm::firstExit(const LinearMode& mode, double remaining) const {
    FoundExit first;
    const Exits exits = exitsOf(m_law, m_phase);
    if (exits.count == 0 || staysPressed(mode)) return first;
    for (int i = 0; i < exits.count; ++i) {
        const Exit& exit = exits.exits[i];
        const LinearExit g = linearExit(m_law, m_phase, exit.kind);
        const double shift = g.edge - m_motion.edge;  // of the coordinate, and so of where the spring rests
        const double time = mode.firstCrossing(std::min(remaining, first.time), push() - mode.k() * shift,
                                               m_motion.x - shift, m_motion.v, g.byS, g.byV);
        if (time < first.time) first = {time, exit};
    }
    return first;
}

void ClosedForm::move(const LinearMode& mode, double duration) {
    const EdgeState before = m_motion;
    if (m_w == 0) integrateGivenMotion(duration);
    mode.advance(duration, push(), m_motion.x, m_motion.v);
    // Clipped the damper takes as much as the spring stores, slack the spring's energy is lost.
    const double stored = m_law.springEnergy(m_motion.x) - m_law.springEnergy(before.x);
    if (m_phase.mode == Mode::Clipped) m_given.heat += stored;
    if (m_phase.mode == Mode::Slack || m_phase.mode == Mode::Full) m_given.heat -= stored;
    m_acted = m_acted || m_phase.inContact();
    m_time += duration;
    m_period += duration;
}

/// Bodies that nothing can accelerate: x is a parabola whatever the force, and P cannot be told from the motion.
void ClosedForm::integrateGivenMotion(double duration) {
    const double t = duration;
    const auto [x, v, edge] = m_motion;
    const ForceSlopes slopes = slopesInPhase(m_law, m_phase, 0, 0);
    const double onceV = t * (v + t * m_a / 2);
    const double twiceV = t * t * (v / 2 + t * m_a / 6);
    const double onceX = t * (x + t * (v / 2 + t * m_a / 6));
    const double twiceX = t * t * (x / 2 + t * (v / 6 + t * m_a / 24));
    const double squareV = t * (v * v + t * (v * m_a + t * m_a * m_a / 3));
    const double offset = offsetInPhase(m_law, m_phase);
    m_given.sigma += m_given.P * t + slopes.byS * twiceX + slopes.byV * twiceV + offset * t * t / 2;
    m_given.P += slopes.byS * onceX + slopes.byV * onceV + offset * t;
    m_given.heat += slopes.byV * squareV;
    if (m_phase.mode == Mode::Slips || m_phase.mode == Mode::Full) m_given.heat += offset * onceV;
}

void ClosedForm::leave(const Exit& exit) {
    ++m_events;
    if (isOnEdge(exit.kind)) crossEdge(exit);
    if (isAtRest(exit.kind)) m_motion.v = 0;
    m_phase = entered(m_law, m_phase, exit.next, m_motion.edge + m_motion.x);
    if (!m_law.isLimited() || exit.kind != Exit::Kind::Sticks) return;
    m_motion.x = m_law.y_max;
    m_motion.edge = edgeInPhase(m_law, m_phase);
}

/// The edge is met exactly, and crossed in the direction in which the exit's function fell.
void ClosedForm::crossEdge(const Exit& exit) {
    const LinearExit g = linearExit(m_law, m_phase, exit.kind);
    m_motion.x = 0;
    m_motion.edge = g.edge;
    if (g.byS * m_motion.v > 0) m_motion.v = 0;
    const bool begins = exit.next.inContact();
    m_log.events.push_back({0, begins, m_time, std::abs(m_motion.v)});
    if (begins) skipWholePeriods(exit.next.side);
}

/// Without damping the motion repeats itself from one entry to the next on the same side.
void ClosedForm::skipWholePeriods(int side) {
    if (m_law.canLose() || m_skipped || m_w == 0) return;
    if (m_periodSide == side && m_period > 0) {
        m_time += m_period * std::floor((m_h - m_time) / m_period);
        m_skipped = true;
    }
    if (m_periodSide == 0) {
        m_periodSide = side;
        m_period = 0;
    }
}

/// Too many events: what is left of the motion ends where its energy is least, so that nothing is gained.
void ClosedForm::rest() {
    m_rested = true;
    if (m_law.kind == HybridLaw::Kind::Slip) {
        m_phase = entered(m_law, m_phase, {Mode::Linear, +1}, m_motion.edge + m_motion.x);
        m_motion.v = 0;
        return;
    }
    const bool wasFree = !m_phase.inContact();
    const int pressed = m_a < 0 ? -1 : +1;
    if (m_a != 0 && m_law.actsOn(pressed)) {
        if (wasFree) m_log.events.push_back({0, true, m_time, std::abs(m_motion.v)});
        m_phase = {Mode::Linear, pressed, innerState(m_law, m_phase, m_motion.edge + m_motion.x, 0)};
        const double x = m_a / (m_w * m_law.c);
        m_motion = {m_law.isLimited() ? std::min(x, m_law.y_max) : x, 0, edgeInPhase(m_law, m_phase)};
        return;
    }
    if (!wasFree) {
        m_log.events.push_back({0, false, m_time, std::abs(m_motion.v)});
        m_motion.x = 0;
    }
    m_phase = entered(m_law, m_phase, {}, m_motion.edge + m_motion.x);
    m_motion.v = m_law.above ? std::min(m_motion.v, 0.0) : m_motion.v;
    m_motion.v = m_law.below ? std::max(m_motion.v, 0.0) : m_motion.v;
    move(mode(), m_h - m_time);
}

void ClosedForm::run() {
    const EdgeState start = m_motion;
    const double startEnergy = energy();
    while (m_time < m_h) {
        const double remaining = m_h - m_time;
        const LinearMode current = mode();
        const FoundExit next = firstExit(current, remaining);
        if (next.time == kNever) {
            move(current, remaining);
            break;
        }
        move(current, next.time);
        leave(next.exit);
        if (m_events == kMaxEvents) {
            rest();
            break;
        }
    }
    deliver(start, startEnergy);
}

/// What the element gave, from the change of the motion (exact), or from the integrals where the motion was given.
ClosedForm::Integrals ClosedForm::given(const EdgeState& start, double startEnergy) const {
    if (m_w == 0) return m_given;
    if (!m_acted) return {};
    const double duration = m_h - m_state.t;
    const double displacement = (m_motion.x - start.x) + (m_motion.edge - start.edge);
    Integrals whole;
    whole.P = (start.v + m_a * duration - m_motion.v) / m_w;
    whole.sigma = (duration * (start.v + 0.5 * m_a * duration) - displacement) / m_w;
    const bool elastic = !m_law.canLose() && !m_rested;
    const double kineticLoss = 0.5 * (start.v - m_motion.v) * (start.v + m_motion.v);
    if (!elastic) whole.heat = (kineticLoss + m_a * displacement) / m_w + (startEnergy - energy());
    return whole;
}

void ClosedForm::deliver(const EdgeState& start, double startEnergy) {
    const Integrals whole = given(start, startEnergy);
    m_state.sigma += m_state.P * (m_h - m_state.t) + whole.sigma;
    m_state.P += whole.P;
    m_state.heat += whole.heat;
    m_state.s = m_motion.edge + m_motion.x;
    m_state.v = m_motion.v;
    m_state.z = innerState(m_law, m_phase, m_state.s, m_state.z);
    m_state.phase = m_phase;
    m_state.t = m_h;
    m_log.steps += m_events + 1;
}

}  // namespace

void SingleState::writeTo(RowState& state) const {
    state.t = t;
    state.s(0) = s;
    state.v(0) = v;
    state.z(0) = z;
    state.P(0) = P;
    state.sigma(0) = sigma;
    state.heat(0) = heat;
    state.phases[0] = phase;
}

void advanceClosedForm(const SingleProblem& problem, SingleState& state, double h, RowLog& log) {
    ClosedForm(problem, state, h, log).run();
}

void solveClosedForm(const RowNetwork& network, RowState& state, double h, RowLog& log) {
    SingleState alone = SingleState::of(state);
    advanceClosedForm(SingleProblem::of(network), alone, h, log);
    alone.writeTo(state);
}

}  // namespace elasto::flow
