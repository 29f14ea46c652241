#include "numerics/hybrid_integrator.h"

#include "numerics/elementary.h"
#include "numerics/tuning.h"
#include "numerics/zeno_guard.h"
#include "numerics/zero_crossing.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <vector>

namespace elasto::flow {

namespace {

struct Event {
    int index = -1;
    ZeroCrossing crossing;  ///< in units of the step
    double noise = 0;       ///< of the event function, from rounding
};

class Integration {
public:
    Integration(HybridSystem& system, Stepper& stepper, double& t, double tEnd, Eigen::VectorXd& y, int maxSteps,
                int& steps, IntegrationSpace& space)
        : m_system(system),
          m_stepper(stepper),
          m_t(t),
          m_tEnd(tEnd),
          m_span(tEnd - t),
          m_y(y),
          m_maxSteps(maxSteps),
          m_steps(steps),
          m_between(space.between),
          m_samples(space.samples),
          m_isParabola(space.isParabola),
          m_dwell(m_span) {}

    Ended run();

private:
    void start();
    bool tryStep(double dt);
    bool tryShorter(double dt);
    void accept(double dt);
    void cross(int event);
    Event firstEvent(double dt);
    void placeBetween(std::size_t node);
    void sample(double dt, bool parabolas);
    struct Located {
        double length = 0;     ///< of the step that the stepper now holds; 0 if the steps ran out
        bool reached = false;  ///< it ends on the event
    };
    Located locate(const Event& event, double dt);
    Event otherFallen(int event, double length) const;
    bool goThrough(const Event& event, double dt);
    void countShortPhase();
    double growth(double error) const;

    HybridSystem& m_system;
    Stepper& m_stepper;
    double& m_t;
    const double m_tEnd;
    const double m_span;
    Eigen::VectorXd& m_y;
    const int m_maxSteps;
    int& m_steps;

