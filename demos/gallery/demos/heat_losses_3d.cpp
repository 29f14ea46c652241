#include "gallery/demo.h"

namespace elasto::gallery {

const Registration kHeatLosses3d({
    .name = "heat_losses_3d",
    .title = "Where the energy goes: dampers that heat",
    .look = "Three bodies fall into springs and dampers; what the dampers take heats one convection. The third has its "
            "damper in series with a spring.",
    .press = "Drag a body sideways; compare the heat of the dampers in the plots.",
    .scene = "heat_losses_3d",
    .group = "Modelica's examples",
    .place = 50,
    .selected = "springDamperSeries",
    .azimuth = 0.3,
    .elevation = 0.12,
    .zoom = 0.9,
    .analysis = panels::Analysis::Loop,
    .names = {{"body1", "spring and damper"}, {"body2", "in parallel"}, {"body3", "damper in series"}},
    .repeats = 8,
    .pictureFrames = 42,
});

}  // namespace elasto::gallery
