#pragma once
// Turns as rotation vectors.

#include <Eigen/Core>
#include <Eigen/Geometry>

namespace elasto::flow {

/// Turn by |r| [rad] about r.
Eigen::Quaterniond quaternionOf(const Eigen::Vector3d& r);
inline Eigen::Matrix3d rotationOf(const Eigen::Vector3d& r) {
    return quaternionOf(r).toRotationMatrix();
}
/// Rate of the rotation vector r of a turn, |r| < pi. @param spin angular velocity, in the axes of what turns (side +1)
/// or of what it is seen from (side -1)
Eigen::Vector3d rotationVectorRate(const Eigen::Vector3d& r, const Eigen::Vector3d& spin, int side);

}  // namespace elasto::flow
