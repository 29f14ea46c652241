#pragma once
/// @file checked_run.h
/// Runs that end at the first value which is no finite number.

#include <elasto/errors.h>
#include <elasto/scene/scene_world.h>
#include <elasto/scene/signals.h>
#include <fmt/format.h>

#include <string>
#include <vector>

#include "tool_errors.h"

namespace elasto::tools {

/// @param time when the signal has this value [s]
/// @return the value @throws FailureError naming all three unless it is finite
double checkedValue(double time, const std::string& signal, double value);

/// One tick of a world. @throws FailureError naming its start, and the element that refused it
template <typename World>
void checkedTick(World& world) {
    const double start = world.time();
    try {
        world.step();
    } catch (const InvalidParameter& refused) {
        throw FailureError(fmt::format("tick from {:.9g} s: {}", start, refused.what()));
    }
}

/// A value that is not finite would spread over the whole run, and look like a result.
class CheckedRun {
public:
    /// @throws FailureError as step(), for the start
    explicit CheckedRun(SceneWorld& world);

    /// One tick. @return everything at its end
    /// @throws FailureError naming the signal (or the element that refused the tick), its value and the time
    SceneSample step();

private:
    SceneSample checkedSample() const;

    SceneWorld& m_world;
    std::vector<Signal> m_signals;
};

}  // namespace elasto::tools
