#pragma once
// How far a run is from another one, as a share of what moves.

#include <elasto/reference/trajectory.h>
#include <elasto/scene/description.h>
#include <elasto/scene/signals.h>

#include <string>
#include <vector>

#include "bounds.h"

namespace elasto::differential {

/// Places, turns and heat of what moves. (Velocities jump: a rebound that comes a microsecond later would be wrong by
/// all of it.)
std::vector<Signal> judgedSignals(const Scene& scene);

struct Difference {
    double share = 0;                 ///< largest error of the worst signal, of its range
    std::string signal;               ///< the worst one
    double error = 0;                 ///< its largest error [its unit]
    double place = 0;                 ///< largest error of any place or turn [m, rad]
    double firstTime = -1;            ///< when any signal was first further apart than the bound [s]; < 0: never
    std::string firstSignal;          ///< which that was
    double expected = 0, actual = 0;  ///< its values then
};

/// @param bound largest share that is right
/// @param energyInPlay what heat is compared with [J]
/// Rows are those of both; both have the judged signals. What is not finite is infinitely far away.
Difference differenceOf(const Scene& scene, const Trajectory& reference, Trajectory run,
                        const std::vector<Signal>& signals, const Bounds& bounds, double bound, double energyInPlay);

}  // namespace elasto::differential
