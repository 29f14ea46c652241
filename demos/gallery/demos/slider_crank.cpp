#include "gallery/demo.h"

namespace elasto::gallery {

const Registration kSliderCrank({
    .name = "slider_crank",
    .title = "Slider-crank with end stops",
    .look = "A motor drives the slider into an end stop once a turn; the stop's force goes through the joints back "
            "into the motor.",
    .press = "Change the motor's speed and torque until the stop stalls it.",
    .scene = "gallery/slider_crank",
    .group = "Machines and toys",
    .place = 100,
    .selected = "stop",
    .azimuth = 0.25,
    .elevation = 0.3,
    .pictureFrames = 66,
});

}  // namespace elasto::gallery
