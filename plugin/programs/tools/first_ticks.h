#pragma once
/// @file first_ticks.h
/// What can be said of a scene's ticks beforehand: what is found at its start, and how good its first ticks are.

#include <elasto/plugin.h>
#include <elasto/robot/robot_scene.h>
#include <elasto/scene/description.h>

#include <optional>
#include <string>
#include <vector>

#include "exact_rate.h"
#include "json_output.h"

namespace elasto::tools {

/// Ticks that are run beforehand at most, and the work they, and then the tries of other rates, may take, in units of
/// TickResult::cost: about a second each.
inline constexpr long kFirstTicks = 100;
inline constexpr double kFirstWork = 3e6;

struct FirstTicks {
    /// What check() finds, shapes that begin inside each other, and what the plugin has warned of: one line each.
    std::vector<std::string> findings;
    long ticks = 0;                      ///< that were run
    long ofTicks = 0;                    ///< that the whole run has
    double rate = 0;                     ///< [Hz]
    TickStatistics totals;               ///< of those that were run
    bool isBroken = false;               ///< the next one could not be solved at all: `elasto run` says why
    std::optional<ExactRate> exactRate;  ///< where not all of them were exact
};

/// @param rate [Hz]
FirstTicks firstTicks(const Scene& scene, double rate);
FirstTicks firstTicks(const RobotScene& scene, double rate);  ///< the same of a robot

/// As text, an empty line before it.
std::string textOf(const FirstTicks& first);
/// The same for programs.
Json jsonOf(const FirstTicks& first);

}  // namespace elasto::tools
