#pragma once
// The verdict on a scene.

#include <elasto/scene/description.h>

#include <string>

#include "bounds.h"
#include "estimates.h"
#include "run_scene.h"

namespace elasto::differential {

enum class Verdict { Right, Chaotic, Announced, Silent, Broken };

struct Judgement {
    Verdict verdict = Verdict::Right;
    std::string judge;      ///< who says so: "CVODE", "4020 Hz", or what does not hold, as "momentum"
    double place = 0;       ///< largest error of any place or turn [m, rad]
    double share = 0;       ///< how wrong: largest error of the worst signal, of its range
    std::string signal;     ///< the worst one, or what does not hold
    double firstTime = -1;  ///< when the run was first beyond the bound [s]
    std::string text;       ///< the same in words, with what the run announced and counted
    Estimates estimates;    ///< of ticks that were not exact
    std::int64_t inexactTicks = 0;   ///< how many there were
    double coarse = -1;     ///< share at 60 Hz, where that was asked for and the rate is another one
};

struct JudgeOptions {
    bool comparesRates = false;  ///< is no rate worse than 60 Hz?
    Asked asked;                 ///< of the runs that are judged
    /// Is what is off chaotic, where the run and the finer one both say that they are not exact? It is not wrong in
    /// silence either way, and asking takes two more fine runs.
    bool asksIfAnnouncedIsChaotic = true;
};

/// Runs the scene at its own rate, and whatever it takes to say whether that is right.
Judgement judge(const Scene& scene, const JudgeOptions& options);

/// "right" and so on.
const char* nameOf(Verdict verdict);

}  // namespace elasto::differential
