#pragma once
/// @file scope.h
/// The oscilloscope: force and deflection of one element inside the last ticks, finely enough to see an impact that is
/// over long before its tick is.

#include <elasto/scene/scene_world.h>

#include <deque>
#include <optional>
#include <span>
#include <vector>

namespace elasto::play {

/// An element at one time, from the solution of the tick itself.
struct ScopePoint {
    double time = 0;  ///< [s] since the start of the run
    double s = 0;     ///< s_rel, s or phi_rel [m, rad]
    double v = 0;     ///< [m/s, rad/s]
    ForceTerms force;
};

/// Contact of an element began or ended in the last tick.
struct ScopeEvent {
    int element = 0;
    bool begins = true;
    double time = 0;   ///< [s] since the start of the run
    double speed = 0;  ///< |v_rel| then [m/s, rad/s]
};

struct ScopeSettings {
    int element = 0;
    int ticks = 4;                   ///< that it shows, >= 1
    double tolerance = 1e-3;         ///< of f and s between two points, as a share of their largest size shown
    double finest = 1e-6;            ///< two points are not closer than that, but at events [s]
    std::size_t mostPoints = 4'000;  ///< per tick
};

/// Some ticks in a row.
class ScopeTrace {
public:
    struct Tick {
        long number = 0;  ///< it ended when the world had done as many
        double from = 0;  ///< [s]
        double to = 0;    ///< [s]
        std::vector<ScopePoint> points;
        std::vector<ScopeEvent> events;
    };

    bool isEmpty() const { return m_ticks.empty(); }
    const std::deque<Tick>& ticks() const { return m_ticks; }
    /// Of all ticks, in the order of time.
    std::vector<ScopePoint> points() const;
    std::vector<ScopeEvent> events() const;  ///< of this element
    double from() const;                     ///< start of the first tick [s]
    double to() const;                       ///< end of the last one [s]
    /// The point with the largest |f|; nothing if it is empty.
    std::optional<ScopePoint> peak() const;

    void add(Tick tick) { m_ticks.push_back(std::move(tick)); }
    void dropFirst() { m_ticks.pop_front(); }
    void clear() { m_ticks.clear(); }

private:
    std::deque<Tick> m_ticks;
};

/// A contact from its beginning on, however many ticks it lasts.
struct ScopeContact {
    double begin = 0;                               ///< [s]
    std::optional<double> end = std::nullopt;       ///< [s]; nothing: it lasts
    std::optional<ScopePoint> peak = std::nullopt;  ///< with the largest |f| so far
};

inline namespace ELASTO_BULLET_NAMESPACE {

/// Points are dense where f or s bend, and on both sides of each beginning and end of contact.
class Scope {
public:
    /// @throws InvalidParameter naming a setting that makes no sense
    explicit Scope(const ScopeSettings& settings);

    const ScopeSettings& settings() const { return m_settings; }
    /// The last ticks, as many as the settings say.
    const ScopeTrace& latest() const { return m_latest; }
    /// As many from the one on in which contact began last, or fewer while they are still to come; where contact lasts
    /// longer up to its end, but kMostOfImpact at most. Empty: there was none.
    const ScopeTrace& impact() const { return m_impact; }
    static constexpr std::size_t kMostOfImpact = 64;
    /// The contact that began last; nothing if its beginning was not seen.
    const std::optional<ScopeContact>& contact() const { return m_contact; }

    /// Takes the tick that the world has just done. @param before the element when it began @param after when it ended
    void add(const SceneWorld& world, const ElementSample& before, const ElementSample& after,
             std::span<const ScopeEvent> events);
    /// The next tick does not follow the last one. @param keepsImpact false: nothing of what it has counts any more
    void jump(bool keepsImpact);

private:
    void noteContact(const ScopeTrace::Tick& tick);
    void refine(ScopeTrace::Tick& tick, const ForceElement& element, double start) const;

    ScopeSettings m_settings;
    ScopeTrace m_latest;
    ScopeTrace m_impact;
    std::optional<ScopeContact> m_contact;
};

}  // namespace ELASTO_BULLET_NAMESPACE
}  // namespace elasto::play
