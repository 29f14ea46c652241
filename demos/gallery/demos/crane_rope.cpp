#include "gallery/demo.h"

namespace elasto::gallery {

const Registration kCraneRope({
    .name = "crane_rope",
    .title = "Crane whose rope goes slack",
    .look = "The crate is set down, the rope goes slack, and the jib is raised too fast: the rope snaps taut and "
            "throws the "
            "crate up. It pulls and never pushes.",
    .press = "Lower f_max to 12 kN: the winch's brake gives way at each snap, and the rope gets longer.",
    .scene = "gallery/crane_rope",
    .group = "Machines and toys",
    .place = 67,
    .selected = "rope",
    .azimuth = 0.35,
    .elevation = 0.15,
    .zoom = 0.9,
    .repeats = 24,
    .pictureFrames = 220,
});

}  // namespace elasto::gallery
