#include "gallery/demo.h"

namespace elasto::gallery {

const Registration kDemo({
    .name = "stiff_stop",
    .title = "A stop with h omega = 29",
    .look = "The contact lasts a tenth of a 60 Hz tick, and the ball still comes back to its height: the oscilloscope "
            "shows the force inside the tick.",
    .press = "Press - until the speed is 1/1000, and Right for single ticks; the ghost is the explicit force.",
    .scene = "gallery/stiff_stop",
    .group = "What Bullet does without it",
    .place = 170,
    .selected = "stop",
    .azimuth = 0.2,
    .elevation = 0.15,
    .analysis = panels::Analysis::Oscilloscope,
    .rivals = {play::RivalKind::ExplicitForce},
    .pictureFrames = 18,
});

}  // namespace elasto::gallery
