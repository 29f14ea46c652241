#include "run_scene.h"

#include <elasto/errors.h>
#include <elasto/scene/scene_world.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <exception>

namespace elasto::differential {

namespace {

constexpr bool kIsDouble = sizeof(btScalar) == sizeof(double);

std::string countsOf(const TickStatistics& totals) {
    std::string text;
    const auto add = [&](const char* name, std::int64_t count) {
        if (count > 0) text += fmt::format("{}{} {}", text.empty() ? "" : ", ", name, count);
    };
    add("fall-backs", totals.fallbacks);
    add("implicit", totals.implicit);
    add("first order", totals.firstOrder);
    add("failed", totals.failed);
    add("out of budget", totals.outOfBudget);
    add("uncoupled", totals.uncoupled);
    add("repairs", totals.repairs);
    add("missed", totals.missed);
    add("cut back", totals.cutBack);
    for (int cause = 1; cause < kGradeCauses; ++cause) {
        add(textOf(static_cast<GradeCause>(cause)), totals.networksPerCause[static_cast<std::size_t>(cause)]);
    }
    return text;
}

}  // namespace

Bounds boundsHere() {
    return kIsDouble ? Bounds{} : Bounds::single();
}

const char* precisionHere() {
    return kIsDouble ? "double" : "single";
}

Run runScene(const Scene& scene, double rate, int every, const std::vector<Signal>& signals, const Bounds& bounds,
             const Asked& asked) {
    Run run;
    for (const Signal& signal : signals) run.rows.signals.push_back(signal.name);
    run.rows.columns.resize(signals.size());
    Invariants invariants(scene, bounds);
    try {
        SceneWorld world(scene, rate);
        world.plugin().setAccuracy(asked.accuracy);
        world.plugin().setAudit(asked.audit);
        world.plugin().setMessageHandler([&](const std::string& message) {
            if (std::find(run.messages.begin(), run.messages.end(), message) == run.messages.end()) {
                run.messages.push_back(message);
            }
        });
        int seen = 0;
        world.plugin().setTickHandler(
            [&](const TickRecord& tick) {
                constexpr int kStride = 5;  // neighbours are alike
                constexpr std::size_t kMost = 10;
                if (seen++ % kStride == 0 && run.kept.size() < kMost) run.kept.push_back(tick);
            },
            Grade::Approximate);
        const auto record = [&] {
            const SceneSample sample = world.sample();
            invariants.see(sample);
            if (world.ticks() % every != 0) return;
            run.rows.time.push_back(world.time());
            for (std::size_t i = 0; i < signals.size(); ++i) {
                run.rows.columns[i].push_back(signalValue(scene, sample, signals[i]));
            }
        };
        record();
        const long end = static_cast<long>(scene.duration * rate / every + 1e-6) * every;
        while (world.ticks() < end) {
            world.step();
            record();
        }
        run.counts = countsOf(world.plugin().totals());
        run.inexactTicks = world.plugin().totals().approximateTicks + world.plugin().totals().failedTicks;
        run.hasFailed = world.plugin().totals().failed > 0;
    } catch (const std::exception& error) {
        run.refusal = error.what();
    }
    run.breaches = invariants.breaches();
    run.energyInPlay = invariants.energyInPlay();
    run.hasMotorGivenWay = invariants.hasMotorGivenWay();
    return run;
}

}  // namespace elasto::differential
