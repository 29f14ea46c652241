#include "gallery/demo.h"

namespace elasto::gallery {

const Registration kStickSlip({
    .name = "stick_slip",
    .title = "Stick and slip on a belt",
    .look = "Both blocks rub on the same belt. The front one is held the more firmly the slower it slides: it sticks, "
            "breaks loose and flies back. The other one, with friction that grows with the speed, settles.",
    .press = "Lower F_Stribeck until the front block settles too, or pull a block.",
    .scene = "gallery/stick_slip",
    .group = "Machines and toys",
    .place = 93,
    .selected = "stribeckFriction",
    .azimuth = 0.22,
    .elevation = 0.55,
    .zoom = 2.1,
    .names = {{"stribeck", "Stribeck's curve"}, {"coulomb", "grows with the speed"}},
    .repeats = 19,
    .pictureFrames = 225,
});

}  // namespace elasto::gallery
