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

inline namespace ELASTO_BULLET_NAMESPACE {

/// Points are dense where f or s bend, and on both sides of each beginning and end of contact.
class Scope {
public:
    /// @throws InvalidParameter naming a setting that makes no sense
    explicit Scope(const ScopeSettings& settings);

    const ScopeSettings& settings() const { return m_settings; }
    bool isEmpty() const { return m_ticks.empty(); }
    /// Of all ticks shown, in the order of time.
    std::vector<ScopePoint> points() const;
    std::vector<ScopeEvent> events() const;  ///< of this element
    double from() const;                     ///< start of the first tick shown [s]
    double to() const;                       ///< end of the last one [s]
    /// The point with the largest |f|; nothing if it is empty.
    std::optional<ScopePoint> peak() const;

    /// Takes the tick that the world has just done. @param before the element when it began
    void add(const SceneWorld& world, const ElementSample& before, std::span<const ScopeEvent> events);
    void clear() { m_ticks.clear(); }

private:
    struct Tick {
        double from = 0;
        double to = 0;
        std::vector<ScopePoint> points;
        std::vector<ScopeEvent> events;
    };

    void refine(Tick& tick, const ForceElement& element, double start) const;

    ScopeSettings m_settings;
    std::deque<Tick> m_ticks;
};

}  // namespace ELASTO_BULLET_NAMESPACE
}  // namespace elasto::play
