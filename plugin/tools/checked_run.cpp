#include "checked_run.h"

#include <elasto/errors.h>
#include <fmt/format.h>

#include <cmath>

#include "tool_errors.h"

namespace elasto::tools {

CheckedRun::CheckedRun(SceneWorld& world) : m_world(world), m_signals(availableSignals(world.scene())) {
    checkedSample();
}

SceneSample CheckedRun::step() {
    const double start = m_world.time();
    try {
        m_world.step();
    } catch (const InvalidParameter& refused) {
        throw FailureError(fmt::format("tick from {:.9g} s: {}", start, refused.what()));
    }
    return checkedSample();
}

SceneSample CheckedRun::checkedSample() const {
    SceneSample sample = m_world.sample();
    for (const Signal& signal : m_signals) {
        const double value = signalValue(m_world.scene(), sample, signal);
        if (std::isfinite(value)) continue;
        throw FailureError(fmt::format(
            "at {:.9g} s: {} = {} is not finite; parameters, masses, loads or start values of the scene are too large "
            "or too small",
            sample.time, signal.name, value));
    }
    return sample;
}

}  // namespace elasto::tools
