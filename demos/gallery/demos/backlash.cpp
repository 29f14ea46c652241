#include "gallery/demo.h"

namespace elasto::gallery {

const Registration kBacklash({
    .name = "backlash",
    .title = "Backlash",
    .look = "Three turned inertias let go: on a spring-damper, on an ElastoBacklash of 45 degrees, and on "
            "ElastoBacklash2; the play is the gap between the claws.",
    .press = "Drag a disc's rim; change b and see the claws move apart.",
    .scene = "backlash",
    .group = "Modelica's examples",
    .place = 30,
    .speed = 0.25,
    .selected = "elastoBacklash",
    .azimuth = 0.2,
    .elevation = 0.3,
    .names = {{"inertia1", "spring and damper"}, {"inertia2", "ElastoBacklash"}, {"inertia3", "ElastoBacklash2"}},
    .pictureFrames = 50,
});

}  // namespace elasto::gallery
