#pragma once
#include <Eigen/Core>
#include <Eigen/Geometry>
#include <optional>

namespace elasto::view {

/// Half a line from an origin.
struct Ray {
    Eigen::Vector3f origin = Eigen::Vector3f::Zero();
    Eigen::Vector3f direction = -Eigen::Vector3f::UnitZ();  ///< unit vector
};

/// From where one looks.
struct Viewpoint {
    Eigen::Vector3f target = Eigen::Vector3f::Zero();  ///< what is looked at [m]
    float distance = 4;                                ///< from it [m], > 0
    float azimuth = 0.5F;    ///< about the vertical [rad]; 0 sees the world's x axis pointing to the right
    float elevation = 0.3F;  ///< above the horizon [rad], within +-kHighest
};

/// A camera that orbits a target. Pixels count from the picture's upper left corner, y down.
class Camera {
public:
    static constexpr float kHighest = 1.55F;  ///< [rad]

    Viewpoint viewpoint;
    Viewpoint homeViewpoint;                        ///< of home()
    Eigen::Vector3f up = Eigen::Vector3f::UnitY();  ///< the vertical, a unit vector
    float fieldOfView = 0.6F;                       ///< from lower to upper edge of the picture [rad]

    /// Turns by these angles [rad].
    void orbit(float azimuth, float elevation);
    /// Shifts the target so that it follows a pointer moved by so many pixels in a picture of this height.
    void pan(float right, float down, int height);
    /// Multiplies the distance by a factor > 0.
    void zoom(float factor);
    /// Zooms such that what a pointer is on stays under it.
    void zoomAt(float factor, float x, float y, int width, int height);
    /// Back to homeViewpoint.
    void home() { viewpoint = homeViewpoint; }
    /// Looks at the middle of a box from a distance that shows all of it, in the direction of now. No change for an
    /// empty box. `margin` is the share of the picture left free on each side.
    void fit(const Eigen::AlignedBox3f& box, float aspect, float margin = 0.08F);

    Eigen::Vector3f position() const;
    Eigen::Vector3f forward() const;  ///< unit vector from the position to the target
    Eigen::Vector3f right() const;    ///< unit vector
    Eigen::Vector3f upward() const;   ///< unit vector, the picture's vertical

    Eigen::Matrix4f view() const;
    /// With the width of the picture divided by its height.
    Eigen::Matrix4f projection(float aspect) const;

    /// Through the point (x, y) [pixel] of a picture of this size.
    Ray ray(float x, float y, int width, int height) const;
    /// Where a point of the world is in the picture [pixel]; nothing if it is behind the camera.
    std::optional<Eigen::Vector2f> project(const Eigen::Vector3f& point, int width, int height) const;
    /// Length [m] that one pixel covers at a point of the world.
    float metresPerPixel(const Eigen::Vector3f& point, int height) const;
};

}  // namespace elasto::view
