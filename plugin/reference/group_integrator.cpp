#include "group_integrator.h"

#include "method_choice.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

namespace elasto::reference {

namespace {

constexpr double kEpsilon = std::numeric_limits<double>::epsilon();
/// Time steps below this share of the time are rounding.
constexpr double kTimeNoise = 100 * kEpsilon;

} // namespace

GroupIntegrator::GroupIntegrator(Mechanics& mechanics, std::span<const double> times, const ReferenceOptions& options)
    : m_mechanics(mechanics), m_times(times), m_options(options) {
    m_mechanics.setInterval(0, times.empty() ? 0 : times.back());
    m_scales = m_mechanics.scales(times);
    m_atol = options.rtol * options.floor * m_scales;
    m_y = m_mechanics.startState();
    m_branches = m_mechanics.startBranches();
    m_system.derivative = [this](double t, const double* y, double* dy) {
        m_mechanics.derivative(t, y, m_branches, dy);
    };
    m_system.boundaries = [this](double t, const double* y, double* g) {
        m_mechanics.boundaries(t, y, m_branches, g);
    };
    m_system.size = m_mechanics.size();
    m_system.boundaryCount = m_mechanics.boundaryCount();
    m_values.resize(static_cast<std::size_t>(m_system.boundaryCount));
    m_noise.resize(static_cast<std::size_t>(m_system.boundaryCount));
}

void GroupIntegrator::run(std::span<const double> breaks, ReferenceSolution& solution) {
    for (; m_reported < m_times.size() && m_times[m_reported] <= 0; ++m_reported)
        m_mechanics.report(0, m_y.data(), m_branches, solution.states[m_reported]);
    if (m_reported == m_times.size()) return;
    const double end = m_times.back();
    for (double stop : breaks)
        if (stop < end) runSegment(stop, solution);
    runSegment(end, solution);
    for (const auto* session : {m_adams.get(), m_bdf.get()}) {
        if (!session) continue;
        solution.statistics.steps += session->steps();
        solution.statistics.evaluations += session->evaluations();
    }
}

ReferenceMethod GroupIntegrator::suitableMethod(double stop) const {
    if (m_options.method != ReferenceMethod::Automatic) return m_options.method;
    return chooseMethod(m_mechanics, m_time, m_y, m_branches, m_scales, stop - m_time);
}

CvodeSession& GroupIntegrator::restart(ReferenceMethod method, double stop, ReferenceStatistics& statistics) {
    const bool bdf = method == ReferenceMethod::Bdf;
    std::unique_ptr<CvodeSession>& session = bdf ? m_bdf : m_adams;
    if (!session) session = std::make_unique<CvodeSession>(m_system, method, m_options.rtol, m_atol);
    session->restart(m_time, m_y, stop);
    ++statistics.restarts;
    ++(bdf ? statistics.bdfStarts : statistics.adamsStarts);
    return *session;
}

void GroupIntegrator::runSegment(double stop, ReferenceSolution& solution) {
    // A fast mode that dies out, or one that wakes up, changes which family suits.
    constexpr int kStepsBetweenChoices = 5000;
    m_mechanics.setInterval(m_time, stop);
    while (stop - m_time > kTimeNoise * std::abs(stop)) {
        const ReferenceMethod method = suitableMethod(stop);
        CvodeSession& session = restart(method, stop, solution.statistics);
        bool running = true;
        for (int step = 1; running && m_time < stop; ++step) {
            const bool root = session.step() == CvodeSession::Outcome::Root;
            const double reached = session.time();
            std::optional<Violation> violation = findViolation(m_time, reached, root, session);
            if (violation) {
                ++solution.statistics.missedRoots;
            } else if (root) {
                violation = Violation{reached, session.roots()};
            }
            const double until = violation ? violation->time : reached;
            report(until, session, solution);
            session.interpolate(until, m_y);
            m_time = until;
            if (violation) {
                change(violation->boundaries, solution);
                running = false;
            } else if (step % kStepsBetweenChoices == 0) {
                running = suitableMethod(stop) == method;
            }
            if (session.steps() > m_options.maxSteps)
                throw ReferenceError("more than " + std::to_string(m_options.maxSteps) +
                                     " steps are needed beyond t = " + std::to_string(m_time) + " s");
        }
    }
    m_time = stop;
    // What rounding has left of the last interval.
    for (; m_reported < m_times.size() && m_times[m_reported] <= stop; ++m_reported)
        m_mechanics.report(stop, m_y.data(), m_branches, solution.states[m_reported]);
}

void GroupIntegrator::report(double until, const CvodeSession& source, ReferenceSolution& solution) {
    for (; m_reported < m_times.size() && m_times[m_reported] <= until; ++m_reported) {
        source.interpolate(m_times[m_reported], m_interpolated);
        m_mechanics.report(m_times[m_reported], m_interpolated.data(), m_branches, solution.states[m_reported]);
    }
}

std::vector<int> GroupIntegrator::negativeBoundaries(double t, const Mechanics::Vector& y) {
    m_mechanics.boundaries(t, y.data(), m_branches, m_values.data());
    std::vector<int> found;
    if (std::none_of(m_values.begin(), m_values.end(), [](double value) { return value < 0; })) return found;
    m_mechanics.boundaryNoise(t, y.data(), m_branches, 10 * m_atol, m_noise.data());
    for (std::size_t i = 0; i < m_values.size(); ++i)
        if (m_values[i] < -m_noise[i]) found.push_back(static_cast<int>(i));
    return found;
}

// CVODE compares signs at the ends of its steps: it does not see a function that falls and rises again within one, and
// ignores one that is zero where it starts until it has been away from zero at the end of a step.
std::optional<GroupIntegrator::Violation> GroupIntegrator::findViolation(double from, double to, bool toIsRoot,
                                                                         const CvodeSession& source) {
    if (m_values.empty()) return std::nullopt;
    const auto negativeAt = [&](double t) {
        source.interpolate(t, m_interpolated);
        return negativeBoundaries(t, m_interpolated);
    };
    constexpr int kSamples = 4;
    double good = from;
    double bad = from;
    std::vector<int> negative;
    std::vector<double> before; // values at the two samples before the present one
    std::vector<double> middle;
    for (int k = 1; k <= kSamples && negative.empty(); ++k) {
        if (k == kSamples && toIsRoot) break;
        const double t = k == kSamples ? to : from + (to - from) * k / kSamples;
        bad = t;
        negative = negativeAt(t);
        if (!negative.empty()) break;
        const std::vector<double> last = m_values;
        if (!middle.empty() && !before.empty()) {
            // A dip between samples: look at the bottom of the parabola through three of them.
            const double width = (to - from) / kSamples;
            for (std::size_t i = 0; i < last.size() && negative.empty(); ++i) {
                const double curvature = before[i] - 2 * middle[i] + last[i];
                const double slope = (last[i] - before[i]) / 2;
                if (!(curvature > 0) || std::abs(slope) > curvature) continue;
                if (middle[i] - slope * slope / (2 * curvature) > 0.5 * middle[i]) continue;
                bad = (t - width) - width * slope / curvature;
                negative = negativeAt(bad);
            }
            if (!negative.empty()) {
                good = std::min(good, bad - width);
                break;
            }
        }
        before = middle;
        middle = last;
        good = t;
    }
    if (negative.empty()) return std::nullopt;
    good = std::max(good, from);
    while (bad - good > kTimeNoise * (std::abs(to) + (to - from))) {
        const double t = good + (bad - good) / 2;
        if (t <= good || t >= bad) break;
        std::vector<int> found = negativeAt(t);
        if (found.empty()) {
            good = t;
        } else {
            bad = t;
            negative = std::move(found);
        }
    }
    return Violation{bad, std::move(negative)};
}

void GroupIntegrator::change(const std::vector<int>& boundaries, ReferenceSolution& solution) {
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
        int lastElement = -1;
        for (int boundary : pending) {
            const int local = boundary / Characteristic::kMaxBoundaries;
            if (local == lastElement) continue; // the end of contact comes first and decides
            lastElement = local;
            const auto k = static_cast<std::size_t>(local);
            const Branch old = m_branches[k];
            m_branches[k] = m_mechanics.beyond(m_time, m_y.data(), m_branches, local,
                                               boundary % Characteristic::kMaxBoundaries);
            if (Characteristic::inContact(old) == Characteristic::inContact(m_branches[k])) continue;
            solution.events.push_back({m_time, m_mechanics.elements()[k], Characteristic::inContact(m_branches[k]),
                                       std::abs(m_mechanics.rate(m_time, m_y.data(), local))});
        }
        pending = negativeBoundaries(m_time, m_y);
    }
}

} // namespace elasto::reference
