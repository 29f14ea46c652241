#pragma once
/// @file peak_in_ticks.h
/// The largest force of an element, also between the ends of ticks.

#include <elasto/scene/scene_world.h>

#include <vector>

namespace elasto::sweep {
inline namespace ELASTO_BULLET_NAMESPACE {

/// Watches one element of a scene. An impact that is over long before its tick is has its peak inside the tick; the
/// solution of the tick itself is searched for it.
class PeakInTicks {
public:
    /// Takes over the element's contact callbacks.
    explicit PeakInTicks(ForceElement& element);

    /// After each tick. @return largest |f| or |tau| in it [N, N.m], both ends included; less may be returned where the
    ///         tick before had more
    double afterTick(const SceneWorld& world);

private:
    double forceAt(double t) const;
    double searched(double from, double to) const;

    ForceElement& m_element;
    std::vector<double> m_events;  ///< of contact in the last tick [s] from its start
    double m_before = 0;           ///< |f| when the tick began
    double m_largest = 0;          ///< of all ticks
};

}  // namespace ELASTO_BULLET_NAMESPACE
}  // namespace elasto::sweep
