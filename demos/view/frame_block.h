#pragma once
#include <Eigen/Core>

#include "shadow_map.h"
#include "view/renderer.h"

namespace elasto::view {

/// The uniform block Frame of shaders/frame.glsl (std140: whole vectors of four only).
struct FrameBlock {
    Eigen::Matrix4f viewProjection;
    Eigen::Matrix4f inverseViewProjection;
    Eigen::Matrix4f shadow;
    Eigen::Matrix4f contact;
    Eigen::Vector4f eye;           ///< position
    Eigen::Vector4f lamp;          ///< unit vector to it, strength
    Eigen::Vector4f vertical;      ///< unit vector, strength of the surroundings
    Eigen::Vector4f sky;           ///< linear colour
    Eigen::Vector4f floorLight;    ///< linear colour
    Eigen::Vector4f zenith;        ///< linear colour
    Eigen::Vector4f horizon;       ///< linear colour
    Eigen::Vector4f ground;        ///< linear colour
    Eigen::Vector4f grid;          ///< linear colour
    Eigen::Vector4f accent;        ///< linear colour
    Eigen::Vector4f shadowFilter;  ///< texel [share of the map], extent [m], unused, unused
    Eigen::Vector4f viewport;      ///< width, height [pixel], camera's distance [m], unused
};

FrameBlock makeFrameBlock(const Camera& camera, const Light& light, const Quality& quality, const ShadowView& shadow,
                          const ShadowView& contact, const Eigen::Vector3f& towardsLight, int width, int height);

/// Unit vector from the world to the lamp.
Eigen::Vector3f towardsLamp(const Camera& camera, const Light& light);

}  // namespace elasto::view
