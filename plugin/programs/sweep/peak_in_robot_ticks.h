#pragma once
/// @file peak_in_robot_ticks.h
/// The largest force of a robot's element, also between the ends of ticks.

#include <elasto/robot/robot_world.h>
#include <elasto/world_snapshot.h>

#include <vector>

namespace elasto::sweep {
inline namespace ELASTO_BULLET_NAMESPACE {

/// Watches one element of a robot. A tick of a multibody leaves no solution to search; instead it is run again in
/// parts, in a second world, where the element may have its peak: the ticks of the parts have the same solution, as far
/// as these are exact.
class PeakInRobotTicks {
public:
    /// Takes over the element's contact callbacks. @param element of the robot's description
    PeakInRobotTicks(RobotWorld& world, std::size_t element);

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

    double force(RobotWorld& world) const;
    std::vector<Point> run(const std::vector<double>& times);
    double searched();

    RobotWorld& m_world;
    std::size_t m_element;
    RobotWorld m_twin;
    WorldSnapshot m_start;
    RobotDrivesState m_drives;
    std::vector<double> m_events;  ///< of contact in the last tick [s] from its start
    double m_before = 0;           ///< |f| when the tick began
    double m_largest = 0;          ///< of all ticks
};

}  // namespace ELASTO_BULLET_NAMESPACE
}  // namespace elasto::sweep
