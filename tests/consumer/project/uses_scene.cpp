// A scene file in a world: a mass on a spring, half a period after it was let go.
#include <elasto/scene/load_scene.h>
#include <elasto/scene/recorder.h>
#include <elasto/scene/scene_world.h>

#include <cmath>
#include <cstdio>

int main() {
    // c = pi^2: the period is 2 s.
    const char* text = R"({
        "elasto": 1, "name": "oscillator", "gravity": [0, 0, 0], "rate": 100, "duration": 1,
        "bodies": [{"name": "mass", "mass": 1, "inertia": [1, 1, 1], "position": [0.1, 0, 0]}],
        "elements": [{"name": "spring", "type": "SpringDamper", "frame_a": {"body": "world"}, "frame_b": {"body": "mass"},
                      "axis": [1, 0, 0], "c": 9.8696044010893586, "d": 0}],
        "record": ["*"]})";
    elasto::SceneWorld world(elasto::parseScene(text));
    elasto::Recorder recorder(world);
    while (world.ticks() < world.ticksToEnd()) {
        world.step();
        recorder.record();
    }
    const double s = recorder.column("spring.s_rel").back();
    if (std::abs(s + 0.1) > 1e-6) {
        std::printf("%.9g m instead of -0.1 m\n", s);
        return 1;
    }
    std::printf("%s precision: ok\n", elasto::kPrecision);
}
