#include "gallery/demo.h"

namespace elasto::gallery {

const Registration kCarOverKerbs({
    .name = "car_over_kerbs",
    .title = "Car with bump stops over kerbs",
    .look = "On the road the springs carry the car; at kerbs the wheels rise into the bump stops, whose rubber grows "
            "stiff at the end of its travel.",
    .press = "Pull at the car, switch off a stop, or press I to look inside the blow.",
    .scene = "gallery/car_over_kerbs",
    .group = "Machines and toys",
    .place = 61,
    .selected = "frontRightStop",
    .azimuth = 0.55,
    .elevation = 0.16,
    .zoom = 1.15,
    .analysis = panels::Analysis::Loop,
    .repeats = 8,
    .followed = "chassis",
    .pictureFrames = 58,
});

}  // namespace elasto::gallery
