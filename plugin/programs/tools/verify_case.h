#pragma once
/// @file verify_case.h
/// Measures a scene against the reference.

#include <elasto/reference/nrmse.h>
#include <elasto/scene/description.h>
#include <elasto/statistics.h>

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "verify_cases.h"

namespace elasto::tools {

/// The worst signal of a group.
struct GroupError {
    SignalGroup group = SignalGroup::Positions;
    SignalError worst;
    std::optional<double> target;
    bool passes() const { return !target || worst.nrmse <= *target; }
};

/// How far the energy rose above its start.
struct EnergyRise {
    double share = 0;  ///< of the energy at the start; heights are counted from the lowest one of the run
    double joule = 0;  ///< the same in J; at most 0 where it never rose
    long ticks = 0;
    std::optional<double> target;
    bool passes() const { return !target || share <= *target; }
};

/// A scene at one rate.
struct CaseResult {
    std::string name;
    double rate = 0;
    std::vector<GroupError> groups;  ///< in the order of SignalGroup; those that have signals
    TickStatistics totals;
    std::optional<EnergyRise> energy;
};

/// Called now and then with the share of the work that is done; returning false ends the work.
using Continue = std::function<bool(double)>;

/// Runs the scene in Bullet and compares it with the reference at every tick.
/// Empty if `proceed` said no. @throws ReferenceError
std::optional<CaseResult> measureAccuracy(const Scene& scene, double rate, const Continue& proceed);

/// Runs the scene for a number of ticks, whatever its duration, and watches kinetic, potential and stored energy.
std::optional<EnergyRise> measureEnergyRise(const Scene& scene, double rate, long ticks, const Continue& proceed);

}  // namespace elasto::tools
