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

/// "" if a body can have these principal moments, else what is wrong and what is allowed.
std::string refusedMoments(const Eigen::Vector3d& moments);

}  // namespace elasto::robot
