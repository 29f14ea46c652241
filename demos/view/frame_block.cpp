#include "frame_block.h"

#include <Eigen/LU>
#include <algorithm>

#include "batches.h"

namespace elasto::view {

namespace {

Eigen::Vector4f withFourth(const Eigen::Vector3f& vector, float fourth) {
    return {vector.x(), vector.y(), vector.z(), fourth};
}

}  // namespace

Eigen::Vector3f towardsLamp(const Camera& camera, const Light& light) {
    Camera level = camera;
    level.viewpoint.elevation = 0;
    if (!light.followsCamera) level.viewpoint.azimuth = 0;
    const Eigen::Vector3f direction =
        light.direction.x() * level.right() + light.direction.y() * level.up - light.direction.z() * level.forward();
    return direction.norm() > 0 ? direction.normalized() : level.up;
}

FrameBlock makeFrameBlock(const Camera& camera, const Light& light, const Quality& quality, const ShadowView& shadow,
                          const ShadowView& contact, const Eigen::Vector3f& towardsLight, int width, int height) {
    FrameBlock frame;
    const float aspect = static_cast<float>(width) / static_cast<float>(height);
    frame.viewProjection = camera.projection(aspect) * camera.view();
    frame.inverseViewProjection = frame.viewProjection.inverse();
    frame.shadow = shadow.matrix;
    frame.contact = contact.matrix;
    frame.eye = withFourth(camera.position(), 1);
    frame.lamp = withFourth(towardsLight, std::max(light.lamp, 0.0F));
    frame.vertical = withFourth(camera.up, std::max(light.surroundings, 0.0F));
    frame.sky = withFourth(linear(light.sky), 1);
    frame.floorLight = withFourth(linear(light.floorLight), 1);
    frame.zenith = withFourth(linear(light.zenith), 1);
    frame.horizon = withFourth(linear(light.horizon), 1);
    frame.ground = withFourth(linear(light.ground), 1);
    frame.grid = withFourth(linear(light.grid), 1);
    frame.accent = withFourth(linear(light.accent), 1);
    frame.shadowFilter = {1 / static_cast<float>(quality.shadowMapSize), shadow.extent, 0, 0};
    frame.viewport = {static_cast<float>(width), static_cast<float>(height), camera.viewpoint.distance, 0};
    return frame;
}

}  // namespace elasto::view
