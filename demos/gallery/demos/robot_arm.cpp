#include "gallery/demo.h"

namespace elasto::gallery {

const Registration kRobotArm({
    .name = "robot_arm",
    .title = "Robot arm with play in its joints",
    .look = "Where a link's weight changes sides it falls through the play of its joint and knocks.",
    .press = "Drag the hand and feel the play; set b to 0 and the play is gone.",
    .scene = "gallery/robot_arm",
    .group = "Machines and toys",
    .place = 120,
    .selected = "play2",
    .azimuth = 0.2,
    .elevation = 0.15,
    .zoom = 0.85,
    .pictureFrames = 60,
});

}  // namespace elasto::gallery
