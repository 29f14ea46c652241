#include "balls.h"

#include <algorithm>
#include <vector>

namespace elasto::play {
inline namespace ELASTO_BULLET_NAMESPACE {

namespace {

/// Where balls wait [m]: out of the way of anything a scene does, and of each other.
constexpr double kParkedHeight = 1e5;
constexpr double kParkedDistance = 10;

std::optional<double> median(std::vector<double> values) {
    if (values.empty()) return std::nullopt;
    const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
    std::nth_element(values.begin(), middle, values.end());
    return *middle;
}

/// Smallest extent of a shape [m]; nothing for shapes without one.
std::optional<double> extentOf(const SceneShape& shape) {
    switch (shape.type) {
        case SceneShape::Type::Box:
            return shape.size.minCoeff();
        case SceneShape::Type::Sphere:
        case SceneShape::Type::Cylinder:
        case SceneShape::Type::Capsule:
            return 2 * shape.radius;
        default:
            return std::nullopt;
    }
}

bool isTaken(const Scene& scene, const std::string& name) {
    return std::any_of(scene.bodies.begin(), scene.bodies.end(), [&](const SceneBody& b) { return b.name == name; });
}

}  // namespace

BallSize ballSizeFor(const Scene& scene) {
    std::vector<double> masses;
    std::vector<double> extents;
    for (const SceneBody& body : scene.bodies) {
        if (body.motion != BodyMotion::Dynamic) continue;
        masses.push_back(body.mass);
        if (const auto extent = extentOf(body.shape)) extents.push_back(*extent);
    }
    BallSize size;
    size.mass = median(masses).value_or(size.mass);
    if (const auto extent = median(extents)) size.radius = *extent / 3;
    return size;
}

Scene withBalls(Scene scene, int balls, const BallSize& size) {
    for (int i = 0; i < balls; ++i) {
        SceneBody ball;
        ball.name = "ball " + std::to_string(i + 1);
        while (isTaken(scene, ball.name)) ball.name += "'";
        ball.mass = size.mass;
        ball.inertia.setConstant(0.4 * size.mass * size.radius * size.radius);
        ball.shape.type = SceneShape::Type::Sphere;
        ball.shape.radius = size.radius;
        ball.restitution = 0.5;
        ball.sleeping = true;
        ball.position = {i * (kParkedDistance + 4 * size.radius), kParkedHeight, 0};
        scene.bodies.push_back(ball);
    }
    return scene;
}

void park(btRigidBody& ball) {
    ball.forceActivationState(DISABLE_SIMULATION);
}

}  // namespace ELASTO_BULLET_NAMESPACE
}  // namespace elasto::play
