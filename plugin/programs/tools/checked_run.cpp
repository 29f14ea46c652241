#include "checked_run.h"

#include <cmath>

namespace elasto::tools {

double checkedValue(double time, const std::string& signal, double value) {
    if (std::isfinite(value)) return value;
    throw FailureError(fmt::format(
        "at {:.9g} s: {} = {} is not finite; parameters, masses, loads or start values are too large or too small",
        time, signal, value));
}

CheckedRun::CheckedRun(SceneWorld& world) : m_world(world), m_signals(availableSignals(world.scene())) {
    checkedSample();
}

SceneSample CheckedRun::step() {
    checkedTick(m_world);
    return checkedSample();
}

SceneSample CheckedRun::checkedSample() const {
    SceneSample sample = m_world.sample();
    for (const Signal& signal : m_signals) {
        checkedValue(sample.time, signal.name, signalValue(m_world.scene(), sample, signal));
    }
    return sample;
}

}  // namespace elasto::tools
