#include "view/camera.h"

#include <algorithm>
#include <cmath>

namespace elasto::view {

namespace {

/// What azimuth 0 has to its right: the world's x axis, or y where x is the vertical.
Eigen::Vector3f rightOfAzimuthZero(const Eigen::Vector3f& up) {
    const Eigen::Vector3f first = std::abs(up.x()) < 0.9F ? Eigen::Vector3f::UnitX() : Eigen::Vector3f::UnitY();
    return (first - up * up.dot(first)).normalized();
}

}  // namespace

void Camera::orbit(float azimuth, float elevation) {
    constexpr float kTurn = 6.283185307F;
    viewpoint.azimuth = std::remainder(viewpoint.azimuth + azimuth, kTurn);
    viewpoint.elevation = std::clamp(viewpoint.elevation + elevation, -kHighest, kHighest);
}

void Camera::pan(float rightPixels, float downPixels, int height) {
    const float scale = metresPerPixel(viewpoint.target, height);
    viewpoint.target += scale * (downPixels * upward() - rightPixels * right());
}

void Camera::zoom(float factor) {
    constexpr float kNearest = 1e-3F;
    constexpr float kFarthest = 1e5F;
    viewpoint.distance = std::clamp(viewpoint.distance * factor, kNearest, kFarthest);
}

void Camera::zoomAt(float factor, float x, float y, int width, int height) {
    // The point of the target's plane that is under the pointer stays there.
    const Ray pointer = ray(x, y, width, height);
    const float depth = viewpoint.distance / pointer.direction.dot(forward());
    const Eigen::Vector3f held = pointer.origin + depth * pointer.direction;
    const float before = viewpoint.distance;
    zoom(factor);
    viewpoint.target = held + viewpoint.distance / before * (viewpoint.target - held);
}

void Camera::fit(const Eigen::AlignedBox3f& box, float aspect, float margin) {
    if (box.isEmpty()) return;
    const float tangentUp = std::tan(fieldOfView / 2) * (1 - 2 * margin);
    const float tangentRight = tangentUp * aspect;
    const auto corners = [&](auto use) {
        for (int i = 0; i < 8; ++i) use(box.corner(static_cast<Eigen::AlignedBox3f::CornerType>(i)));
    };
    viewpoint.target = box.center();
    // Near corners reach farther out than far ones: the middle of what is seen is not the box's.
    constexpr int kRounds = 4;
    for (int round = 1; round <= kRounds; ++round) {
        float distance = 0;
        corners([&](const Eigen::Vector3f& corner) {
            const Eigen::Vector3f offset = corner - viewpoint.target;
            distance = std::max({distance, std::abs(offset.dot(right())) / tangentRight - offset.dot(forward()),
                                 std::abs(offset.dot(upward())) / tangentUp - offset.dot(forward())});
        });
        viewpoint.distance = 1;
        zoom(std::max(distance, 1e-2F));
        if (round == kRounds) return;
        Eigen::AlignedBox2f seen;
        corners([&](const Eigen::Vector3f& corner) {
            const Eigen::Vector3f offset = corner - position();
            seen.extend(Eigen::Vector2f(offset.dot(right()), offset.dot(upward())) / offset.dot(forward()));
        });
        const Eigen::Vector2f middle = viewpoint.distance * seen.center();
        viewpoint.target += middle.x() * right() + middle.y() * upward();
    }
}

Eigen::Vector3f Camera::right() const {
    return Eigen::AngleAxisf(viewpoint.azimuth, up) * rightOfAzimuthZero(up);
}

Eigen::Vector3f Camera::forward() const {
    const Eigen::Vector3f level = up.cross(right());
    return std::cos(viewpoint.elevation) * level - std::sin(viewpoint.elevation) * up;
}

Eigen::Vector3f Camera::upward() const {
    return right().cross(forward());
}

Eigen::Vector3f Camera::position() const {
    return viewpoint.target - viewpoint.distance * forward();
}

Eigen::Matrix4f Camera::view() const {
    Eigen::Matrix3f axes;
    axes << right().transpose(), upward().transpose(), -forward().transpose();
    Eigen::Matrix4f matrix = Eigen::Matrix4f::Identity();
    matrix.topLeftCorner<3, 3>() = axes;
    matrix.topRightCorner<3, 1>() = -axes * position();
    return matrix;
}

Eigen::Matrix4f Camera::projection(float aspect) const {
    // Depths that a buffer of 24 bits still tells apart.
    const float nearest = 0.02F * viewpoint.distance;
    const float farthest = 200 * viewpoint.distance;
    const float cotangent = 1 / std::tan(fieldOfView / 2);
    Eigen::Matrix4f matrix = Eigen::Matrix4f::Zero();
    matrix(0, 0) = cotangent / aspect;
    matrix(1, 1) = cotangent;
    matrix(2, 2) = -(farthest + nearest) / (farthest - nearest);
    matrix(2, 3) = -2 * farthest * nearest / (farthest - nearest);
    matrix(3, 2) = -1;
    return matrix;
}

Ray Camera::ray(float x, float y, int width, int height) const {
    const float tangent = std::tan(fieldOfView / 2);
    const auto w = static_cast<float>(width);
    const auto h = static_cast<float>(height);
    const float across = (2 * x / w - 1) * tangent * w / h;
    const float above = (1 - 2 * y / h) * tangent;
    return {position(), (forward() + across * right() + above * upward()).normalized()};
}

std::optional<Eigen::Vector2f> Camera::project(const Eigen::Vector3f& point, int width, int height) const {
    const Eigen::Vector3f offset = point - position();
    const float depth = offset.dot(forward());
    if (!(depth > 1e-6F)) return std::nullopt;
    const auto h = static_cast<float>(height);
    const float pixels = h / (2 * depth * std::tan(fieldOfView / 2));
    return Eigen::Vector2f(static_cast<float>(width) / 2 + pixels * offset.dot(right()),
                           h / 2 - pixels * offset.dot(upward()));
}

float Camera::metresPerPixel(const Eigen::Vector3f& point, int height) const {
    const float depth = std::max((point - position()).dot(forward()), 1e-6F);
    return 2 * depth * std::tan(fieldOfView / 2) / static_cast<float>(std::max(height, 1));
}

}  // namespace elasto::view
