#include "gallery/demo.h"

namespace elasto::gallery {

const Registration kElastoGap({
    .name = "elasto_gap",
    .title = "ElastoGap between walls",
    .look = "The lower mass flies freely between the two gaps and is only ever pushed back; the upper one hangs on "
            "springs that also pull.",
    .press = "Drag a mass and let it go; click a stop and raise d until nothing bounces.",
    .scene = "elasto_gap",
    .group = "Modelica's examples",
    .place = 10,
    .selected = "elastoGap1",
    .azimuth = 0.25,
    .elevation = 0.2,
    .zoom = 1.15,
    .names = {{"mass1", "springs"}, {"mass2", "gaps"}},
    .repeats = 6,
    .pictureFrames = 75,
});

}  // namespace elasto::gallery
