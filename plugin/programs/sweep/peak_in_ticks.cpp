#include "peak_in_ticks.h"

#include <elasto/tick_moment.h>

#include <algorithm>
#include <cmath>

namespace elasto::sweep {
inline namespace ELASTO_BULLET_NAMESPACE {

namespace {

/// Points to begin with in each part of a tick between two events: what is between them may bend once or twice.
constexpr int kParts = 8;
/// Steps of the search for a peak between three points; each makes the interval smaller by the golden ratio, and the
/// error of a smooth peak by its square: 1e-4 of the interval's width, 1e-8 of the peak's height.
constexpr int kSteps = 20;
/// A part whose points stay below this share of the largest force so far is not searched: between its points it would
/// have to rise to double the height.
constexpr double kPromising = 0.5;
/// Distance of the points on both sides of an event, as a share of the tick: a force may jump there.
constexpr double kBeside = 1e-9;

}  // namespace

PeakInTicks::PeakInTicks(ForceElement& element) : m_element(element), m_before(std::abs(element.readout().force.f)) {
    const auto note = [this](ForceElement&, const ContactInfo& info) { m_events.push_back(info.time); };
    m_element.onContactBegin(note);
    m_element.onContactEnd(note);
    m_largest = m_before;
}

double PeakInTicks::afterTick(const SceneWorld& world) {
    const double after = std::abs(m_element.readout().force.f);
    double largest = std::max(m_before, after);
    // Nothing acts in a tick that is free at both ends and has no contact in between. What sleeps or is moved by Bullet
    // has no solution to search.
    const bool acts = largest > 0 || !m_events.empty();
    if (acts && world.plugin().insideTick(0).element(m_element)) {
        const double h = m_element.tickLength();
        std::vector<double> edges = {0, h};
        for (const double event : m_events) edges.push_back(std::clamp(event, 0.0, h));
        std::sort(edges.begin(), edges.end());
        for (std::size_t i = 0; i + 1 < edges.size(); ++i) {
            const double from = std::min(edges[i] + kBeside * h, h);
            const double to = std::max(edges[i + 1] - kBeside * h, 0.0);
            if (from < to) largest = std::max(largest, searched(from, to));
        }
    }
    m_events.clear();
    m_before = after;
    m_largest = std::max(m_largest, largest);
    return largest;
}

double PeakInTicks::forceAt(double t) const {
    return std::abs(m_element.solutionAt(std::clamp(t, 0.0, m_element.tickLength())).force.f);
}

double PeakInTicks::searched(double from, double to) const {
    std::vector<double> forces;
    const double width = (to - from) / kParts;
    for (int k = 0; k <= kParts; ++k) forces.push_back(forceAt(from + k * width));
    const auto highest = std::max_element(forces.begin(), forces.end());
    if (!(*highest > kPromising * m_largest) || *highest == 0) return *highest;
    // The golden section between the neighbours of the highest point.
    const auto place = static_cast<double>(highest - forces.begin());
    double low = from + std::max(place - 1, 0.0) * width;
    double high = from + std::min(place + 1, static_cast<double>(kParts)) * width;
    const double ratio = (std::sqrt(5.0) - 1) / 2;
    double a = high - ratio * (high - low);
    double b = low + ratio * (high - low);
    double atA = forceAt(a);
    double atB = forceAt(b);
    double largest = *highest;
    for (int step = 0; step < kSteps; ++step) {
        largest = std::max({largest, atA, atB});
        if (atA > atB) {
            high = b;
            b = a;
            atB = atA;
            a = high - ratio * (high - low);
            atA = forceAt(a);
        } else {
            low = a;
            a = b;
            atA = atB;
            b = low + ratio * (high - low);
            atB = forceAt(b);
        }
    }
    return std::max({largest, atA, atB});
}

}  // namespace ELASTO_BULLET_NAMESPACE
}  // namespace elasto::sweep
