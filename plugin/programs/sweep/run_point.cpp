#include "run_point.h"

#include "checked_run.h"
#include "doubtful.h"
#include "measure.h"
#include "one_at_a_time.h"
#include "peak_in_robot_ticks.h"
#include "peak_in_ticks.h"
#include "sample_points.h"
#include "servo_stability.h"
#include "tool_errors.h"

#include <elasto/robot/robot_world.h>
#include <elasto/scene/scene_world.h>
#include <elasto/scene/signals.h>

#include <algorithm>
#include <memory>
#include <new>
#include <utility>
#include <vector>

namespace elasto::sweep {

namespace {

template <typename AnySignal>
const AnySignal& named(const std::vector<AnySignal>& signals, const std::string& name) {
    return *std::find_if(signals.begin(), signals.end(), [&](const AnySignal& one) { return one.name == name; });
}

/// Takes the same tick's values for all metrics.
class Measures {
public:
    Measures(const Study& study, const AnyScene& scene) {
        const std::vector<SignalName> names = signalNames(scene);
        for (const Metric& metric : study.metrics) {
            m_signals.push_back(signalOf(metric, names));
            m_measures.emplace_back(metric);
        }
    }

    const std::vector<std::string>& signals() const { return m_signals; }

    /// @param value of a metric's signal
    template <typename Value>
    void add(double time, const Value& value) {
        for (std::size_t i = 0; i < m_measures.size(); ++i) m_measures[i].add(time, value(i));
    }

    Outcome outcome(const TickStatistics& totals, const tools::Doubtful& doubtful) const {
        Outcome outcome;
        for (const Measure& measure : m_measures) outcome.metrics.push_back(measure.result());
        outcome.grade.grade = totals.failedTicks > 0        ? Grade::Failed
                              : totals.approximateTicks > 0 ? Grade::Approximate
                                                            : Grade::Exact;
        outcome.grade.error = totals.error;
        outcome.doubtful = doubtful.text();
        return outcome;
    }

private:
    std::vector<std::string> m_signals;
    std::vector<Measure> m_measures;
};

std::optional<Outcome> runBodies(const Study& study, AnyScene scene, const std::atomic<bool>& stop) {
    Measures measures(study, scene);
    const std::vector<Signal> all = availableSignals(std::get<Scene>(scene));
    std::vector<Signal> signals;
    for (const std::string& name : measures.signals()) signals.push_back(named(all, name));

    OneAtATime<SceneWorld> made(std::get<Scene>(std::move(scene)));
    SceneWorld& world = *made;
    world.plugin().setMessageHandler(nullptr);
    tools::CheckedRun run(world);
    tools::WatchedStops stops(world);
    // Of the metrics that are about peaks of forces; null for the others.
    std::vector<std::unique_ptr<PeakInTicks>> peaks(signals.size());
    for (std::size_t i = 0; i < signals.size(); ++i) {
        if (study.metrics[i].kind != MetricKind::PeakForce) continue;
        peaks[i] = std::make_unique<PeakInTicks>(world.element(static_cast<std::size_t>(signals[i].index)));
    }
    const auto measure = [&](const SceneSample& sample) {
        measures.add(sample.time, [&](std::size_t i) {
            return peaks[i] && world.ticks() > 0 ? peaks[i]->afterTick(world)
                                                 : signalValue(world.scene(), sample, signals[i]);
        });
    };
    measure(world.sample());
    for (const long end = world.ticksToEnd(); world.ticks() < end;) {
        if (stop) return std::nullopt;
        const SceneSample sample = run.step();
        stops.afterTick(sample);
        measure(sample);
    }
    return measures.outcome(world.plugin().totals(), {.untouched = stops.untouched(), .unstable = {}});
}

std::optional<Outcome> runRobot(const Study& study, AnyScene scene, const std::atomic<bool>& stop) {
    Measures measures(study, scene);
    const std::vector<RobotSignal> all = availableRobotSignals(std::get<RobotScene>(scene));
    std::vector<RobotSignal> signals;
    for (const std::string& name : measures.signals()) signals.push_back(named(all, name));

    OneAtATime<RobotWorld> made(std::get<RobotScene>(std::move(scene)));
    RobotWorld& world = *made;
    world.plugin().setMessageHandler(nullptr);
    // Of the metrics that are about peaks of forces; null for the others.
    std::vector<std::unique_ptr<OneAtATime<PeakInRobotTicks>>> peaks(signals.size());
    for (std::size_t i = 0; i < signals.size(); ++i) {
        if (study.metrics[i].kind != MetricKind::PeakForce) continue;
        peaks[i] = std::make_unique<OneAtATime<PeakInRobotTicks>>(world, signals[i]);
    }
    const auto value = [&](std::size_t i) {
        const double force = peaks[i] && world.ticks() > 0 ? (**peaks[i]).afterTick() : world.value(signals[i]);
        return tools::checkedValue(world.time(), signals[i].name, force);
    };
    measures.add(world.time(), value);
    tools::WatchedStops stops(world);
    for (const long end = world.ticksToEnd(); world.ticks() < end;) {
        if (stop) return std::nullopt;
        for (const auto& peak : peaks) {
            if (peak) (**peak).beforeTick();
        }
        tools::checkedTick(world);
        stops.afterTick(world);
        measures.add(world.time(), value);
    }
    return measures.outcome(world.plugin().totals(),
                            {.untouched = stops.untouched(), .unstable = tools::unstableServos(world.scene())});
}

}  // namespace

std::optional<Outcome> runScene(const Study& study, AnyScene scene, const std::atomic<bool>& stop) {
    const bool isRobot = std::holds_alternative<RobotScene>(scene);
    return isRobot ? runRobot(study, std::move(scene), stop) : runBodies(study, std::move(scene), stop);
}

std::optional<Outcome> runPoint(const Study& study, const BaseScene& base, std::size_t run,
                                const std::atomic<bool>& stop) {
    try {
        return runScene(study, base.scene(pointOf(study, run)), stop);
    } catch (const std::bad_alloc&) {
        throw;  // says nothing about the run
    } catch (const tools::IoError&) {
        throw;
    } catch (const std::exception& failure) {
        return Outcome{std::vector<std::optional<double>>(study.metrics.size()), failure.what()};
    }
}

}  // namespace elasto::sweep
