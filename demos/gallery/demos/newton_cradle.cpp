#include "gallery/demo.h"

namespace elasto::gallery {

const Registration kNewtonCradle({
    .name = "newton_cradle",
    .title = "Newton's cradle",
    .look = "Five balls on strings with Hertz contacts: what comes in on one side leaves on the other, at any tick "
            "rate.",
    .press = "Drag two balls aside and let go; slow down to 1/1000 while they touch.",
    .scene = "gallery/newton_cradle",
    .group = "Machines and toys",
    .place = 80,
    .selected = "contact23",
    .azimuth = 0.3,
    .elevation = 0.1,
    .analysis = panels::Analysis::Oscilloscope,
    .pictureFrames = 23,
});

}  // namespace elasto::gallery
