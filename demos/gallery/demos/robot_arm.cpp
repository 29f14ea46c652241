#include "gallery/demo.h"

namespace elasto::gallery {

const Registration kRobotArm({
    .name = "robot_arm",
    .title = "Robot arm with play in its joints",
    .look =
        "Two arms on the same drives. Where a link's weight changes sides the front one falls through the play of its "
        "joint and knocks; the other one has none.",
    .press = "Drag a hand and feel the play; set b of play2 to 0 and both go alike.",
    .scene = "gallery/robot_arm",
    .group = "Machines and toys",
    .place = 120,
    .selected = "play2",
    .azimuth = 0.5,
    .elevation = 0.15,
    .names = {{"foreArm", "0.25 rad of play"}, {"foreArmTight", "no play"}},
    .pictureFrames = 64,
});

}  // namespace elasto::gallery
