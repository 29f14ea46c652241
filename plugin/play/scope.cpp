#include "scope.h"

#include <elasto/errors.h>
#include <elasto/tick_moment.h>

#include <algorithm>
#include <cmath>

namespace elasto::play {

std::vector<ScopePoint> ScopeTrace::points() const {
    std::vector<ScopePoint> all;
    for (const Tick& tick : m_ticks) all.insert(all.end(), tick.points.begin(), tick.points.end());
    return all;
}

std::vector<ScopeEvent> ScopeTrace::events() const {
    std::vector<ScopeEvent> all;
    for (const Tick& tick : m_ticks) all.insert(all.end(), tick.events.begin(), tick.events.end());
    return all;
}

double ScopeTrace::from() const {
    return m_ticks.empty() ? 0 : m_ticks.front().from;
}

double ScopeTrace::to() const {
    return m_ticks.empty() ? 0 : m_ticks.back().to;
}

std::optional<ScopePoint> ScopeTrace::peak() const {
    std::optional<ScopePoint> highest;
    for (const Tick& tick : m_ticks) {
        for (const ScopePoint& p : tick.points) {
            if (!highest || std::abs(p.force.f) > std::abs(highest->force.f)) highest = p;
        }
    }
    return highest;
}

inline namespace ELASTO_BULLET_NAMESPACE {

namespace {

/// Points to begin with, in the tick and in each contact within it: what is between them may bend once or twice.
constexpr int kFirstPoints = 16;
/// Distance of the points on both sides of an event, as a share of the tick.
constexpr double kBeside = 1e-9;

ScopePoint pointOf(const Readout& readout, double time) {
    return {time, readout.s_rel, readout.v_rel, readout.force};
}

ScopePoint pointOf(const ElementSample& sample, double time) {
    return {time, sample.s, sample.v, sample.force};
}

double largestForce(const std::vector<ScopePoint>& points) {
    double largest = 0;
    for (const ScopePoint& p : points) largest = std::max(largest, std::abs(p.force.f));
    return largest;
}

/// Never less than a thousand times what integration leaves of a place: what rests is a straight line.
double rangeOfS(const std::vector<ScopePoint>& points) {
    constexpr double kNoise = 1e-9;  // of the place
    const auto [low, high] = std::minmax_element(points.begin(), points.end(),
                                                 [](const ScopePoint& x, const ScopePoint& y) { return x.s < y.s; });
    return std::max(high->s - low->s, 1e3 * kNoise * std::max(std::abs(low->s), std::abs(high->s)));
}

/// Times within the tick at which to look first.
std::vector<double> firstTimes(double h, std::span<const ScopeEvent> events, double start) {
    std::vector<double> edges = {0, h};
    for (const ScopeEvent& event : events) edges.push_back(std::clamp(event.time - start, 0.0, h));
    std::sort(edges.begin(), edges.end());
    std::vector<double> times = {0, h};
    for (std::size_t i = 0; i + 1 < edges.size(); ++i) {
        const double length = edges[i + 1] - edges[i];
        for (int k = 0; k <= kFirstPoints; ++k) times.push_back(edges[i] + length * k / kFirstPoints);
    }
    for (const double edge : edges) {
        times.push_back(std::max(0.0, edge - kBeside * h));
        times.push_back(std::min(h, edge + kBeside * h));
    }
    std::sort(times.begin(), times.end());
    times.erase(std::unique(times.begin(), times.end()), times.end());
    return times;
}

}  // namespace

Scope::Scope(const ScopeSettings& settings) : m_settings(settings) {
    const auto require = [](bool isGood, const char* field, double value, const char* allowed) {
        if (!isGood) throw InvalidParameter("scope", field, value, allowed);
    };
    require(settings.element >= 0, "element", settings.element, ">= 0");
    require(settings.ticks >= 1, "ticks", settings.ticks, ">= 1");
    require(settings.tolerance > 0, "tolerance", settings.tolerance, "> 0");
    require(settings.finest > 0, "finest", settings.finest, "> 0");
}

void Scope::add(const SceneWorld& world, const ElementSample& before, const ElementSample& after,
                std::span<const ScopeEvent> events) {
    const auto index = static_cast<std::size_t>(m_settings.element);
    ScopeTrace::Tick tick;
    tick.number = world.ticks();
    tick.to = world.time();
    tick.from = tick.to - world.tickLength();
    std::copy_if(events.begin(), events.end(), std::back_inserter(tick.events),
                 [this](const ScopeEvent& event) { return event.element == m_settings.element; });
    const ForceElement* element = index < world.elements() ? &world.element(index) : nullptr;
    if (element != nullptr && world.plugin().insideTick(0).element(*element)) {
        for (const double t : firstTimes(element->tickLength(), tick.events, tick.from)) {
            tick.points.push_back(pointOf(element->solutionAt(t), tick.from + t));
        }
        refine(tick, *element, tick.from);
    } else {
        // It sleeps, is switched off, sits on a multibody, or Bullet has moved its bodies: along straight lines.
        tick.points = {pointOf(before, tick.from), pointOf(after, tick.to)};
    }
    const auto most = static_cast<std::size_t>(m_settings.ticks);
    const bool begins =
        std::any_of(tick.events.begin(), tick.events.end(), [](const ScopeEvent& event) { return event.begins; });
    if (begins) m_impact.clear();
    noteContact(tick);
    const std::size_t known = m_impact.ticks().size();
    const bool isNext = known > 0 && m_impact.ticks().back().number + 1 == tick.number;
    const bool isWanted = known < most || (m_contact && (!m_contact->end || *m_contact->end >= tick.from));
    if (begins || (isNext && isWanted && known < kMostOfImpact)) m_impact.add(tick);
    m_latest.add(std::move(tick));
    if (m_latest.ticks().size() > most) m_latest.dropFirst();
}

void Scope::jump(bool keepsImpact) {
    m_latest.clear();
    if (keepsImpact) return;
    m_impact.clear();
    m_contact.reset();
}

/// What a tick adds to the contact that began last.
void Scope::noteContact(const ScopeTrace::Tick& tick) {
    for (const ScopeEvent& event : tick.events) {
        if (event.begins) {
            m_contact = ScopeContact{.begin = event.time};
        } else if (m_contact) {
            m_contact->end = event.time;
        }
    }
    if (!m_contact || tick.to < m_contact->begin || (m_contact->end && *m_contact->end < tick.from)) return;
    for (const ScopePoint& point : tick.points) {
        const bool isDuring = point.time >= m_contact->begin && (!m_contact->end || point.time <= *m_contact->end);
        if (!isDuring) continue;
        if (!m_contact->peak || std::abs(point.force.f) > std::abs(m_contact->peak->force.f)) m_contact->peak = point;
    }
}

/// Adds points half-way until straight lines between them are as good as wanted.
void Scope::refine(ScopeTrace::Tick& tick, const ForceElement& element, double start) const {
    double force = largestForce(tick.points);
    for (const ScopeTrace::Tick& other : m_latest.ticks()) force = std::max(force, largestForce(other.points));
    std::vector<ScopePoint>& points = tick.points;
    std::vector<char> isOpen(points.size(), 1);  // the interval that ends at a point
    bool hasChanged = true;
    while (hasChanged && points.size() < m_settings.mostPoints) {
        hasChanged = false;
        force = std::max(force, largestForce(points));
        const double range = rangeOfS(points);
        std::vector<ScopePoint> next = {points.front()};
        std::vector<char> nextOpen = {0};
        for (std::size_t i = 1; i < points.size(); ++i) {
            const ScopePoint& a = points[i - 1];
            const ScopePoint& b = points[i];
            bool isBent = false;
            if (isOpen[i] != 0 && b.time - a.time > 2 * m_settings.finest) {
                const double middle = (a.time + b.time) / 2;
                const ScopePoint between =
                    pointOf(element.solutionAt(std::clamp(middle - start, 0.0, element.tickLength())), middle);
                isBent = std::abs(between.force.f - (a.force.f + b.force.f) / 2) > m_settings.tolerance * force ||
                         std::abs(between.s - (a.s + b.s) / 2) > m_settings.tolerance * range;
                next.push_back(between);
                nextOpen.push_back(isBent ? 1 : 0);
                hasChanged = hasChanged || isBent;
            }
            next.push_back(b);
            nextOpen.push_back(isBent ? 1 : 0);
        }
        points = std::move(next);
        isOpen = std::move(nextOpen);
    }
}

}  // namespace ELASTO_BULLET_NAMESPACE
}  // namespace elasto::play
