#pragma once
#include <Eigen/Core>
#include <Eigen/Geometry>

#include "view/picture.h"

namespace elasto::view {

/// Where a shadow map looks: parallel light onto a ball.
struct ShadowView {
    Eigen::Matrix4f matrix = Eigen::Matrix4f::Identity();  ///< world -> texture coordinates and depth, 0 .. 1
    float extent = 1;                                      ///< what the map covers across and in depth [m]
};

/// The box around all that casts shadows.
Eigen::AlignedBox3f boundsOfCasters(const Picture& picture);

/// The ball to be covered: all that casts shadows, but no more than can be seen of it from the camera's target.
/// \param towardsLight unit vector
ShadowView aimShadow(const Eigen::AlignedBox3f& casters, const Eigen::Vector3f& target, float distance,
                     const Eigen::Vector3f& towardsLight, int size);

/// Depths seen from the lamp.
class ShadowMap {
public:
    ShadowMap();
    ~ShadowMap();
    ShadowMap(const ShadowMap&) = delete;
    ShadowMap& operator=(const ShadowMap&) = delete;

    /// Clears it and makes it what is drawn into.
    void begin(int size);
    /// Binds it to a texture unit that compares depths, or that gives them.
    void bindTexture(int unit, bool comparing) const;

private:
    unsigned m_framebuffer = 0;
    unsigned m_texture = 0;
    unsigned m_comparing = 0;  // sampler objects
    unsigned m_plain = 0;
    int m_size = 0;
};

}  // namespace elasto::view
