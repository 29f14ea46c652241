#include "coupled_run.h"

#include <elasto/precision.h>
#include <elasto/reference/reference.h>
#include <elasto/scene/input_file.h>
#include <elasto/scene/load_scene.h>
#include <elasto/scene/scene_world.h>
#include <elasto/scene/signals.h>
#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "assets.h"
#include "checked_run.h"
#include "coupled_oracle.h"
#include "energies.h"
#include "plan_node.h"
#include "tool_errors.h"

namespace elasto::tools {

namespace {

Scene sceneOf(const std::string& name, const CoupledVariant& variant) {
    const std::filesystem::path file = assetsFolder() / "scenes" / (name + ".json");
    Json document = parsePlanText(readFile(file), file.string());
    for (const auto& [path, value] : variant.changes) {
        const Json::json_pointer place(path);
        if (!document.contains(place)) throw InputError(fmt::format("{}: there is no '{}'", file.string(), path));
        document[place] = value;
    }
    return parseScene(document.dump(), file.string());
}

std::vector<Signal> signalsFor(const std::vector<CoupledCheck>& checks, const Scene& scene) {
    std::vector<Signal> signals = availableSignals(scene);
    std::erase_if(signals, [&](const Signal& signal) {
        return std::none_of(checks.begin(), checks.end(), [&](const CoupledCheck& check) {
            return std::any_of(check.signals.begin(), check.signals.end(),
                               [&](const std::string& pattern) { return matchesPattern(pattern, signal.name); });
        });
    });
    return signals;
}

/// A scene in Bullet, tick by tick.
struct Recording {
    Trajectory signals;
    std::vector<double> energy;
    std::vector<bool> isHanded;
    TickStatistics totals;
};

/// Nothing is left to the exact methods.
void solveImplicitly(Plugin& plugin, int substeps) {
    FlowSettings settings = plugin.settings();
    settings.accuracy = Accuracy::Implicit;
    settings.maxSteps = 1;
    settings.fewestSubsteps = settings.mostSubsteps = substeps;
    plugin.setSettings(settings);
}

/// Empty if `proceed` said no.
std::optional<Recording> record(const Scene& scene, const std::vector<Signal>& signals, double rate, int substeps,
                                const Continue& proceed) {
    SceneWorld world(scene, rate);
    if (substeps > 0) solveImplicitly(world.plugin(), substeps);
    CheckedRun run(world);
    Recording recording;
    recording.signals.columns.resize(signals.size());
    for (const Signal& signal : signals) recording.signals.signals.push_back(signal.name);
    const auto add = [&](const SceneSample& sample) {
        recording.signals.time.push_back(sample.time);
        for (std::size_t i = 0; i < signals.size(); ++i) {
            recording.signals.columns[i].push_back(signalValue(scene, sample, signals[i]));
        }
        const Energies energies = energiesOf(scene, sample);
        recording.energy.push_back(energies.motion + energies.potential + energies.heat);
    };
    add(world.sample());
    recording.isHanded.push_back(false);
    bool wasOurs = false;
    const long end = world.ticksToEnd();
    while (world.ticks() < end) {
        add(run.step());
        const bool isOurs = world.plugin().statistics().coupled > 0;
        recording.isHanded.push_back(isOurs || wasOurs);
        wasOurs = isOurs;
        if (!proceed(static_cast<double>(world.ticks()) / static_cast<double>(end))) return std::nullopt;
    }
    recording.totals = world.plugin().totals();
    return recording;
}

Trajectory oracleOf(const CoupledOracle& oracle, const Scene& scene, const Trajectory& run) {
    if (!oracle.slidingBody.empty()) {
        return signalsOf(scene, solveSlide(scene, oracle.slidingBody, oracle.slidingFriction, run.time), run.signals);
    }
    if (!oracle.partingJoint.empty()) {
        return signalsOf(scene, solveParting(scene, oracle.partingJoint, run.time), run.signals);
    }
    return solveReference(scene, run.time);
}

}  // namespace

std::vector<SuiteResult> runCoupled(const CoupledPlan& plan, const CoupledCase& one, const CoupledVariant& variant,
                                    double rate, int substeps, const Continue& proceed) {
    const Scene scene = sceneOf(variant.scene, variant);
    const std::vector<Signal> signals = signalsFor(one.checks, scene);
    std::optional<Recording> recording = record(scene, signals, rate, substeps, proceed);
    if (!recording) return {};

    CoupledRun run;
    run.signals = std::move(recording->signals);
    run.energy = std::move(recording->energy);
    run.isHanded = std::move(recording->isHanded);
    if (std::any_of(one.checks.begin(), one.checks.end(), needsOracle)) {
        const Scene oracleScene = one.oracle.scene.empty() ? scene : sceneOf(one.oracle.scene, variant);
        run.oracle = oracleOf(one.oracle, oracleScene, run.signals);
    }
    const auto isHandOver = [](const CoupledCheck& check) { return check.measure == CoupledMeasure::HandOver; };
    if (std::any_of(one.checks.begin(), one.checks.end(), isHandOver)) {
        Scene alone = scene;
        alone.elements.clear();
        alone.flight = Scene::Flight::Bullet;
        std::vector<Signal> left = availableSignals(alone);
        std::erase_if(left, [&](const Signal& signal) {
            return std::none_of(signals.begin(), signals.end(),
                                [&](const Signal& wanted) { return wanted.name == signal.name; });
        });
        std::optional<Recording> plain = record(alone, left, rate, substeps, proceed);
        if (!plain) return {};
        run.withoutElements = std::move(plain->signals);
    }
    std::vector<SuiteResult> results;
    for (std::size_t i = 0; i < one.checks.size(); ++i) {
        constexpr bool kSingle = std::string_view(kPrecision) == "single";
        const CoupledCheck& check = one.checks[i];
        results.push_back({one.name, variant.label, rate, i, measureName(check.measure), measureUnit(check.measure),
                           evaluate(check, run), substeps > 0 ? std::nullopt : plan.target(check, rate, kSingle),
                           recording->totals});
    }
    return results;
}

}  // namespace elasto::tools
