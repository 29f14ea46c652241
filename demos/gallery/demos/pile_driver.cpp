#include "gallery/demo.h"

namespace elasto::gallery {

const Registration kPileDriver({
    .name = "pile_driver",
    .title = "Pile driver",
    .look =
        "Each blow of the ram drives the pile a little deeper: the soil is a bushing without a spring, whose friction "
        "gives way at 60 kN.",
    .press = "Raise f_slip of the soil until the pile stands, or press I and look inside a blow.",
    .scene = "gallery/pile_driver",
    .group = "Machines and toys",
    .place = 65,
    .selected = "soil",
    .azimuth = 0.5,
    .elevation = 0.12,
    .zoom = 1.25,
    .analysis = panels::Analysis::Loop,
    .loopSpan = 20,
    .repeats = 14,
    .pictureFrames = 64,
});

}  // namespace elasto::gallery
