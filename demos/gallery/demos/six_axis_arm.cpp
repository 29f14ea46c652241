#include "gallery/demo.h"

namespace elasto::gallery {

const Registration kSixAxisArm({
    .name = "six_axis_arm",
    .title = "Six-axis arm with backlash in its gears",
    .look = "Six motors swing the arm through worn gears: where a joint turns back, its link runs through the play and "
            "knocks.",
    .press = "Pull the hand: the pale arm is where the motors are. Click a link to see the play of its joint.",
    .scene = "gallery/six_axis_arm",
    .guests = robotNamed("arm6_swinging"),
    .group = "Machines and toys",
    .place = 125,
    .selected = "elbow.backlash",
    .azimuth = 0.5,
    .elevation = 0.2,
    .pictureFrames = 60,
});

}  // namespace elasto::gallery
