#include "gallery/demo.h"

namespace elasto::gallery {

const Registration kGapLaws({
    .name = "gap_laws",
    .title = "Three characteristics side by side",
    .look = "Three masses hit equal stops at 1 m/s: the linear law's force jumps and then pulls, noPull still jumps, "
            "ElastoGap does neither.",
    .press = "Press R to see it again, and + or - for the speed: it runs at 1/20, inside the tick.",
    .scene = "gap_laws",
    .group = "Modelica's examples",
    .place = 20,
    .speed = 0.05,
    .selected = "elastoGap3",
    .azimuth = 0.3,
    .elevation = 0.25,
    .zoom = 0.75,
    .stopsAtEnd = true,
    .analysis = panels::Analysis::Law,
    .names = {{"mass1", "linear: pulls"}, {"mass2", "noPull: jumps"}, {"mass3", "ElastoGap"}},
    .pictureFrames = 95,
});

}  // namespace elasto::gallery
