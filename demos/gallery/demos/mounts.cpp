#include "gallery/demo.h"

namespace elasto::gallery {

const Registration kMounts({
    .name = "mounts",
    .title = "Mounts that damp by friction",
    .look =
        "Two engines are pressed down for a second and let go. The left one rings on its spring and damper. The right "
        "one's bushing gives way at 60 N: it moves twice as far, friction takes most of that at once, then it sticks "
        "and rings like the other. A flywheel on a bushing, a bump stop with a table, and a Hunt-Crossley gap.",
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
