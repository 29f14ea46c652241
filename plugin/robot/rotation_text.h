#pragma once
/// @file rotation_text.h
/// Angles as URDF and SDF state them.

#include <Eigen/Geometry>

namespace elasto::robot {

/// Roll, pitch and yaw: turns about the fixed axes x, then y, then z [rad].
inline Eigen::Quaterniond fromRollPitchYaw(const Eigen::Vector3d& rpy) {
    if (rpy.isZero(0)) return Eigen::Quaterniond::Identity();
    const Eigen::Quaterniond turn = Eigen::AngleAxisd(rpy.z(), Eigen::Vector3d::UnitZ()) *
                                    Eigen::AngleAxisd(rpy.y(), Eigen::Vector3d::UnitY()) *
                                    Eigen::AngleAxisd(rpy.x(), Eigen::Vector3d::UnitX());
    return turn.normalized();
}

}  // namespace elasto::robot
