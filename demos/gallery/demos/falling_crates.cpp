#include "gallery/demo.h"

namespace elasto::gallery {

const Registration kFallingCrates({
    .name = "falling_crates",
    .title = "Falling crates on stops",
    .look = "Crates with soft, firm and hard spring feet fall with a second crate on top; the stops glow where the "
            "blow is.",
    .press = "Throw balls with B, drag a crate, or make the soft feet hard with c.",
    .scene = "gallery/falling_crates",
    .group = "Machines and toys",
    .place = 60,
    .selected = "firm1",
    .azimuth = 0.45,
    .elevation = 0.22,
    .zoom = 1.15,
    .analysis = panels::Analysis::Oscilloscope,
    .names = {{"softTop", "soft"}, {"firmTop", "firm"}, {"hardTop", "hard"}},
    .repeats = 6,
    .pictureFrames = 23,
});

}  // namespace elasto::gallery
