#pragma once
// A run of a scene at a rate, as the plugin does it.

#include <elasto/audit_settings.h>
#include <elasto/reference/trajectory.h>
#include <elasto/scene/description.h>
#include <elasto/scene/signals.h>
#include <elasto/tick_file.h>

#include <string>
#include <vector>

#include "invariants.h"

namespace elasto::differential {

/// What is asked of the Plugin.
struct Asked {
    Accuracy accuracy;
    AuditSettings audit;
};

struct Run {
    Trajectory rows;                    ///< the judged signals
    std::vector<std::string> messages;  ///< what the plugin said, each once
    std::string counts;                 ///< of what it did and did not say: "implicit 3, first order 1"; else empty
    std::vector<Breach> breaches;
    std::int64_t inexactTicks = 0;          ///< that were approximate or failed
    std::vector<TickRecord> kept;  ///< some of the networks in them
    double energyInPlay = 0;       ///< largest kinetic, stored and lost energy together [J]
    bool hasMotorGivenWay = false, hasFailed = false;
    std::string refusal;  ///< why it ended before its time; else empty
};

/// @param rate a whole multiple of what is recorded: every `every`th tick is a row
Run runScene(const Scene& scene, double rate, int every, const std::vector<Signal>& signals, const Bounds& bounds,
             const Asked& asked);

/// The bounds of the precision that this program is built for.
Bounds boundsHere();
/// "double" or "single".
const char* precisionHere();

}  // namespace elasto::differential
