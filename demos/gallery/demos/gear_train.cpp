#include "gallery/demo.h"

namespace elasto::gallery {

const Registration kGearTrain({
    .name = "gear_train",
    .title = "Gear train with play",
    .look = "The motor drives the wheel over two claw couplings while a torque shakes it: the claws run free, meet and "
            "knock.",
    .press = "Change the motor's speed, or b of a coupling; at 1/100 of the speed one sees the knock inside the tick.",
    .scene = "gallery/gear_train",
    .group = "Machines and toys",
    .place = 110,
    .selected = "coupling1",
    .azimuth = 0.75,
    .elevation = 0.25,
    .pictureFrames = 150,
});

}  // namespace elasto::gallery
