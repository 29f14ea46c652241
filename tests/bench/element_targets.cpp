#include <algorithm>

#include "element_costs.h"
#include "stopwatch.h"
#include "targets.h"

namespace elasto::bench {

namespace {

/// Frames of 1/60 s of bouncing bodies: ours in one tick each, the explicit law in `ticks`.
double frameOverExplicit(int bodies, int ticks) {
    constexpr int kFrames = 24;  // about one bounce
    constexpr int kShare = 24;   // of the explicit law's frame that is timed
    Field ours({.bodies = bodies, .course = Course::Bouncing, .h = 1.0 / 60});
    Field theirs({.bodies = bodies, .push = Push::ExplicitLaw, .course = Course::Bouncing, .h = 1.0 / 60 / ticks});
    const int each = std::max(1, ticks / kShare);
    std::vector<double> frames, shares;
    for (int frame = 0; frame < 2 * kFrames; ++frame) {
        frames.push_back(timed([&] { ours.step(); }));
        shares.push_back(timed([&] {
                             for (int i = 0; i < each; ++i) theirs.step();
                         }) *
                         ticks / each);
    }
    double frameTime = 0;
    for (const double time : frames) frameTime += time / static_cast<double>(frames.size());
    return frameTime / quantile(shares, 0.5);
}

}  // namespace

std::vector<Target> elementTargets() {
    constexpr int kMany = 10000;
    const auto ratio = [](Course course) {
        return [course] { return costOf({.bodies = kMany, .course = course}).ratio(); };
    };
    const auto growth = [](Course course) {
        return [course] {
            // Bodies with elements may cost less than without. What is less than a tenth of a body cannot be compared.
            const ElementCost few = costOf({.bodies = 100, .course = course});
            const double least = 0.1 * few.bodies;
            return std::max(costOf({.bodies = 100000, .course = course}).added, least) / std::max(few.added, least);
        };
    };
    const std::string per = ", N = 1e4: added cost per tick / Bullet's per free body";
    return {
        {"isolated element, idle" + per, 0.3, true, ratio(Course::Flight)},
        {"isolated element, resting" + per, 0.3, true, ratio(Course::Rest)},
        {"isolated element, an impact in every tick" + per, 1.5, true, ratio(Course::Impact)},
        {"resting element: added cost at N = 1e5 / at N = 100", 2, true, growth(Course::Rest)},
        {"element with impacts: added cost at N = 1e5 / at N = 100", 2, true, growth(Course::Impact)},
        {"frame of 1e4 elements at 60 Hz / explicit law at the tick of equal accuracy (c = 1e6)", 0.01, true,
         [] { return frameOverExplicit(kMany, explicitTicksFor(std::max(bounceError(Push::Elasto, 1), 1e-3))); }},
        {"memory per isolated element [bytes]", 1024, true, [] { return memoryPerElement(kMany); }},
    };
}

}  // namespace elasto::bench
