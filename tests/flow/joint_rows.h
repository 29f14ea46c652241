#pragma once
// Rows of joints between bodies that start unturned, for the flow.

#include <elasto/flow.h>

namespace elasto::test {

/// Holds pointB of body b at pointA of body a.
/// @param reaction that the rows are given
inline void addBall(FlowNetwork& network, int a, const Eigen::Vector3d& pointA, int b, const Eigen::Vector3d& pointB,
                    int reaction = -1) {
    HeldRow row;
    row.a = a;
    row.b = b;
    row.pointA = pointA;
    row.pointB = pointB;
    row.reaction = reaction;
    for (int k = 0; k < 3; ++k) {
        row.axisA = Eigen::Vector3d::Unit(k);
        network.joints.push_back(row);
    }
}

/// The same, and body b turns about one axis of both alone.
/// @param axis 0 for x, 1 for y, 2 for z
inline void addHinge(FlowNetwork& network, int a, const Eigen::Vector3d& pointA, int b, const Eigen::Vector3d& pointB,
                     int axis = 2, int reaction = -1) {
    addBall(network, a, pointA, b, pointB, reaction);
    HeldRow row = network.joints.back();
    row.kind = HeldRow::Kind::Orthogonal;
    row.axisA = Eigen::Vector3d::Unit(axis);
    for (const int k : {(axis + 1) % 3, (axis + 2) % 3}) {
        row.axisB = Eigen::Vector3d::Unit(k);
        network.joints.push_back(row);
    }
}

}  // namespace elasto::test
