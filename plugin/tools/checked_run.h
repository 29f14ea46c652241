#pragma once
/// @file checked_run.h
/// Runs that end at the first value which is no finite number.

#include <elasto/scene/scene_world.h>
#include <elasto/scene/signals.h>

#include <vector>

namespace elasto::tools {

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
