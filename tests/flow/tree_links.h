#pragma once
// Links of trees that several tests use.

#include <elasto/flow_tree.h>

namespace elasto::test {

inline constexpr double kTreeGravity = 9.80665;

/// A mass on a rail.
inline TreeLink slider(double m, const Eigen::Vector3d& axis) {
    TreeLink link;
    link.joint = TreeJoint::Prismatic;
    link.axis = axis;
    link.mass = m;
    link.inertia = Eigen::Vector3d(0.1, 0.1, 0.1).asDiagonal();
    return link;
}

/// A metre along x that turns about z at its left end; its weight pulls along -y.
inline TreeLink bar() {
    TreeLink link;
    link.centerOfMass = {0.5, 0, 0};
    link.mass = 1;
    link.inertia = Eigen::Vector3d(1e-3, 1. / 12, 1. / 12).asDiagonal();
    link.force.constant = {0, -kTreeGravity, 0};
    return link;
}

}  // namespace elasto::test
