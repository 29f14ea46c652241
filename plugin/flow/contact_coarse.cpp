#include "contact_coarse.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace elasto::flow {

namespace {

/// Steps, and in crowds and where there are more points than so many.
constexpr int kSteps = 4, kFewSteps = 2;
constexpr std::size_t kManyPoints = 24;
constexpr long kCoarseSweeps = 32, kFewestCoarseSweeps = 16, kCrowdCoarseSweeps = 6;
/// From one leap to the next.
constexpr long kSweepsToLeap = 6;
/// Times that a leap is solved where impulses meet their bounds.
constexpr int kRounds = 4;
/// Points that may be visited in a step.
constexpr long kVisits = 1000;
/// Change of velocities in a sweep, relative to the largest speed, at which no more are needed.
constexpr double kCoarselySettled = 1e-6;
/// Trials for the impulse of an element over a step, and the share of it that ends them.
constexpr int kTrials = 80;
constexpr double kExact = 1e-12;

class CoarseStep {
public:
    CoarseStep(const ContactProblem& problem, double dt, ContactState& state, CoarseSpace& space)
        : m_problem(problem), m_frame(problem.frame()), m_dt(dt), m_state(state), m_space(space) {
        std::vector<Vector6>& load = space.load;
        problem.load(state.t + dt / 2, 0, load);
        m_element.assign(problem.laws().size(), 0);
        space.responses.clear();
        space.rates.assign(m_element.size(), 0);
        for (std::size_t e = 0; e < m_element.size(); ++e) {
            space.responses.push_back(problem.elementResponse(e));
            // What they press with now: where nothing moves it is what they press with at the end.
            m_element[e] =
                dt * forceAt(problem.laws()[e], static_cast<Eigen::Index>(e), problem.elementRate(e, state.u));
        }
        for (std::size_t i = 0; i < load.size(); ++i) state.u[i] += dt * load[i];
        for (std::size_t e = 0; e < m_element.size(); ++e) {
            if (m_element[e] != 0) problem.addElement(e, m_element[e], state.u);
        }
    }

    /// What moves on is driven, or along axes that factors lock.
    void stand() {
        const std::vector<FlowBody>& bodies = m_problem.network().bodies;
        for (std::size_t i = 0; i < bodies.size(); ++i) {
            if (!bodies[i].isImmovable()) m_state.u[i] -= changeableMotion(bodies[i], m_state.u[i]);
        }
        for (std::size_t e = 0; e < m_element.size(); ++e) {
            const double v = m_problem.elementRate(e, m_state.u);
            m_element[e] =
                v != 0 ? gainOf(e, v) / v : m_dt * forceAt(m_problem.laws()[e], static_cast<Eigen::Index>(e), 0);
        }
        finish();
    }

