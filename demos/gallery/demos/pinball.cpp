#include "gallery/demo.h"

namespace elasto::gallery {

const Registration kPinball({
    .name = "pinball",
    .title = "Pinball",
    .look = "Walls, bumpers and plunger are ElastoGaps; the flippers turn in the play of an ElastoBacklash. The ball "
            "flies the same way at 240 and at 1000 Hz.",
    .press = "Hold the plunger, let go, and play. Lost balls come back.",
    .scene = "gallery/pinball",
    .group = "Machines and toys",
    .place = 62,
    .selected = "bumper1",
    .azimuth = 0,
    .elevation = 1.05,
    .zoom = 1.1,
    .analysis = panels::Analysis::Oscilloscope,
    .motors = {{"Plunger", 'K', "rod", 0.25, 60},
               {"Left flipper", 'N', "leftPivot", 25, 0.5},
               {"Right flipper", 'M', "rightPivot", -25, 0.5}},
    .pictureFrames = 60,
});

}  // namespace elasto::gallery
