#include "gallery/robot_look.h"

#include "gallery/hull_mesh.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace elasto::gallery {

namespace {

/// Radius of what is drawn beside a joint, as shares of the robot's size.
constexpr double kThinnest = 0.008, kThickest = 0.045;
/// Links that reach along the axis by so many radii are not passed by: what belongs to the joint is drawn around them.
constexpr double kFarthest = 4;

/// A shape that is farther from its link's joint is tied to it by a bone, as a share of the robot's size.
constexpr double kFloating = 0.03;

Eigen::Vector3d middleOf(const RobotShape& shape) {
    Eigen::Vector3d middle = Eigen::Vector3d::Zero();
    for (const Eigen::Vector3d& point : shape.points) middle += point / static_cast<double>(shape.points.size());
    return shape.pose.position + shape.pose.orientation * middle;
}

/// Sets of shapes in one frame.
struct Shapes {
    const RobotLink* link;
    RobotPose pose;  ///< of the link in that frame

    double reach(const Eigen::Vector3d& direction) const {
        double most = -std::numeric_limits<double>::infinity();
        for (const RobotShape& shape : link->collisions) {
            most = std::max(most, reachOf(shape, pose.orientation.conjugate() * direction));
        }
        return most + pose.position.dot(direction);
    }
};

RobotPose inverse(const RobotPose& pose) {
    const Eigen::Quaterniond back = pose.orientation.conjugate();
    return {back * -pose.position, back};
}

/// Half of the width of shapes across an axis, where they are narrower.
double halfWidth(const Shapes& shapes, const Eigen::Vector3d& u, const Eigen::Vector3d& v) {
    const auto width = [&](const Eigen::Vector3d& across) { return shapes.reach(across) + shapes.reach(-across); };
    return std::min(width(u), width(v)) / 2;
}

}  // namespace

double reachOf(const RobotShape& shape, const Eigen::Vector3d& direction) {
    const Eigen::Vector3d d = shape.pose.orientation.conjugate() * direction;
    double own = 0;
    switch (shape.type) {
        case RobotShape::Type::Box:
            own = d.cwiseAbs().dot(shape.size) / 2;
            break;
        case RobotShape::Type::Sphere:
            own = shape.radius;
            break;
        case RobotShape::Type::Cylinder:
            own = std::abs(d.z()) * shape.length / 2 + shape.radius * d.head<2>().norm();
            break;
        case RobotShape::Type::Capsule:
            own = std::abs(d.z()) * shape.length / 2 + shape.radius;
            break;
        case RobotShape::Type::Hull:
            own = -std::numeric_limits<double>::infinity();
            for (const Eigen::Vector3d& point : shape.points) own = std::max(own, point.dot(d));
            break;
    }
    return shape.pose.position.dot(direction) + own;
}

RobotLook::RobotLook(const RobotScene& scene) {
    const RobotDescription& robot = scene.robot;
    Eigen::AlignedBox3d box;
    const std::vector<RobotPose> poses = linkPoses(robot, scene.pose, scene.q);
    for (std::size_t i = 0; i < robot.links.size(); ++i) {
        box.extend(poses[i].position);
        const Shapes shapes{&robot.links[i], poses[i]};
        if (robot.links[i].collisions.empty()) continue;
        Eigen::Vector3d low, high;
        for (int k = 0; k < 3; ++k) {
            low[k] = -shapes.reach(-Eigen::Vector3d::Unit(k));
            high[k] = shapes.reach(Eigen::Vector3d::Unit(k));
        }
        box.extend(low).extend(high);
    }
    m_size = std::max(box.diagonal().norm(), 1e-3);
    findMeshes(robot);
    findBones(robot);
    findJoints(robot, poses);
    findSlots(robot);
}

void RobotLook::findMeshes(const RobotDescription& robot) {
    for (const RobotLink& link : robot.links) {
        auto& meshes = m_meshes.emplace_back();
        for (const RobotShape& shape : link.collisions) {
            meshes.push_back(shape.type == RobotShape::Type::Hull ? hullMesh(shape.points) : nullptr);
        }
    }
}