    void run() {
        // No point goes farther than its gap lets it.
        std::vector<double>& wanted = m_space.wanted;
        wanted.clear();
        for (std::size_t i = 0; i < m_problem.network().contacts.size(); ++i) {
            const double gap = std::max(m_problem.gap(i, m_state.way), 0.);
            wanted.push_back(m_frame.isSoft(i) ? -std::numeric_limits<double>::infinity() : -gap / m_dt);
        }
        ContactSweeps& sweeps = m_space.sweeps;
        sweeps.begin(m_frame, wanted, true);
        boundSweeps(sweeps);
        sweeps.startWith(m_space.forces, m_dt, m_state.u);
        const long few =
            std::clamp(kVisits / std::max(static_cast<long>(wanted.size()), 1L), kFewestCoarseSweeps, kCoarseSweeps);
        const long most = m_frame.isCrowd() ? kCrowdCoarseSweeps : few;
        for (long i = 0; i < most; ++i) {
            double change = 0;
            for (std::size_t e = 0; e < m_element.size(); ++e) {
                change = std::max(change, pushElement(e));
                const int contact = m_problem.contactOf(e);
                if (contact >= 0) sweeps.setPressure(static_cast<std::size_t>(contact), -m_element[e]);
            }
            change = std::max(change, sweeps.sweep(m_state.u));
            if (change <= kCoarselySettled * m_problem.speed(m_dt, m_state)) break;
            if (i % kSweepsToLeap == 0) leap(sweeps);
        }
        sweeps.collect();
        for (std::size_t i = 0; i < wanted.size(); ++i) m_space.forces[i] = sweeps.points()[i].normal / m_dt;
        m_problem.countSweeps(sweeps, m_state);
        m_problem.countMotors(sweeps.links(), m_state.u, m_state);
        finish();
    }

private:
    // A limit's coordinate goes as far as its bound; motors have what their force makes of the step.
    void boundSweeps(ContactSweeps& sweeps) const {
        constexpr double kInfinity = std::numeric_limits<double>::infinity();
        const std::vector<BoundedRow>& bounded = m_problem.network().bounded;
        for (std::size_t k = 0; k < bounded.size(); ++k) {
            const BoundedRow& row = bounded[k];
            if (row.kind == BoundedRow::Kind::Motor) {
                sweeps.setBounded(k, -m_dt * row.maxForce, m_dt * row.maxForce, row.targetRate);
            } else {
                const double wanted = -row.side * std::max(m_problem.limitGap(k, m_state.way), 0.) / m_dt;
                sweeps.setBounded(k, row.side > 0 ? 0 : -kInfinity, row.side > 0 ? kInfinity : 0, wanted);
            }
        }
    }

    // p = dt f(s + dt v(p)): f falls as p grows, so there is one answer.
    double pushElement(std::size_t e) {
        const auto k = static_cast<Eigen::Index>(e);
        const RowLaw& law = m_problem.laws()[e];
        const double response = m_space.responses[e];
        const double present = m_problem.elementRate(e, m_state.u) + response * m_element[e];
        double low = 0, high = m_dt * forceAt(law, k, present);
        if (low > high) std::swap(low, high);
        double p = std::clamp(m_element[e], low, high);
        // Newton's method, which meets straight laws at once, between bounds.
        for (int i = 0; high > low; ++i) {
            if (i == kTrials) {
                p = std::abs(low) < std::abs(high) ? low : high;
                break;
            }
            const double v = present - response * p;
            const double value = p - m_dt * forceAt(law, k, v);
            const double step = value / (1 + m_dt * response * slopeAt(law, k, v));
            if (std::abs(step) <= kExact * std::abs(p)) break;
            (value > 0 ? high : low) = p;
            p = p - step > low && p - step < high ? p - step : 0.5 * (low + high);
        }
        const double change = p - m_element[e];
        if (change != 0) m_problem.addElement(e, change, m_state.u);
        m_element[e] = p;
        m_space.rates[e] = present - response * p;
        return std::abs(change) * std::sqrt(response);
    }

    // With elements as springs that they are near their present rates: stiff ones under what is heavy would take
    // thousands of sweeps.
    void leap(ContactSweeps& sweeps) {
        std::vector<YieldingRow>& springs = m_space.springs;
        springs.resize(m_element.size());
        for (std::size_t e = 0; e < m_element.size(); ++e) {
            const auto k = static_cast<Eigen::Index>(e);
            const RowLaw& law = m_problem.laws()[e];
            YieldingRow& spring = springs[e];
            spring = {m_problem.elementPush(e)};
            if (m_problem.isGeared(e)) continue;
            const double v = m_problem.elementRate(e, m_state.u);
            const bool pushes = m_element[e] != 0;
            const double slope = m_dt * slopeAt(law, k, pushes ? m_space.rates[e] : v);
            const double wanted = m_dt * forceAt(law, k, v);
            if (!(slope > 0) || (!pushes && wanted == 0)) continue;
            constexpr double kInfinity = std::numeric_limits<double>::infinity();
            spring.compliance = 1 / slope;
            spring.missing = pushes ? v - m_space.rates[e] : wanted / slope;
            const double pressure = pushes ? m_element[e] : wanted;
            // Neither side of a stop pulls.
            const bool isStop = law.kind == RowLaw::Kind::Contact;
            spring.lower = isStop && pressure > 0 ? -m_element[e] : -kInfinity;
            spring.upper = isStop && pressure < 0 ? -m_element[e] : kInfinity;
        }
        if (!sweeps.leap(m_state.u, springs, kRounds)) return;
        for (std::size_t e = 0; e < m_element.size(); ++e) m_element[e] += springs[e].step;
    }

