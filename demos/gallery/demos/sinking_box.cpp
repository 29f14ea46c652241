#include "gallery/demo.h"

namespace elasto::gallery {

const Registration kDemo({
    .name = "sinking_box",
    .title = "The box that sinks",
    .look = "Stops of 2, 8 and 32 kN/m: the boxes sink by m g / c, the stiffer the less, at any tick rate. Behind them "
            "Bullet's soft limits.",
    .press = "Raise c of a stop; change the tick rate and the number of iterations.",
    .scene = "gallery/sinking_box",
    .group = "What Bullet does without it",
    .place = 150,
    .selected = "contact1",
    .azimuth = 0.35,
    .elevation = 0.42,
    .analysis = panels::Analysis::Comparison,
    .rivals = {play::RivalKind::SoftLimit},
    .rivalOffset = {0, 0, -1.0},
    .pictureFrames = 110,
});

}  // namespace elasto::gallery
