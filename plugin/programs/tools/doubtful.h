#pragma once
/// @file doubtful.h
/// What of a run is hardly meant, though nothing in it is wrong.

#include <elasto/robot/robot_world.h>
#include <elasto/scene/scene_world.h>

#include <string>
#include <vector>

#include "json_output.h"

namespace elasto::tools {

/// What whoever made the scene should know of a run. Names of elements and joints.
struct Doubtful {
    std::vector<std::string> untouched;  ///< stops that were never touched
    std::vector<std::string> unstable;   ///< joints whose servos act too rarely (unstableServos)

    /// "never touched: gap; unstable servos: yaw"; empty where there is nothing.
    std::string text() const;
    /// The same for programs. @param json gets `untouched` and `unstableServos`
    void addTo(Json& json) const;
};

/// Watches the stops (gaps and bump stops) of a world while it runs. An impact inside a tick counts.
class WatchedStops {
public:
    explicit WatchedStops(const SceneWorld& world);
    explicit WatchedStops(const RobotWorld& world);

    /// After each tick. @param sample at its end
    void afterTick(const SceneSample& sample);
    void afterTick(const RobotWorld& world);

    /// To be asked at the run's end.
    std::vector<std::string> untouched() const;

private:
    struct Stop {
        std::string name;
        std::size_t element = 0;  ///< of a scene
        RobotSignal meanForce;    ///< of a robot scene
        bool isTouched = false;
    };
    std::vector<Stop> m_stops;
};

}  // namespace elasto::tools