void RobotLook::findBones(const RobotDescription& robot) {
    const double least = 1e-3 * m_size;
    m_bones.resize(robot.links.size());
    for (std::size_t i = 0; i < robot.links.size(); ++i) {
        std::vector<Eigen::Vector3d>& bones = m_bones[i];
        for (const RobotShape& shape : robot.links[i].collisions) {
            const Eigen::Vector3d middle = middleOf(shape);
            const double gap = middle.isZero() ? 0 : -reachOf(shape, -middle.normalized());
            if (i > 0 && gap > kFloating * m_size) bones.push_back(middle);
        }
        if (!robot.links[i].collisions.empty()) continue;
        for (const RobotJoint& joint : robot.joints) {
            if (joint.parent == static_cast<int>(i)) bones.push_back(joint.pose.position);
        }
        if (robot.links[i].mass > 0) bones.push_back(robot.links[i].principalFrame.position);
        std::erase_if(bones, [&](const Eigen::Vector3d& end) { return end.norm() < least; });
    }
}

void RobotLook::findJoints(const RobotDescription& robot, const std::vector<RobotPose>& poses) {
    for (const RobotJoint& joint : robot.joints) {
        std::optional<JointLook>& look = m_joints.emplace_back();
        if (!joint.isScalar()) continue;
        const RobotPose back = inverse(joint.pose);
        const std::array<Shapes, 2> both = {Shapes{&robot.links[static_cast<std::size_t>(joint.child)], RobotPose()},
                                            Shapes{&robot.links[static_cast<std::size_t>(joint.parent)], back}};
        const Eigen::Vector3d u = joint.axis.unitOrthogonal(), v = joint.axis.cross(u);
        double half = std::numeric_limits<double>::infinity();
        double up = 0, down = 0;  // how far links reach along the axis
        for (const Shapes& shapes : both) {
            if (shapes.link->collisions.empty()) continue;
            half = std::min(half, halfWidth(shapes, u, v));
            up = std::max(up, shapes.reach(joint.axis));
            down = std::max(down, shapes.reach(-joint.axis));
        }
        look.emplace();
        look->radius = std::clamp(0.8 * half, kThinnest * m_size, kThickest * m_size);
        const double depth = 0.6 * look->radius;
        if (joint.type == RobotJoint::Type::Prismatic) {
            // From where the parent is.
            const RobotPose& parent = poses[static_cast<std::size_t>(joint.parent)];
            const RobotPose& child = poses[static_cast<std::size_t>(joint.child)];
            const Eigen::Vector3d middle =
                (parent * robot.links[static_cast<std::size_t>(joint.parent)].principalFrame).position;
            look->isAhead = (child.orientation * joint.axis).dot(middle - child.position) > 0;
            const double farthest = !joint.hasRange() ? 0 : look->isAhead ? joint.limits->upper : -joint.limits->lower;
            look->length = 4 * look->radius + std::clamp(farthest, 0.0, m_size);
        } else if (std::min(up, down) > kFarthest * look->radius) {
            look->radius = std::clamp(1.3 * half, look->radius, 2 * kThickest * m_size);
            look->begin = -depth / 2;
            look->end = depth / 2;
        } else {
            // On the shorter side, or else on the one that the home view sees: URDF's -y.
            const bool isSeen = (poses[static_cast<std::size_t>(joint.child)].orientation * joint.axis).y() <= 0;
            const bool isAbove = std::abs(up - down) > 2 * look->radius ? up < down : isSeen;
            look->begin = isAbove ? up + 0.1 * look->radius : -down - 0.1 * look->radius - depth;
            look->end = look->begin + depth;
        }
    }
}

void RobotLook::findSlots(const RobotDescription& robot) {
    std::vector<int> taken(robot.joints.size());
    std::vector<int> stops(robot.joints.size(), -1);
    for (const RobotElement& element : robot.elements) {
        int& slot = m_slots.emplace_back(-1);
        if (element.joint < 0 || element.isDamping()) continue;
        const auto joint = static_cast<std::size_t>(element.joint);
        const bool isStop = element.type == ElementType::ElastoGap || element.type == ElementType::BumpStop;
        if (isStop && stops[joint] >= 0) {
            slot = stops[joint];
            continue;
        }
        slot = taken[joint]++;
        if (isStop) stops[joint] = slot;
    }
}

}  // namespace elasto::gallery
