#pragma once
// Joints as trees know them, found in the rows that hold them.

#include <elasto/flow_tree.h>

#include <Eigen/Geometry>

#include <optional>

namespace elasto::flow {

/// What rows that follow one another hold of two bodies: all but one coordinate, or the three of a ball.
struct FoundJoint {
    int a = kWorld, b = kWorld;
    std::size_t first = 0, count = 0;  ///< rows
    TreeJoint kind = TreeJoint::Fixed;
    /// Where both are joined, and the axis along or about which they may move: in the frames of a and of b.
    Eigen::Vector3d pointA, pointB, axisA, axisB;
};

/// The joint whose rows begin there, if they hold what one of TreeJoint does.
/// @param count of rows between the same two bodies
std::optional<FoundJoint> findJoint(const FlowNetwork& network, std::size_t first, std::size_t count);

}  // namespace elasto::flow
