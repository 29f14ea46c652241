#include "gallery/demo.h"

namespace elasto::gallery {

const Registration kGearBacklash({
    .name = "gear_backlash",
    .title = "A drive with play, by other means",
    .look = "A motor drives a wheel to and fro through 0.1 rad of play; beside it the explicit torque and Bullet's "
            "spring constraint.",
    .press = "Lower the tick rate until the explicit torque tears the coupling apart.",
    .scene = "gear_backlash",
    .group = "What Bullet does without it",
    .place = 140,
    .rate = 60,
    .selected = "gear",
    .azimuth = 0.6,
    .elevation = 0.35,
    .analysis = panels::Analysis::Comparison,
    .baselines = {play::BaselineKind::ExplicitForce, play::BaselineKind::SoftLimit},
    .baselineOffset = {0, 0, -0.75},
    .pictureFrames = 90,
});

}  // namespace elasto::gallery
