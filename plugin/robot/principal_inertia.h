#pragma once
/// @file principal_inertia.h
/// Principal axes of an inertia tensor.

#include <Eigen/Geometry>

#include <string>

namespace elasto::robot {

struct PrincipalInertia {
    Eigen::Vector3d moments;         ///< [kg.m^2]
    Eigen::Quaterniond orientation;  ///< principal axes -> axes of the tensor
};

/// Axes and moments of a symmetric tensor. A diagonal one is kept as it is; otherwise the axes are numbered so that
/// they lie as near as possible to those of the tensor.
PrincipalInertia principalInertia(const Eigen::Matrix3d& tensor);

/// Whether a moment is negative, beyond the rounding of 1 % of the largest that files are written with.
bool isNegative(const Eigen::Vector3d& moments);

/// "" if a body can have these principal moments, up to 1 % of rounding; else a warning. Equations of motion need no
/// more than moments that are not negative.
std::string impossibleMoments(const Eigen::Vector3d& moments);

}  // namespace elasto::robot
