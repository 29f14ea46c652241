#include "gallery/demo.h"

namespace elasto::gallery {

const Registration kGearBox({
    .name = "gear_box",
    .title = "Gear box without losses",
    .look = "Modelica's IdealGear and ElastoBacklash as one gear pair, between two free bodies: the pinion crosses the "
            "play "
            "four times as far as the wheel would, then takes it along.",
    .press = "Drag the wheel's rim, or slide b of mesh to 0: the knocks are gone.",
    .scene = "gear_box",
    .group = "Modelica's examples",
    .place = 35,
    .selected = "mesh",
    .azimuth = 0.25,
    .elevation = 0.2,
    .zoom = 0.85,
    .analysis = panels::Analysis::Loop,
    .pictureFrames = 50,
});

}  // namespace elasto::gallery
