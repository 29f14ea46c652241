#pragma once
/// @file bullet_values.h
/// Poses of robots between Eigen and Bullet.

#include "host/conversion.h"

#include <elasto/robot/description.h>

namespace elasto {
inline namespace ELASTO_BULLET_NAMESPACE {

inline btTransform toBullet(const RobotPose& pose) {
    return btTransform(toBullet(pose.orientation), toBullet(pose.position));
}

inline RobotPose toPose(const btTransform& transform) {
    return {toEigen(transform.getOrigin()), toEigen(transform.getRotation()).normalized()};
}

inline RobotPose inverse(const RobotPose& pose) {
    const Eigen::Quaterniond back = pose.orientation.conjugate();
    return {-(back * pose.position), back};
}

}  // namespace ELASTO_BULLET_NAMESPACE
}  // namespace elasto
