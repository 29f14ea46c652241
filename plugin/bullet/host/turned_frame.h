#pragma once
// Frames of joints as elements want them.

#include <elasto/precision.h>

#include <LinearMath/btTransform.h>

namespace elasto {
inline namespace ELASTO_BULLET_NAMESPACE {

/// A frame turned about itself so that one of its axes becomes x.
inline btTransform along(const btTransform& frame, int axis, bool isReversed) {
    const btMatrix3x3& basis = frame.getBasis();
    const btScalar sign = isReversed ? -1 : 1;
    const btVector3 x = sign * basis.getColumn(axis);
    const btVector3 y = basis.getColumn((axis + 1) % 3);
    const btVector3 z = sign * basis.getColumn((axis + 2) % 3);
    btTransform turned(frame);
    turned.setBasis(btMatrix3x3(x.x(), y.x(), z.x(), x.y(), y.y(), z.y(), x.z(), y.z(), z.z()));
    return turned;
}
/// So that one of its axes becomes z, which elements turn about.
inline btTransform about(const btTransform& frame, int axis) {
    return along(frame, (axis + 1) % 3, false);
}

}  // namespace ELASTO_BULLET_NAMESPACE
}  // namespace elasto
