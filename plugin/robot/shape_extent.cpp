#include "shape_extent.h"

#include <algorithm>
#include <cmath>

namespace elasto::robot {

namespace {

/// Half the edges of the box around a shape, in the shape's frame. Not of hulls.
Eigen::Vector3d halfOf(const RobotShape& shape) {
    switch (shape.type) {
        case RobotShape::Type::Box:
            return shape.size / 2;
        case RobotShape::Type::Cylinder:
            return {shape.radius, shape.radius, shape.length / 2};
        case RobotShape::Type::Capsule:
            return {shape.radius, shape.radius, shape.length / 2 + shape.radius};
        default:
            return Eigen::Vector3d::Constant(shape.radius);
    }
}

}  // namespace

Eigen::AlignedBox3d extentOf(const std::vector<RobotShape>& shapes) {
    Eigen::AlignedBox3d box;
    for (const RobotShape& shape : shapes) {
        const auto add = [&](const Eigen::Vector3d& point) {
            box.extend(shape.pose.position + shape.pose.orientation * point);
        };
        if (shape.type == RobotShape::Type::Hull) {
            for (const Eigen::Vector3d& point : shape.points) add(point);
            continue;
        }
        const Eigen::Vector3d half = halfOf(shape);
        for (int corner = 0; corner < 8; ++corner) {
            const Eigen::Vector3d sign(corner & 1 ? 1 : -1, corner & 2 ? 1 : -1, corner & 4 ? 1 : -1);
            add(half.cwiseProduct(sign));
        }
    }
    return box;
}

double reachOf(const RobotShape& shape, const Eigen::Vector3d& from) {
    const Eigen::Vector3d apart = from.cwiseAbs();
    switch (shape.type) {
        case RobotShape::Type::Box:
            return (apart + shape.size / 2).norm();
        case RobotShape::Type::Sphere:
            return apart.norm() + shape.radius;
        case RobotShape::Type::Cylinder:
            return std::hypot(apart.head<2>().norm() + shape.radius, apart.z() + shape.length / 2);
        case RobotShape::Type::Capsule:
            return std::hypot(apart.head<2>().norm(), apart.z() + shape.length / 2) + shape.radius;
        case RobotShape::Type::Hull:
            break;
    }
    double most = 0;
    for (const Eigen::Vector3d& point : shape.points) most = std::max(most, (point - from).norm());
    return most;
}

}  // namespace elasto::robot
