#include "gallery/demo.h"

namespace elasto::gallery {

const Registration kComparison({
    .name = "comparison",
    .title = "The same stop without Elasto",
    .look = "One ball on one stop, four times: Elasto comes back to its height; the explicit force explodes, the soft "
            "limit swallows the rebound, restitution drifts off.",
    .press = "Move the tick rate from 30 to 1000 Hz in the comparison panel and read the errors.",
    .scene = "gallery/stiff_stop",
    .group = "What Bullet does without it",
    .place = 130,
    .rate = 60,
    .selected = "stop",
    .azimuth = 0.0,
    .elevation = 0.12,
    .analysis = panels::Analysis::Comparison,
    .baselines = {play::BaselineKind::ExplicitForce, play::BaselineKind::SoftLimit, play::BaselineKind::Restitution},
    .baselineOffset = {0.24, 0, 0},
    .pictureFrames = 60,
});

}  // namespace elasto::gallery
