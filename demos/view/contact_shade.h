#pragma once
#include <Eigen/Core>
#include <Eigen/Geometry>
#include <filesystem>

#include "color_texture.h"
#include "program.h"
#include "shadow_map.h"
#include "view/picture.h"

namespace elasto::view {

/// From where the heights of all bodies above a plane are seen.
struct ContactView {
    ShadowView undersides;  ///< from the plane along its normal: depth is the height above it
    ShadowView tops;        ///< from above: depth is what is left to the greatest height
};
ContactView aimContactShade(const Plane& plane, const Eigen::AlignedBox3f& casters, const Eigen::Vector3f& target,
                            float distance, int size);

/// How much of the sky bodies hide from the ground around them: what makes them stand on it. From maps of the heights
/// of their undersides and tops, one pass takes each point's share of the sky.
class ContactShade {
public:
    static constexpr int kHeightsSize = 384;
    static constexpr int kShadeSize = kHeightsSize / 2;

    explicit ContactShade(const std::filesystem::path& shaders);
    ~ContactShade();
    ContactShade(const ContactShade&) = delete;
    ContactShade& operator=(const ContactShade&) = delete;

    /// Makes one of the maps of heights what is drawn into.
    void beginUndersides() { m_undersides.begin(kHeightsSize); }
    void beginTops() { m_tops.begin(kHeightsSize); }
    /// Makes the map of shades from them, using two texture units.
    void finish(int unit, int secondUnit);
    void bindTexture(int unit) const;

private:
    void drawSquare(unsigned framebuffer) const;

    Program m_heightsProgram;
    Program m_shadeProgram;
    ShadowMap m_undersides;
    ShadowMap m_tops;
    ColorTexture m_heights;
    ColorTexture m_shade;
    unsigned m_noVertices = 0;
};

}  // namespace elasto::view
