#pragma once
// Between Bullet's vectors, in its precision, and ours, in double.

#include <elasto/flow.h>
#include <elasto/precision.h>

#include <LinearMath/btTransform.h>

#include "host/tuning.h"

namespace elasto {
inline namespace ELASTO_BULLET_NAMESPACE {

inline Eigen::Vector3d toEigen(const btVector3& v) {
    return {static_cast<double>(v.x()), static_cast<double>(v.y()), static_cast<double>(v.z())};
}

inline btVector3 toBullet(const Eigen::Vector3d& v) {
    return {static_cast<btScalar>(v.x()), static_cast<btScalar>(v.y()), static_cast<btScalar>(v.z())};
}

inline Eigen::Quaterniond toEigen(const btQuaternion& q) {
    return {static_cast<double>(q.w()), static_cast<double>(q.x()), static_cast<double>(q.y()),
            static_cast<double>(q.z())};
}

inline btQuaternion toBullet(const Eigen::Quaterniond& q) {
    return {static_cast<btScalar>(q.x()), static_cast<btScalar>(q.y()), static_cast<btScalar>(q.z()),
            static_cast<btScalar>(q.w())};
}

inline Eigen::Matrix3d toEigen(const btMatrix3x3& m) {
    Eigen::Matrix3d result;
    for (int i = 0; i < 3; ++i) {
        result.row(i) = toEigen(m[i]).transpose();
    }
    return result;
}

inline btMatrix3x3 toBullet(const Eigen::Matrix3d& m) {
    btMatrix3x3 result;
    for (int i = 0; i < 3; ++i) {
        result[i] = toBullet(Eigen::Vector3d(m.row(i).transpose()));
    }
    return result;
}

/// Right-handed, with columns of unit length at right angles; false if it is not finite.
inline bool isRotation(const btMatrix3x3& m) {
    const Eigen::Matrix3d basis = toEigen(m);
    const double bent = (basis * basis.transpose() - Eigen::Matrix3d::Identity()).cwiseAbs().maxCoeff();
    return bent <= kBent && basis.determinant() > 0;
}

/// Orientation as a unit quaternion, whatever rounding the matrix has.
inline Eigen::Quaterniond rotationOf(const btMatrix3x3& m) {
    return Eigen::Quaterniond(toEigen(m)).normalized();
}

inline Eigen::Quaterniond rotationOf(const btQuaternion& q) {
    return Eigen::Quaterniond(static_cast<double>(q.w()), static_cast<double>(q.x()), static_cast<double>(q.y()),
                              static_cast<double>(q.z()))
        .normalized();
}

inline btTransform toBullet(const BodyState& state) {
    return btTransform(toBullet(state.orientation.toRotationMatrix()), toBullet(state.position));
}

}  // namespace ELASTO_BULLET_NAMESPACE
}  // namespace elasto
