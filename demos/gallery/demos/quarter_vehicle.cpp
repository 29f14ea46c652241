#include "gallery/demo.h"

namespace elasto::gallery {

const Registration kQuarterVehicle({
    .name = "quarter_vehicle",
    .title = "Quarter vehicle with a series damper strut",
    .look = "The platform kicks the wheel up: the strut's mount (the coil behind the cylinder) gives way before its "
            "damper does, and the tyre lifts off.",
    .press = "Press the chassis down with the mouse; lower d of the strut and the wheel keeps hopping.",
    .scene = "gallery/quarter_vehicle",
    .group = "Machines and toys",
    .place = 70,
    .selected = "strut",
    .azimuth = 0.5,
    .elevation = 0.15,
    .pictureFrames = 69,
});

}  // namespace elasto::gallery
