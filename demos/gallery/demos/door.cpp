#include "gallery/demo.h"

namespace elasto::gallery {

const Registration kDoor({
    .name = "door",
    .title = "Door slammed by a ball",
    .look = "A ball slams the door open; the rubber stop on the wall throws it back into its frame, and the frame "
            "throws it open again.",
    .press = "Throw balls with B, drag the door, or raise d of wallStop until it stays open.",
    .scene = "gallery/door",
    .group = "Machines and toys",
    .place = 66,
    .selected = "wallStop",
    .azimuth = 2.5,
    .elevation = 0.25,
    .analysis = panels::Analysis::Oscilloscope,
    .repeats = 10,
    .pictureFrames = 40,
});

}  // namespace elasto::gallery
