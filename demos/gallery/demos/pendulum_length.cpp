#include "gallery/demo.h"

namespace elasto::gallery {

const Registration kPendulumLength({
    .name = "pendulum_length",
    .title = "Bullet's spring gives any length one period",
    .look = "Equal springs, lengths 1 : 2 : 4, so periods 1 : 2 : 4. Behind them Bullet's 6-dof spring: it limits its "
            "stiffness by the tick and the inertia, and all three swing alike.",
    .press = "Change the tick rate: Bullet's period goes with it, and at 240 Hz the two longer ones are right.",
    .scene = "gallery/pendulum_length",
    .group = "What Bullet does without it",
    .place = 160,
    .speed = 0.1,
    .selected = "spring2",
    .azimuth = 0.15,
    .elevation = 0.12,
    .analysis = panels::Analysis::Comparison,
    .baselines = {play::BaselineKind::SoftLimit},
    .baselineOffset = {0, 0, -0.5},
    .pictureFrames = 330,
});

}  // namespace elasto::gallery
