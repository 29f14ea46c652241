#include "may_touch.h"

#include <algorithm>

namespace elasto::tools {

namespace {

bool areJoined(const Scene& scene, int a, int b) {
    const auto joins = [&](const auto& one) {
        const int first = one.frame_a.body;
        const int second = one.frame_b.body;
        return (first == a && second == b) || (first == b && second == a);
    };
    return std::any_of(scene.elements.begin(), scene.elements.end(), joins) ||
           std::any_of(scene.joints.begin(), scene.joints.end(), joins);
}

}  // namespace

std::vector<std::pair<std::size_t, std::size_t>> shapesThatMayTouch(const Scene& scene) {
    std::vector<std::pair<std::size_t, std::size_t>> pairs;
    for (std::size_t k = 0; k < scene.bodies.size(); ++k) {
        for (std::size_t i = k + 1; i < scene.bodies.size(); ++i) {
            const SceneBody &first = scene.bodies[k], &second = scene.bodies[i];
            if (first.shape.type == SceneShape::Type::None || second.shape.type == SceneShape::Type::None) continue;
            if (first.motion != BodyMotion::Dynamic && second.motion != BodyMotion::Dynamic) continue;
            if (areJoined(scene, static_cast<int>(k), static_cast<int>(i))) continue;
            pairs.emplace_back(k, i);
        }
    }
    return pairs;
}

}  // namespace elasto::tools
