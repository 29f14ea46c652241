#include "gallery/demo.h"

namespace elasto::gallery {

const Registration kPreloadSpool({
    .name = "preload_spool",
    .title = "Spool between preloaded plates",
    .look = "A spool between two preloaded plates. Its load over its position makes a loop: a step until the force "
            "exceeds the preload, and friction opens it.",
    .press = "Change d of the friction and see the loop open; drag the spool through the step.",
    .scene = "gallery/preload_spool",
    .group = "Modelica's examples",
    .place = 40,
    .selected = "friction",
    .azimuth = 0.3,
    .elevation = 0.3,
    .zoom = 0.95,
    .analysis = panels::Analysis::Loop,
    .loopOfLoad = true,
    .loopSpan = 10,
    .names = {{"spool", "spool, pulled to and fro"}, {"springPlateB", "plates on a preloaded spring"}},
    .pictureFrames = 870,
});

}  // namespace elasto::gallery
