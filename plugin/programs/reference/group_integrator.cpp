#include "group_integrator.h"

#include "method_choice.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

namespace elasto::reference {

namespace {

/// Time steps below this share of the time are rounding.
constexpr double kTimeNoise = 100 * std::numeric_limits<double>::epsilon();

}  // namespace

GroupIntegrator::GroupIntegrator(Motion& motion, std::span<const double> times, const ReferenceOptions& options)
    : m_motion(motion), m_times(times), m_options(options) {
    m_motion.setInterval(0, times.empty() ? 0 : times.back());
    m_scales = m_motion.scales(times);
    m_y = m_motion.startState();
    m_branches = m_motion.startBranches();
    m_system.derivative = [this](double t, const double* y, double* dy) { m_motion.derivative(t, y, m_branches, dy); };
    m_system.boundaries = [this](double t, const double* y, double* g) { m_motion.boundaries(t, y, m_branches, g); };
    m_system.size = m_motion.size();
    m_system.boundaryCount = m_motion.hasBranches() ? m_motion.boundaryCount() : 0;
    // What a few steps may be off by is no violation.
    m_watch.emplace(m_motion, 10 * std::max(options.rtol, options.rtolStiff) * floor() * m_scales);
}

void GroupIntegrator::run(std::span<const double> breaks, ReferenceSolution& solution) {
    if (m_times.empty()) return;
    const double end = m_times.back();
    // The start as it is given, with the branches that begin there: a brake without strength holds nothing at time 0
    // either.
    const Motion::Vector start = m_y;
    begin(breaks.empty() ? end : std::min(breaks.front(), end), solution);
    for (; m_reported < m_times.size() && m_times[m_reported] <= 0; ++m_reported)
        m_motion.report(0, start.data(), m_branches, solution.states[m_reported]);
    if (m_reported == m_times.size()) return;
    for (double stop : breaks)
        if (stop < end) runSegment(stop, solution);
    runSegment(end, solution);
    for (const auto* session : {m_adams.get(), m_bdf.get()}) {
        if (!session) continue;
        solution.statistics.steps += session->steps();
        solution.statistics.evaluations += session->evaluations();
    }
}

double GroupIntegrator::floor() const {
    return std::max(m_options.floor, m_motion.leastFloor());
}

ReferenceMethod GroupIntegrator::suitableMethod(double stop) const {
    if (m_options.method != ReferenceMethod::Automatic) return m_options.method;
    return chooseMethod(m_motion, m_time, m_y, m_branches, m_scales, stop - m_time);
}

CvodeSession& GroupIntegrator::restart(ReferenceMethod method, double stop, ReferenceStatistics& statistics) {
    const bool bdf = method == ReferenceMethod::Bdf;
    std::unique_ptr<CvodeSession>& session = bdf ? m_bdf : m_adams;
    if (!session) {
        constexpr double kLeast = 1.1e-14;  // that CVODE keeps
        const double given = bdf ? m_options.rtolStiff : m_options.rtol;
        const double rtol = std::max(std::min(given, kLeast), m_motion.toleranceShare() * given);
        session = std::make_unique<CvodeSession>(m_system, method, rtol, rtol * floor() * m_scales);
    }
    session->restart(m_time, m_y, stop);
    ++statistics.restarts;
    ++(bdf ? statistics.bdfStarts : statistics.adamsStarts);
    return *session;
}

/// State and branches at a break, where what is given as a function of time may jump.
void GroupIntegrator::begin(double stop, ReferenceSolution& solution) {
    m_motion.setInterval(m_time, stop);
    // A kinematic body may have changed its velocity at the break.
    m_motion.meet(m_time, m_y);
    change(m_watch->violated(m_time, m_y, m_branches), solution);
}

void GroupIntegrator::runSegment(double stop, ReferenceSolution& solution) {
    // A fast mode that dies out, or one that wakes up, changes which family suits.
    constexpr int kStepsBetweenChoices = 5000;
    begin(stop, solution);
    while (stop - m_time > kTimeNoise * std::abs(stop)) {
        const ReferenceMethod method = suitableMethod(stop);
        CvodeSession& session = restart(method, stop, solution.statistics);
        bool running = true;
        for (int step = 1; running && m_time < stop; ++step) {
            const bool root = session.step() == CvodeSession::Outcome::Root;
            const double reached = session.time();
            std::optional<BranchWatch::Violation> violation =
                m_watch->first(m_time, reached, root, m_branches, session);
            if (violation) {
                ++solution.statistics.missedRoots;
            } else if (root) {
                violation = BranchWatch::Violation{reached, session.roots()};
            }
            const double until = violation ? violation->time : reached;
            report(until, session, solution);
            session.interpolate(until, m_y);
            checkProgress(until);
            m_time = until;
            if (violation) {
                change(violation->boundaries, solution);
                running = false;
            } else if (m_motion.isWornOut(m_time, m_y.data())) {
                m_motion.renew(m_time, m_y.data());
                running = false;
            } else if (step % kStepsBetweenChoices == 0) {
                running = suitableMethod(stop) == method;
            }
            if (session.steps() > m_options.maxSteps) {
                throw ReferenceError("more than " + std::to_string(m_options.maxSteps) +
                                     " steps are needed beyond t = " + std::to_string(m_time) + " s");
            }
        }
    }
    m_time = stop;
    // What rounding has left of the last interval.
    for (; m_reported < m_times.size() && m_times[m_reported] <= stop; ++m_reported)
        m_motion.report(stop, m_y.data(), m_branches, solution.states[m_reported]);
}

// Before a point at which the derivative is not finite CVODE's steps become shorter without end.
void GroupIntegrator::checkProgress(double reached) {
    constexpr int kStepsInPlace = 1000;
    const bool stuck = reached - m_time <= 8 * std::numeric_limits<double>::epsilon() * reached;
    m_stepsInPlace = stuck ? m_stepsInPlace + 1 : 0;
    if (m_stepsInPlace > kStepsInPlace)
        throw ReferenceError("CVODE makes no progress beyond t = " + std::to_string(m_time) + " s");
}

void GroupIntegrator::report(double until, const CvodeSession& source, ReferenceSolution& solution) {
    for (; m_reported < m_times.size() && m_times[m_reported] <= until; ++m_reported) {
        source.interpolate(m_times[m_reported], m_interpolated);
        m_motion.report(m_times[m_reported], m_interpolated.data(), m_branches, solution.states[m_reported]);
    }
}

void GroupIntegrator::change(const std::vector<int>& boundaries, ReferenceSolution& solution) {
    if (boundaries.empty()) return;
    if (m_time - m_lastChange <= kTimeNoise * m_time) {
        if (++m_changesInPlace > 1000)
            throw ReferenceError("the branches of the laws change without end at t = " + std::to_string(m_time) + " s");
    } else {
        m_changesInPlace = 0;
    }
    m_lastChange = m_time;

    constexpr int kRounds = 8;
    std::vector<int> pending = boundaries;
    for (int round = 0; round < kRounds && !pending.empty(); ++round) {
        int lastPlace = -1;
        for (int boundary : pending) {
            const int local = boundary / Characteristic::kMaxBoundaries;
            if (local == lastPlace) continue;  // the end of contact comes first and decides
            lastPlace = local;
            const auto k = static_cast<std::size_t>(local);
            const Branch old = m_branches[k];
            m_branches[k] =
                m_motion.beyond(m_time, m_y.data(), m_branches, local, boundary % Characteristic::kMaxBoundaries);
            m_motion.settle(local, m_branches[k], m_y.data());
            if (k >= m_motion.elements().size()) continue;
            if (Characteristic::inContact(old) == Characteristic::inContact(m_branches[k])) continue;
            solution.events.push_back({m_time, m_motion.elements()[k], Characteristic::inContact(m_branches[k]),
                                       std::abs(m_motion.rate(m_time, m_y.data(), local))});
        }
        pending = m_watch->violated(m_time, m_y, m_branches);
    }
}

}  // namespace elasto::reference
