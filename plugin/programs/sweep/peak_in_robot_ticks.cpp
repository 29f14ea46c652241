#include "peak_in_robot_ticks.h"

#include <algorithm>
#include <cmath>
#include <string_view>
#include <utility>

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

PeakInRobotTicks::PeakInRobotTicks(RobotWorld& world, RobotSignal force)
    : m_world(world),
      m_force(std::move(force)),
      m_inside(world),
      m_events(world, std::string_view(m_force.name).substr(0, m_force.name.rfind('.'))) {
    m_before = m_largest = forceIn(m_world);
}

double PeakInRobotTicks::forceIn(const RobotWorld& world) const {
    return std::abs(world.value(m_force));
}

void PeakInRobotTicks::beforeTick() {
    m_inside.beforeTick();
}

double PeakInRobotTicks::afterTick() {
    const std::vector<double> events = m_events.take();
    const double after = forceIn(m_world);
    double largest = std::max(m_before, after);
    const bool rests = std::abs(after - m_before) <= kRest * m_largest && events.empty();
    const bool acts = largest > kWorthwhile * m_largest || !events.empty();
    if (acts && !rests) largest = std::max(largest, searched(events));
    m_before = after;
    m_largest = std::max(m_largest, largest);
    return largest;
}

/// @param times from the tick's start, which rise
std::vector<PeakInRobotTicks::Point> PeakInRobotTicks::pointsAt(const std::vector<double>& times) {
    std::vector<Point> points = {{0, m_before}};
    for (const double time : times) {
        if (time - points.back().time < kSame * m_world.tickLength()) continue;
        points.push_back({time, forceIn(m_inside.at(std::min(time, m_world.tickLength())))});
    }
    return points;
}

/// @param events of contact in the tick, in their order
double PeakInRobotTicks::searched(const std::vector<double>& events) {
    const double h = m_world.tickLength();
    std::vector<double> edges = {0};
    edges.insert(edges.end(), events.begin(), events.end());
    edges.push_back(h);
    std::vector<double> times;
    for (std::size_t i = 0; i + 1 < edges.size(); ++i) addParts(edges[i], edges[i + 1], times);
    const auto isLower = [](const Point& a, const Point& b) { return a.force < b.force; };
    const std::vector<Point> coarse = pointsAt(times);
    const auto highest = std::max_element(coarse.begin(), coarse.end(), isLower);
    if (!(highest->force > kWorthwhile * m_largest)) return highest->force;
    const Point& left = highest == coarse.begin() ? *highest : *std::prev(highest);
    const Point& right = std::next(highest) == coarse.end() ? *highest : *std::next(highest);
    times.clear();
    for (const Point& point : coarse) {
        if (point.time > 0 && point.time <= left.time) times.push_back(point.time);
    }
    addParts(left.time, right.time, times);
    const std::vector<Point> fine = pointsAt(times);
    const auto peak = std::max_element(fine.begin(), fine.end(), isLower);
    return highestOf(fine, static_cast<std::size_t>(peak - fine.begin()));
}

}  // namespace ELASTO_BULLET_NAMESPACE
}  // namespace elasto::sweep