    Eigen::VectorXd& m_between;
    std::vector<std::array<double, kCrossingSamples>>& m_samples;
    std::vector<char>& m_isParabola;
    bool m_continues = false;  ///< the next step begins where the last one ended, in the same phase
    bool m_started = false;    ///< the stepper knows the present point
    int m_shortPhases = 0;     ///< phase changes with no more time between them than the dwell
    Dwell m_dwell;             ///< least time in a phase; 0 until phases alternate on the spot
};

void Integration::start() {
    if (m_started) return;
    m_stepper.start(m_system, m_t, m_y, m_continues);
    m_started = true;
}

/// @return false if there is no step left to try
bool Integration::tryStep(double dt) {
    if (m_steps >= m_maxSteps) return false;
    ++m_steps;
    start();
    return m_stepper.step(m_system, dt);
}

/// A part of the step just computed, which was good. @return as tryStep
bool Integration::tryShorter(double dt) {
    if (m_steps >= m_maxSteps) return false;
    ++m_steps;
    return m_stepper.shorten(m_system, dt);
}

void Integration::accept(double dt) {
    // The end is reached exactly, or rounding would leave a remainder to step over.
    m_t = dt >= m_tEnd - m_t ? m_tEnd : m_t + dt;
    m_y = m_stepper.end();
    m_continues = !m_system.stepAccepted(m_t, m_y);
    m_started = false;
}

void Integration::cross(int event) {
    m_system.crossEvent(event, m_t, m_y);
    m_continues = false;
    m_started = false;
}

/// The state at one of the places where event functions are looked at.
void Integration::placeBetween(std::size_t node) {
    const Eigen::Index n = m_system.eventStateSize();
    if (node == 0) {
        m_between = m_y.head(n);
    } else if (node + 1 == kCrossingSamples) {
        m_between = m_stepper.end().head(n);
    } else {
        m_between.resize(n);
        m_stepper.interpolate(crossingNodes()[node], m_between);
    }
}

/// Samples of the event functions that are, or are not, parabolas on the step.
void Integration::sample(double dt, bool parabolas) {
    const int count = m_system.eventCount();
    for (std::size_t j = 0; j < kCrossingSamples; j += parabolas ? kCrossingSamples / 2 : 1) {
        placeBetween(j);
        const double t = m_t + crossingNodes()[j] * dt;
        for (int i = 0; i < count; ++i) {
            const auto k = static_cast<std::size_t>(i);
            if ((m_isParabola[k] != 0) == parabolas) m_samples[k][j] = m_system.eventValue(i, t, m_between);
        }
    }
}

/// Earliest fall of an event function in the step just computed.
Event Integration::firstEvent(double dt) {
    Event first;
    const int count = m_system.eventCount();
    if (count == 0 || m_system.isFarFromEvents(m_t, m_y, dt, m_stepper.end())) return first;

    m_stepper.prepareInterpolation(m_system);
    m_samples.resize(static_cast<std::size_t>(count));
    m_isParabola.assign(static_cast<std::size_t>(count), 0);
    int parabolas = 0;
    for (int i = 0; m_stepper.interpolatesByParabola() && i < count; ++i) {
        const bool isParabola = m_system.isEventLinear(i);
        m_isParabola[static_cast<std::size_t>(i)] = isParabola;
        parabolas += isParabola;
    }
    if (parabolas > 0) sample(dt, true);
    if (parabolas < count) sample(dt, false);
    bool hasNoise = false;
    for (int i = 0; i < count; ++i) {
        const auto k = static_cast<std::size_t>(i);
        const auto& samples = m_samples[k];
        const double start = samples.front(), end = samples.back();
        const double middle = 2 * samples[kCrossingSamples / 2] - 0.5 * (std::max(start, 0.0) + end);
        if (m_isParabola[k] && middle >= 0 && end >= 0) continue;
        // What the rounding of the state alone does to an event function is no fall.
        if (!hasNoise) m_between = m_y.head(m_system.eventStateSize()) * (1 + kStateRounding);
        hasNoise = true;
        const double noise = std::abs(m_system.eventValue(i, m_t, m_between) - start);
        const auto crossing =
            m_isParabola[k] ? crossingOfParabola(start, middle, end, noise) : firstCrossing(samples, noise);
        if (crossing && (first.index < 0 || crossing->at < first.crossing.at)) first = {i, *crossing, noise};
    }
    return first;
}

/// Repeats the step so that it ends on the event, to the accuracy of the step itself and not of its interpolation: a
/// secant iteration, with every fourth try in the middle of the bracket, because a stiff solution may have its event in
/// a transient that is a thousandth of the step.
Integration::Located Integration::locate(const Event& event, double dt) {
    double before = 0;  // length at which the event has not happened yet
    double after = dt;
    const double slack = std::max(event.noise, m_system.eventSlack(event.index));
    bool happens = m_system.eventValue(event.index, m_t + dt, m_stepper.end()) <= 0;
    double length = event.crossing.at * dt;
    double slope = event.crossing.slope / dt;
    double lastLength = 0;
    double lastValue = 0;
    for (int i = 1;; ++i) {
        if (!tryShorter(length)) return {};
        const double value = m_system.eventValue(event.index, m_t + length, m_stepper.end());
        happens |= value <= 0;
        if (i > 1 && value != lastValue) slope = (value - lastValue) / (length - lastLength);
        double next = length - value / slope;
        const bool met = std::abs(next - length) <= kEventTolerance * length || std::abs(value) <= slack;
        if (met || i == kMaxRepeats) return {length, true};
        // The interpolation may have shown a dip that the solution does not have.
        if (!happens && i == kMaxDoubts) return {length, false};
        (value > 0 ? before : after) = length;
        if (!(next > before && next < after) || i % 4 == 0) next = 0.5 * (before + after);
        lastLength = length;
        lastValue = value;
        length = next;
    }
}

/// Counts what happens on the spot; when it does not end, more time must pass.
void Integration::countShortPhase() {
    if (++m_shortPhases <= Dwell::kPatience + m_system.eventCount()) return;
    m_dwell.lengthen();
    m_shortPhases = 0;
}

/// Another event function that is below zero where a step to an event ends: that has come before, whatever the
/// interpolation of the longer step told of their order.
Event Integration::otherFallen(int event, double length) const {
    for (int i = 0; i < m_system.eventCount(); ++i) {
        if (i == event) continue;
        const double end = m_system.eventValue(i, m_t + length, m_stepper.end());
        if (!(end < -m_system.eventSlack(i))) continue;
        const double start = m_system.eventValue(i, m_t, m_y);
        if (start >= 0) return {i, {.at = start / (start - end), .slope = end - start}, 0};
    }
    return {};
}

/// Goes to an event inside the step just computed, and through it. @return false if the steps ran out
bool Integration::goThrough(const Event& event, double dt) {
    const double length = event.crossing.at * dt;
    const bool immediate = length <= kImmediate * std::max(dt, m_span);
    if (immediate || length < 2 * m_dwell.length()) countShortPhase();
    if (length < m_dwell.length()) {
        const double dwell = std::min(m_dwell.length(), dt);
        if (!tryStep(dwell)) return false;
        accept(dwell);
        if (m_system.eventValue(event.index, m_t, m_y) <= 0) cross(event.index);
        return true;
    }
    if (immediate) {
        cross(event.index);
        return true;
    }
    const Located located = locate(event, dt);
    if (!(located.length > 0)) return false;
    if (const Event fallen = otherFallen(event.index, located.length); fallen.index >= 0) {
        const Event before = firstEvent(located.length);
        const bool isOther = before.index >= 0 && before.index != event.index;
        return goThrough(isOther ? before : fallen, located.length);
    }
    accept(located.length);
    if (located.reached) {
        cross(event.index);
    } else {
        countShortPhase();
    }
    return true;
}

double Integration::growth(double error) const {
    const double factor = kSafety * elementary::pow(std::max(error, 1e-12), -1. / m_stepper.errorOrder());
    return std::clamp(factor, kMinFactor, kMaxFactor);
}

Ended Integration::run() {
    start();
    double dt = m_system.firstStep(m_t, m_y);
    bool rejected = false;
    while (m_t < m_tEnd) {
        const double rest = m_tEnd - m_t;
        dt = std::min(dt, m_system.longestStep());
        if (dt >= 0.99 * rest) dt = rest;
        const bool useless = dt < rest && dt < 4 * std::numeric_limits<double>::epsilon() * m_tEnd;
        if (m_steps >= m_maxSteps || useless) return Ended::Exhausted;

        double error = std::numeric_limits<double>::infinity();
        if (tryStep(dt)) error = m_system.errorNorm(m_stepper.error(), m_y, dt);
        if (!(error <= 1)) {
            dt *= std::isfinite(error) ? std::min(growth(error), kSafety) : kMinFactor;
            rejected = true;
            continue;
        }
        const double proposed = dt * std::min(growth(error), rejected ? 1 : kMaxFactor);
        rejected = false;

        const Event event = firstEvent(dt);
        if (event.index < 0) {
            accept(dt);
            if (dt > 2 * m_dwell.length()) m_shortPhases = 0;
            dt = proposed;
            continue;
        }
        if (!goThrough(event, dt)) return Ended::Exhausted;
        if (m_system.shouldReturn()) return Ended::AtEvent;
        start();
        dt = std::min(proposed, m_system.firstStep(m_t, m_y));
    }
    return Ended::AtEnd;
}

}  // namespace

Ended integrate(HybridSystem& system, Stepper& stepper, double& t, double tEnd, Eigen::VectorXd& y, int maxSteps,
                int& steps, IntegrationSpace& space) {
    return Integration(system, stepper, t, tEnd, y, maxSteps, steps, space).run();
}

}  // namespace elasto::flow
