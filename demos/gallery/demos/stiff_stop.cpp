#include "gallery/demo.h"

namespace elasto::gallery {

const Registration kStiffStop({
    .name = "stiff_stop",
    .title = "One ball, one stop, four ways",
    .look =
        "The same ball falls on the same stop. Elasto's comes back to its height; a force per tick explodes, the soft "
        "limit swallows the rebound, restitution drifts off.",
    .press = "Drag the tick rate, lower right, from 30 to 1000 Hz and read the errors beside it.",
    .scene = "gallery/stiff_stop",
    .group = "Start here",
    .place = 5,
    .rate = 60,
    .selected = "stop",
    .azimuth = 0.0,
    .elevation = 0.12,
    .analysis = panels::Analysis::Comparison,
    .baselines = {play::BaselineKind::ExplicitForce, play::BaselineKind::SoftLimit, play::BaselineKind::Restitution},
    .baselineOffset = {0.3, 0, 0},
    .pictureFrames = 60,
});

}  // namespace elasto::gallery
