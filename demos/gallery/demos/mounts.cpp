#include "gallery/demo.h"

namespace elasto::gallery {

const Registration kMounts({
    .name = "mounts",
    .title = "Mounts that damp by friction",
    .look = "Two engines are pressed down for a second and let go: the left one, on a spring and damper, rings on; the "
            "right one, on a bushing whose friction gives way, is at rest after a few swings. The flywheel turns on a "
            "bushing, too; "
            "on the right a bump stop with a table, and a Hunt-Crossley gap.",
    .press = "Select the bushing and raise f_slip until it sticks for good: both engines ring alike.",
    .scene = "mounts",
    .group = "Machines and toys",
    .place = 95,
    .selected = "bushing",
    .azimuth = 0.2,
    .elevation = 0.18,
    .names =
        {{"onSpring", "spring and damper"}, {"onBushing", "bushing"}, {"load", "bump stop"}, {"ball", "Hunt-Crossley"}},
    .pictureFrames = 130,
});

}  // namespace elasto::gallery