    double forceAt(const RowLaw& law, Eigen::Index k, double v) const {
        const double s = m_state.s[k] + m_dt * v;
        const double f = forceInPhase(law, classify(law, s, v, 0), s, v, m_state.z[k]);
        return law.kind == RowLaw::Kind::Series && law.d > 0 ? f / (1 + law.c * m_dt / law.d) : f;
    }

    // Of forceAt, by v.
    double slopeAt(const RowLaw& law, Eigen::Index k, double v) const {
        const double s = m_state.s[k] + m_dt * v;
        const ForceSlopes slopes = slopesInPhase(law, classify(law, s, v, 0), s, v);
        const double slope = m_dt * slopes.byS + slopes.byV;
        return law.kind == RowLaw::Kind::Series && law.d > 0 ? slope / (1 + law.c * m_dt / law.d) : slope;
    }

    /// Energy that an element's spring holds more when it has got longer at this rate.
    double gainOf(std::size_t e, double v) const {
        const auto k = static_cast<Eigen::Index>(e);
        const RowLaw& law = m_problem.laws()[e];
        const auto stored = [&](double s) { return energyInPhase(law, classify(law, s, v, 0), s, m_state.z[k]); };
        return stored(m_state.s[k] + m_dt * v) - stored(m_state.s[k]);
    }

    void finish() {
        std::vector<Vector6>& way = m_space.way;
        way = m_state.u;
        for (Vector6& w : way) w *= m_dt;
        for (std::size_t e = 0; e < m_element.size(); ++e) {
            const auto k = static_cast<Eigen::Index>(e);
            const RowLaw& law = m_problem.laws()[e];
            const double v = m_problem.elementRate(e, m_state.u);
            const Phase before = classify(law, m_state.s[k], v, 0);
            const double stored = energyInPhase(law, before, m_state.s[k], m_state.z[k]);
            m_state.s[k] += m_dt * v;
            if (law.kind == RowLaw::Kind::Series) {
                m_state.z[k] = settledDamper(law, m_state.s[k], m_state.z[k] + damperRate(law, m_element[e]));
            }
            const Phase after = classify(law, m_state.s[k], v, 0);
            const double gained = energyInPhase(law, after, m_state.s[k], m_state.z[k]) - stored;
            m_state.heat[k] += std::max(0., m_element[e] * v - gained);
            m_problem.countElement(e, m_element[e], m_state);
            if (m_problem.contactOf(e) < 0 && law.kind == RowLaw::Kind::Contact &&
                before.inContact() != after.inContact()) {
                m_state.events.push_back({static_cast<int>(e), after.inContact(), m_state.t + m_dt, std::abs(v)});
            }
        }
        m_problem.move(way, m_dt, m_state);
    }

    const ContactProblem& m_problem;
    const ContactFrame& m_frame;
    const double m_dt;
    ContactState& m_state;
    CoarseSpace& m_space;
    std::vector<double>& m_element = m_space.elements;  // impulses
};

}  // namespace

int finishCoarsely(const ContactProblem& problem, double h, ContactState& state, CoarseSpace& space) {
    const bool areMany = isCrowd(problem.network()) || problem.network().contacts.size() > kManyPoints;
    const int steps = areMany ? kFewSteps : kSteps;
    const double dt = (h - state.t) / steps;
    for (int step = 0; step < steps; ++step) CoarseStep(problem, dt, state, space).run();
    state.t = h;
    return steps;
}

void standStill(const ContactProblem& problem, double h, ContactState& state, CoarseSpace& space) {
    CoarseStep(problem, h, state, space).stand();
    state.t = h;
}

}  // namespace elasto::flow
