#include "gallery/demo.h"

namespace elasto::gallery {

const Registration kPendulumStops({
    .name = "pendulum_stops",
    .title = "Pendulum between end stops",
    .look = "The left stop is soft, the right one fifty times as stiff: deep and slow here, a blow of a few "
            "milliseconds there.",
    .press = "Drag the pendulum; select a stop and look at the oscilloscope.",
    .scene = "gallery/pendulum_stops",
    .group = "Machines and toys",
    .place = 90,
    .selected = "stopLeft",
    .azimuth = 0.2,
    .elevation = 0.1,
    .analysis = panels::Analysis::Oscilloscope,
    .pictureFrames = 24,
});

}  // namespace elasto::gallery
