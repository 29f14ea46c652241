#include "gallery/demo.h"

namespace elasto::gallery {

const Registration kCraneRope({
    .name = "crane_rope",
    .title = "Crane whose rope goes slack",
    .look = "The crate is set down, the rope goes slack, and the jib is raised too fast: the rope snaps taut and "
            "throws the "
            "crate up. It pulls and never pushes.",
    .press = "Lower c of the rope for a softer snap, or throw balls at the hanging crate.",
    .scene = "gallery/crane_rope",
    .group = "Machines and toys",
    .place = 66,
    .selected = "rope",
    .azimuth = 0.35,
    .elevation = 0.15,
    .zoom = 1.2,
    .repeats = 24,
    .pictureFrames = 90,
});

}  // namespace elasto::gallery
