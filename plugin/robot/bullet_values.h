#pragma once
/// @file bullet_values.h
/// Vectors and frames between Eigen and Bullet.

#include <elasto/precision.h>
#include <elasto/robot/description.h>

#include <LinearMath/btTransform.h>

namespace elasto {
inline namespace ELASTO_BULLET_NAMESPACE {

inline btVector3 toBullet(const Eigen::Vector3d& v) {
    return {static_cast<btScalar>(v.x()), static_cast<btScalar>(v.y()), static_cast<btScalar>(v.z())};
}

inline btQuaternion toBullet(const Eigen::Quaterniond& q) {
    return {static_cast<btScalar>(q.x()), static_cast<btScalar>(q.y()), static_cast<btScalar>(q.z()),
            static_cast<btScalar>(q.w())};
}

inline btTransform toBullet(const RobotPose& pose) {
    return btTransform(toBullet(pose.orientation), toBullet(pose.position));
}

inline Eigen::Vector3d toEigen(const btVector3& v) {
    return {static_cast<double>(v.x()), static_cast<double>(v.y()), static_cast<double>(v.z())};
}

inline RobotPose toPose(const btTransform& transform) {
    const btQuaternion q = transform.getRotation();
    return {toEigen(transform.getOrigin()), Eigen::Quaterniond(static_cast<double>(q.w()), static_cast<double>(q.x()),
                                                               static_cast<double>(q.y()), static_cast<double>(q.z()))
                                                .normalized()};
}

inline RobotPose inverse(const RobotPose& pose) {
    const Eigen::Quaterniond back = pose.orientation.conjugate();
    return {-(back * pose.position), back};
}

}  // namespace ELASTO_BULLET_NAMESPACE
}  // namespace elasto
