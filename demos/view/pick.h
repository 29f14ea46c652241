#pragma once
#include <Eigen/Core>
#include <optional>

#include "view/camera.h"
#include "view/picture.h"

namespace elasto::view {

/// What a ray meets first.
struct Hit {
    int id = -1;                                      ///< of the object's surface
    float distance = 0;                               ///< from the ray's origin [m]
    Eigen::Vector3f point = Eigen::Vector3f::Zero();  ///< in the world
};

/// The nearest object with an id >= 0 before the ray's origin. Ghosts, lines, arrows and planes are not picked, and
/// what has no id neither is picked nor hides anything. Springs and gears are met as the cylinders around them. \param
/// slack by how much thin springs and cylinders are made thicker for the pointer, per metre of distance [rad];
///              a few pixels' worth makes them easy to meet
std::optional<Hit> pick(const Picture& picture, const Ray& ray, float slack = 0);

// Distances [m] along a ray at which it enters a body, 0 from inside; nothing where it passes by.
std::optional<float> meetBox(const Ray& ray, const Pose& pose, const Eigen::Vector3f& halfExtents);
std::optional<float> meetBall(const Ray& ray, const Eigen::Vector3f& center, float radius);
std::optional<float> meetCapsule(const Ray& ray, const Eigen::Vector3f& a, const Eigen::Vector3f& b, float radius);
std::optional<float> meetCylinder(const Ray& ray, const Eigen::Vector3f& a, const Eigen::Vector3f& b, float radius);
/// From either side.
std::optional<float> meetTriangle(const Ray& ray, const Eigen::Vector3f& a, const Eigen::Vector3f& b,
                                  const Eigen::Vector3f& c);
/// A plane from the side of its normal: where a dragged body would go.
std::optional<float> meetPlane(const Ray& ray, const Eigen::Vector3f& point, const Eigen::Vector3f& normal);

}  // namespace elasto::view
