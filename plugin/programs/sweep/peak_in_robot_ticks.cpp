#include "peak_in_robot_ticks.h"

#include <algorithm>
#include <cmath>

namespace elasto::sweep {
inline namespace ELASTO_BULLET_NAMESPACE {

namespace {

/// Parts between two events of a tick, and then between the neighbours of the highest point: a peak that is half a
/// sine is found to 1e-6 of its height by the parabola through the three highest points.
constexpr int kPartsOfTick = 8;
/// A tick in which no contact begins or ends, and that stays below this share of the largest force so far at its ends,
/// is not searched: inside it the force would have to rise to double the height.
constexpr double kWorthwhile = 0.5;
/// What is at rest changes by less from tick to tick, as a share of the largest force so far.
constexpr double kRest = 1e-9;
/// Points nearer to one another are one, as a share of the tick.
constexpr double kSame = 1e-9;

/// The highest of points, by the parabola through it and its neighbours.
template <class Points>
double highestOf(const Points& points, std::size_t place) {
    const auto& here = points[place];
    if (place == 0 || place + 1 == points.size()) return here.force;
    const auto& left = points[place - 1];
    const auto& right = points[place + 1];
    const double a = here.time - left.time, b = right.time - here.time;
    const double up = (here.force - left.force) / a, down = (right.force - here.force) / b;
    const double bend = (down - up) / (a + b);
    if (!(bend < 0) || up < 0 || down > 0) return here.force;
    const double slope = (up * b + down * a) / (a + b);
    return here.force - slope * slope / (4 * bend);
}

void addParts(double from, double to, std::vector<double>& times) {
    for (int k = 1; k <= kPartsOfTick; ++k) times.push_back(from + (to - from) * k / kPartsOfTick);
}

}  // namespace

PeakInRobotTicks::PeakInRobotTicks(RobotWorld& world, std::size_t element)
    : m_world(world), m_element(element), m_twin(world.scene(), world.rate()) {
    m_twin.plugin().setMessageHandler(nullptr);
    m_before = m_largest = force(m_world);
    // A tick may be made in parts, where a controller reads inside it.
    const auto note = [this](MultiBodyElement& watched, const ContactInfo& info) {
        m_events.push_back(m_world.plugin().time() - watched.tickLength() + info.time - m_world.time());
    };
    m_world.robot().element(m_element).onContactBegin(note);
    m_world.robot().element(m_element).onContactEnd(note);
}

double PeakInRobotTicks::force(RobotWorld& world) const {
    return std::abs(world.robot().element(m_element).readout().force.f);
}

void PeakInRobotTicks::beforeTick() {
    m_events.clear();
    m_start = m_world.plugin().saveWorld();
    m_drives = m_world.drives().state();
}

double PeakInRobotTicks::afterTick() {
    const double after = force(m_world);
    double largest = std::max(m_before, after);
    const bool rests = std::abs(after - m_before) <= kRest * m_largest && m_events.empty();
    const bool acts = largest > kWorthwhile * m_largest || !m_events.empty();
    if (acts && !rests) largest = std::max(largest, searched());
    m_before = after;
    m_largest = std::max(m_largest, largest);
    return largest;
}

/// The tick again, up to these times from its start, which rise.
std::vector<PeakInRobotTicks::Point> PeakInRobotTicks::run(const std::vector<double>& times) {
    const long start = m_world.ticks() - 1;
    m_twin.plugin().restoreWorld(m_start);
    m_twin.setTicks(start, m_drives);
    const double begun = m_twin.time();
    std::vector<Point> points = {{0, m_before}};
    for (const double time : times) {
        const double length = time - points.back().time;
        if (length < kSame * m_world.tickLength()) continue;
        m_twin.drives().step(m_twin.world(), begun + points.back().time, length);
        points.push_back({time, force(m_twin)});
    }
    return points;
}

double PeakInRobotTicks::searched() {
    const double h = m_world.tickLength();
    std::vector<double> edges = {0};
    for (const double event : m_events) edges.push_back(std::clamp(event, 0.0, h));
    edges.push_back(h);
    std::sort(edges.begin(), edges.end());
    std::vector<double> times;
    for (std::size_t i = 0; i + 1 < edges.size(); ++i) addParts(edges[i], edges[i + 1], times);
    const auto isLower = [](const Point& a, const Point& b) { return a.force < b.force; };
    const std::vector<Point> coarse = run(times);
    const auto highest = std::max_element(coarse.begin(), coarse.end(), isLower);
    if (!(highest->force > kWorthwhile * m_largest)) return highest->force;
    const Point& left = highest == coarse.begin() ? *highest : *std::prev(highest);
    const Point& right = std::next(highest) == coarse.end() ? *highest : *std::next(highest);
    times.clear();
    for (const Point& point : coarse) {
        if (point.time > 0 && point.time <= left.time) times.push_back(point.time);
    }
    addParts(left.time, right.time, times);
    const std::vector<Point> fine = run(times);
    const auto peak = std::max_element(fine.begin(), fine.end(), isLower);
    return highestOf(fine, static_cast<std::size_t>(peak - fine.begin()));
}

}  // namespace ELASTO_BULLET_NAMESPACE
}  // namespace elasto::sweep
