#include "gallery/demo.h"

namespace elasto::gallery {

const Registration kEggPicker({
    .name = "egg_picker",
    .title = "Fingers that pick up an egg",
    .look =
        "Both drives close 4 mm too far. The left fingers hang on springs and hold the egg with 6 N; the stiff ones "
        "press with 800 N, and an egg breaks at some 40 N.",
    .press = "Pull at an egg in its fingers, or lower c of softLeft until the egg slips.",
    .scene = "gallery/egg_picker",
    .group = "Machines and toys",
    .place = 63,
    .selected = "softLeft",
    .azimuth = 0.25,
    .elevation = 0.2,
    .zoom = 1.25,
    .names = {{"softEgg", "1.5 N/mm in series"}, {"stiffEgg", "200 N/mm"}},
    .repeats = 6,
    .pictureFrames = 140,
});

}  // namespace elasto::gallery
