#pragma once
/// @file peak_in_robot_ticks.h
/// The largest force of a robot's element, also between the ends of ticks.

#include <elasto/robot/robot_inside_tick.h>

#include <vector>

namespace elasto::sweep {
inline namespace ELASTO_BULLET_NAMESPACE {

/// Watches one element of a robot scene, at instants inside the tick where it may have its peak.
class PeakInRobotTicks {
public:
    /// Takes over the element's contact callbacks. @param force signal of the element: its force now
    PeakInRobotTicks(RobotWorld& world, RobotSignal force);

    void beforeTick();
    /// @return largest |f| or |tau| in the last tick [N, N.m], both ends included; less may be returned where a tick
    ///         before had more
    double afterTick();

private:
    /// A force at a time from the tick's start [s].
    struct Point {
        double time;
        double force;
    };

    double forceIn(const RobotWorld& world) const;
    std::vector<Point> pointsAt(const std::vector<double>& times);
    double searched(const std::vector<double>& events);

    RobotWorld& m_world;
    RobotSignal m_force;
    RobotInsideTick m_inside;
    RobotContactTimes m_events;
    double m_before = 0;   ///< |f| when the tick began
    double m_largest = 0;  ///< of all ticks
};

}  // namespace ELASTO_BULLET_NAMESPACE
}  // namespace elasto::sweep
