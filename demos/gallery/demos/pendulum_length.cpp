#include "gallery/demo.h"

namespace elasto::gallery {

const Registration kDemo({
    .name = "pendulum_length",
    .title = "A spring that knows the pendulum's length",
    .look = "Equal rotational springs, lengths 1 : 2 : 4, so periods 1 : 2 : 4. Behind them Bullet's springs, whose "
            "stiffness is limited for stability.",
    .press = "Change c of one pendulum; change the tick rate and see which periods move.",
    .scene = "gallery/pendulum_length",
    .group = "What Bullet does without it",
    .place = 160,
    .selected = "spring2",
    .azimuth = 0.15,
    .elevation = 0.12,
    .analysis = panels::Analysis::Comparison,
    .rivals = {play::RivalKind::SoftLimit},
    .rivalOffset = {0, 0, -0.5},
    .pictureFrames = 75,
});

}  // namespace elasto::gallery
