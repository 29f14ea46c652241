#include "compare.h"

#include <align.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "scene_facts.h"

namespace elasto::differential {

namespace {

enum class Kind { Place, Turn, Part, Heat };

Kind kindOf(const Scene& scene, const Signal& signal) {
    switch (signal.kind) {
        case SignalKind::BodyOrientation:
            return Kind::Part;
        case SignalKind::TotalHeat:
            return Kind::Heat;
        case SignalKind::ElementS:
            return scene.elements[static_cast<std::size_t>(signal.index)].geometry == Geometry::AboutAxis ? Kind::Turn
                                                                                                          : Kind::Place;
        default:
            return Kind::Place;
    }
}

double rangeOf(const std::vector<double>& column) {
    const auto [least, most] = std::minmax_element(column.begin(), column.end());
    return *most - *least;
}

}  // namespace

std::vector<Signal> judgedSignals(const Scene& scene) {
    std::vector<Signal> signals = availableSignals(scene);
    std::erase_if(signals, [&](const Signal& signal) {
        switch (signal.kind) {
            case SignalKind::BodyPosition:
            case SignalKind::BodyOrientation:
                return scene.bodies[static_cast<std::size_t>(signal.index)].motion != BodyMotion::Dynamic;
            case SignalKind::ElementS:
            case SignalKind::ElementDamperLength:
            case SignalKind::TotalHeat:
                return false;
            default:
                return true;
        }
    });
    return signals;
}

Difference differenceOf(const Scene& scene, const Trajectory& reference, Trajectory run,
                        const std::vector<Signal>& signals, const Bounds& bounds, double bound, double energyInPlay) {
    tools::alignQuaternions(reference, run);
    std::map<Kind, double> most;
    for (const Signal& signal : signals) {
        double& one = most[kindOf(scene, signal)];
        one = std::max(one, rangeOf(reference.at(signal.name)));
    }
    const bool touches = canTouch(scene);
    Difference difference;
    for (const Signal& signal : signals) {
        const Kind kind = kindOf(scene, signal);
        const std::vector<double>& expected = reference.at(signal.name);
        const std::vector<double>& actual = run.at(signal.name);
        const double least = kind == Kind::Heat    ? std::max(bounds.leastHeat * energyInPlay, bounds.leastHeatAtAll)
                             : kind == Kind::Place ? (touches ? bounds.leastPlaceTouching : bounds.leastPlace)
                                                   : (touches ? bounds.leastTurnTouching : bounds.leastTurn);
        const double range = std::max({rangeOf(expected), bounds.least * most[kind], least, 1e-300});
        for (std::size_t k = 0; k < expected.size(); ++k) {
            double error = std::abs(actual[k] - expected[k]);
            if (!std::isfinite(error)) error = HUGE_VAL;
            const double share = error / range;
            if (kind != Kind::Heat) difference.place = std::max(difference.place, error);
            if (share > difference.share) {
                difference.share = share;
                difference.signal = signal.name;
                difference.error = error;
            }
            if (share <= bound) continue;
            if (difference.firstTime < 0 || reference.time[k] < difference.firstTime) {
                difference.firstTime = reference.time[k];
                difference.firstSignal = signal.name;
                difference.expected = expected[k];
                difference.actual = actual[k];
            }
            // Later rows cannot be the first, but may be the worst.
        }
    }
    return difference;
}

}  // namespace elasto::differential
