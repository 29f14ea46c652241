#include "gallery/demo.h"

namespace elasto::gallery {

const Registration kSinkingBox({
    .name = "sinking_box",
    .title = "Bullet's soft contacts let boxes sink",
    .look = "Boxes of 10 kg on 2.5, 4 and 12 kN/m. Behind them Bullet's contacts with the same stiffness and damping: "
            "the one on 4 kN/m sinks to 162 mm instead of 25. At the back the contacts without these numbers.",
    .press = "Set 240 Hz: it falls through. Raise d of contact2: it comes back.",
    .scene = "gallery/sinking_box",
    .group = "What Bullet does without it",
    .place = 150,
    .selected = "contact2",
    .azimuth = 0.4,
    .elevation = 0.5,
    .zoom = 0.88,
    .analysis = panels::Analysis::Comparison,
    .baselines = {play::BaselineKind::SoftContact, play::BaselineKind::HardContact},
    .baselineOffset = {0, 0, -1.3},
    .pictureFrames = 110,
});

}  // namespace elasto::gallery
