#include "gallery/demo.h"

namespace elasto::gallery {

const Registration kDemo({
    .name = "preload",
    .title = "PreLoad spool",
    .look = "A spool between two preloaded plates: force against position makes a loop with a step where the force "
            "exceeds the preload.",
    .press = "Watch the force-displacement loop fill; drag the spool through the step.",
    .scene = "preload",
    .group = "Modelica's examples",
    .place = 40,
    .speed = 4,
    .selected = "spring",
    .azimuth = 0.3,
    .elevation = 0.3,
    .zoom = 0.7,
    .analysis = panels::Analysis::Loop,
    .pictureFrames = 420,
});

}  // namespace elasto::gallery
