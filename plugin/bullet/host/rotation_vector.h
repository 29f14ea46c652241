#pragma once
// Rotation vectors: axis times angle [rad].

#include <elasto/precision.h>

#include <Eigen/Geometry>

#include <cmath>

namespace elasto {
inline namespace ELASTO_BULLET_NAMESPACE {

inline Eigen::Quaterniond exponential(const Eigen::Vector3d& rotation) {
    const double angle = rotation.norm();
    if (angle == 0) return Eigen::Quaterniond::Identity();
    return Eigen::Quaterniond(Eigen::AngleAxisd(angle, rotation / angle));
}

/// Of the shorter way.
inline Eigen::Vector3d logarithm(Eigen::Quaterniond rotation) {
    if (rotation.w() < 0) rotation.coeffs() *= -1;
    const double sine = rotation.vec().norm();
    if (sine == 0) return Eigen::Vector3d::Zero();
    return rotation.vec() * (2 * std::atan2(sine, rotation.w()) / sine);
}

}  // namespace ELASTO_BULLET_NAMESPACE
}  // namespace elasto
