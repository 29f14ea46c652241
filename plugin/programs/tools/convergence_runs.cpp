#include "convergence_runs.h"

#include <baseline_world.h>
#include <elasto/reference/reference.h>
#include <elasto/scene/scene_world.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <optional>

#include "may_touch.h"
#include "tool_errors.h"

namespace elasto::tools {

namespace {

constexpr double kInfinite = std::numeric_limits<double>::infinity();
/// Fewer instants say little about a motion.
constexpr long kFewestTicks = 5;

/// What the reference leaves out would count as our error.
void requireOracle(const Scene& scene) {
    if (scene.elements.size() != 1) {
        throw InputError(
            fmt::format("scene '{}' has {} elements; a convergence study takes exactly one, whose motion "
                        "is compared",
                        scene.name, scene.elements.size()));
    }
    const auto pairs = shapesThatMayTouch(scene);
    if (pairs.empty()) return;
    throw InputError(
        fmt::format("scene '{}': bodies '{}' and '{}' have shapes that may touch; the reference knows no "
                    "collisions, so that there is no oracle to compare with",
                    scene.name, scene.bodies[pairs[0].first].name, scene.bodies[pairs[0].second].name));
}

/// Why Bullet has nothing of a kind for the element; empty: it has.
std::string whyNone(BaselineKind kind, const SceneElement& element) {
    if (kind == BaselineKind::ExplicitForce) return {};
    if (std::holds_alternative<SpringDamperSeriesLaw>(element.law)) {
        return "Bullet has no constraint with spring and damper in series";
    }
    if (element.geometry == Geometry::AlongLine) return "Bullet has no constraint along the line between two points";
    const bool isSpring = reduced(element.law).kind != ReducedLaw::Kind::Contact;
    if (kind == BaselineKind::Restitution && isSpring) return "a spring has no stop that a body could rebound from";
    return {};
}

struct Instants {
    std::vector<double> times;  ///< [s]
    double lowest = 0;          ///< rate that they are the ticks of [Hz]
};

/// @param step one tick; false: the run is lost  @param value the compared coordinate
template <typename Step, typename Value>
double errorOfRun(const Instants& instants, double rate, const Trajectory& oracle, const Step& step,
                  const Value& value) {
    const long ticks = std::lround(rate / instants.lowest);
    Trajectory run{oracle.time, oracle.signals, {{}}};
    run.columns[0].push_back(value());
    for (std::size_t k = 1; k < instants.times.size(); ++k) {
        for (long tick = 0; tick < ticks; ++tick) {
            if (!step()) return kInfinite;
        }
        run.columns[0].push_back(value());
    }
    const double error = compareSignals(oracle, run).at(0).nrmse;
    return std::isfinite(error) ? error : kInfinite;
}

double baselineError(const Scene& scene, BaselineKind kind, double rate, const Instants& instants,
                     const Trajectory& oracle) {
    BaselineWorld world(scene, kind, rate);
    return errorOfRun(
        instants, rate, oracle,
        [&] {
            world.step();
            return !world.isLost();
        },
        [&] { return world.sample().elements.at(0).s; });
}

double ourError(const Scene& scene, double rate, const Instants& instants, const Trajectory& oracle) {
    SceneWorld world(scene, rate);
    return errorOfRun(
        instants, rate, oracle,
        [&] {
            world.step();
            return true;
        },
        [&] { return world.element(0).s(); });
}

}  // namespace

Convergence measureConvergence(const Scene& scene, const std::vector<double>& rates,
                               const std::function<bool(double)>& onProgress) {
    requireOracle(scene);
    const TickGrid grid("convergence", rates.front());
    const long ticks = std::lround(std::floor(scene.duration * rates.front() * (1 + 1e-12)));
    if (ticks < kFewestTicks) {
        throw InputError(
            fmt::format("scene '{}' lasts {:g} s; at the lowest rate of {:g} Hz it must last at least {} "
                        "ticks, {:g} s",
                        scene.name, scene.duration, rates.front(), kFewestTicks,
                        static_cast<double>(kFewestTicks) / rates.front()));
    }
    Instants instants{{}, rates.front()};
    for (long tick = 0; tick <= ticks; ++tick) instants.times.push_back(grid.timeOf(tick));

    const SceneElement& element = scene.elements.front();
    const Trajectory all = solveReference(scene, instants.times);
    Convergence result;
    result.scene = scene.name;
    result.duration = instants.times.back();
    result.rates = rates;
    for (const char* word : {"s_rel", "phi_rel", "s"}) {
        const std::string signal = element.name + "." + word;
        if (result.signal.empty() && all.find(signal) >= 0) result.signal = signal;
    }
    const Trajectory oracle{all.time, {result.signal}, {all.at(result.signal)}};

    constexpr BaselineKind kKinds[] = {BaselineKind::ExplicitForce, BaselineKind::SoftLimit, BaselineKind::Restitution};
    constexpr const char* kNames[] = {"explicit", "soft row", "restitution"};
    for (std::size_t i = 0; i < std::size(kKinds); ++i) {
        result.ways.push_back({kNames[i], whyNone(kKinds[i], element), {}});
    }
    result.ways.push_back({"Elasto", {}, {}});
    double done = 0;
    double work = 0;
    for (const double rate : rates) work += rate * static_cast<double>(result.ways.size());
    for (const double rate : rates) {
        for (std::size_t i = 0; i < result.ways.size(); ++i) {
            if (!onProgress(done / work)) return result;
            ConvergenceWay& way = result.ways[i];
            if (way.reason.empty()) {
                way.errors.push_back(i < std::size(kKinds) ? baselineError(scene, kKinds[i], rate, instants, oracle)
                                                           : ourError(scene, rate, instants, oracle));
            }
            done += rate;
        }
    }
    return result;
}

}  // namespace elasto::tools
