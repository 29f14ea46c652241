#include "gallery/demo.h"

namespace elasto::gallery {

const Registration kFingerLimit({
    .name = "finger_limit",
    .title = "A joint limit too stiff for its tick",
    .look = "A finger falls onto its joint's limit of 10 kN m/rad, far too stiff for 120 Hz. Elasto's comes to "
            "rest on it; a torque per tick tears the other off its hinge, up to 1000 Hz.",
    .press = "Press R and watch the blow. Press - until the speed is 1/1000 to see it inside the tick.",
    .scene = "gallery/finger_limit",
    .group = "What Bullet does without it",
    .place = 170,
    .speed = 0.25,
    .selected = "limit",
    .azimuth = 0.3,
    .elevation = 0.2,
    .zoom = 1.25,
    .analysis = panels::Analysis::Comparison,
    .baselines = {play::BaselineKind::ExplicitForce},
    .baselineOffset = {0.26, 0, 0},
    .pictureFrames = 100,
});

}  // namespace elasto::gallery
