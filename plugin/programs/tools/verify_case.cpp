#include "verify_case.h"

#include <elasto/reference/reference.h>
#include <elasto/scene/recorder.h>
#include <elasto/scene/scene_world.h>
#include <elasto/scene/signals.h>

#include <algorithm>

#include "align.h"
#include "checked_run.h"

namespace elasto::tools {

namespace {

std::optional<SignalGroup> groupOf(SignalKind kind) {
    switch (kind) {
        case SignalKind::BodyPosition:
        case SignalKind::BodyOrientation:
        case SignalKind::ElementS:
        case SignalKind::ElementDamperLength:
            return SignalGroup::Positions;
        case SignalKind::BodyVelocity:
        case SignalKind::BodyAngularVelocity:
        case SignalKind::ElementV:
            return SignalGroup::Velocities;
        case SignalKind::ElementMeanForce:
            return SignalGroup::MeanForce;
        case SignalKind::TotalHeat:
            return SignalGroup::Heat;
        default:
            return std::nullopt;
    }
}

/// The signals that are judged.
std::vector<Signal> judgedSignals(const Scene& scene) {
    std::vector<Signal> signals = availableSignals(scene);
    std::erase_if(signals, [](const Signal& signal) { return !groupOf(signal.kind); });
    return signals;
}

std::vector<GroupError> worstPerGroup(const std::vector<SignalError>& errors, const std::vector<Signal>& signals) {
    std::vector<GroupError> groups;
    for (int g = 0; g < kSignalGroups; ++g) {
        const SignalGroup group = static_cast<SignalGroup>(g);
        const SignalError* worst = nullptr;
        for (const SignalError& error : errors) {
            const auto signal = std::find_if(signals.begin(), signals.end(),
                                             [&](const Signal& one) { return one.name == error.signal; });
            if (groupOf(signal->kind) != group) continue;
            if (worst == nullptr || error.nrmse > worst->nrmse) worst = &error;
        }
        if (worst != nullptr) groups.push_back({group, *worst, std::nullopt});
    }
    return groups;
}

}  // namespace

std::optional<CaseResult> measureAccuracy(const Scene& scene, double rate, const Continue& proceed) {
    SceneWorld world(scene, rate);
    const std::vector<Signal> signals = judgedSignals(scene);
    Recorder recorder(world, signals);
    const long end = world.ticksToEnd();
    CheckedRun checked(world);
    while (world.ticks() < end) {
        checked.step();
        recorder.record();
        if (!proceed(static_cast<double>(world.ticks()) / static_cast<double>(end))) return std::nullopt;
    }
    Trajectory run;
    run.time = recorder.time();
    for (std::size_t i = 0; i < signals.size(); ++i) {
        run.signals.push_back(signals[i].name);
        run.columns.push_back(recorder.column(i));
    }
    const Trajectory reference = solveReference(scene, run.time);
    alignQuaternions(reference, run);
    // Before the first tick there is no mean force: what sticks has not been asked yet by how much.
    for (std::size_t i = 0; i < signals.size(); ++i) {
        if (groupOf(signals[i].kind) != SignalGroup::MeanForce) continue;
        run.columns[i].front() = reference.at(signals[i].name).front();
    }
    return CaseResult{scene.name, rate, worstPerGroup(compareSignals(reference, run), signals), world.plugin().totals(),
                      std::nullopt};
}

}  // namespace elasto::tools
