#include "check_mobility.h"

#include <Eigen/Eigenvalues>

#include <algorithm>

namespace elasto::robot {

namespace {

using Spatial = Eigen::Matrix<double, 6, 6>;  // about the world's origin, angular part first
using Motions = Eigen::Matrix<double, 6, Eigen::Dynamic>;

Eigen::Matrix3d crossMatrix(const Eigen::Vector3d& r) {
    Eigen::Matrix3d m;
    m << 0, -r.z(), r.y(), r.z(), 0, -r.x(), -r.y(), r.x(), 0;
    return m;
}

Spatial inertiaOf(const RobotLink& link, const RobotPose& pose) {
    const RobotPose principal = pose * link.principalFrame;
    const Eigen::Matrix3d axes = principal.orientation.toRotationMatrix();
    const Eigen::Matrix3d c = crossMatrix(principal.position);
    Spatial inertia;
    inertia.topLeftCorner<3, 3>() =
        axes * link.principalMoments.asDiagonal() * axes.transpose() + link.mass * c * c.transpose();
    inertia.topRightCorner<3, 3>() = link.mass * c;
    inertia.bottomLeftCorner<3, 3>() = link.mass * c.transpose();
    inertia.bottomRightCorner<3, 3>() = link.mass * Eigen::Matrix3d::Identity();
    return inertia;
}

/// Unit motions that a joint allows.
Motions motionsOf(const RobotJoint& joint, const RobotPose& pose) {
    const Eigen::Vector3d axis = pose.orientation * joint.axis;
    Eigen::Matrix<double, 6, 1> turn;
    turn << axis, pose.position.cross(axis);
    const auto shift = [](const Eigen::Vector3d& direction) {
        Eigen::Matrix<double, 6, 1> motion;
        motion << Eigen::Vector3d::Zero(), direction;
        return motion;
    };
    if (joint.type == RobotJoint::Type::Prismatic) return shift(axis);
    if (joint.isScalar()) return turn;
    Motions motions(6, 3);
    if (joint.type == RobotJoint::Type::Ball) {
        for (int k = 0; k < 3; ++k) {
            const Eigen::Vector3d unit = Eigen::Vector3d::Unit(k);
            motions.col(k) << unit, pose.position.cross(unit);
        }
        return motions;
    }
    if (joint.type != RobotJoint::Type::Planar) return Motions(6, 0);
    const Eigen::Vector3d inPlane = axis.unitOrthogonal();
    motions << turn, shift(inPlane), shift(axis.cross(inPlane));
    return motions;
}

}  // namespace

std::vector<int> jointsWithoutInertia(const RobotDescription& robot, const std::vector<double>& q) {
    const std::vector<RobotPose> poses = linkPoses(robot, {}, q);
    std::vector<Spatial> articulated;  // with what a link carries, joints free
    for (std::size_t i = 0; i < robot.links.size(); ++i) articulated.push_back(inertiaOf(robot.links[i], poses[i]));
    std::vector<Spatial> locked = articulated;  // joints held
    std::vector<int> still;
    for (std::size_t i = robot.joints.size(); i-- > 0;) {
        const RobotJoint& joint = robot.joints[i];
        const auto child = static_cast<std::size_t>(joint.child);
        const auto parent = static_cast<std::size_t>(joint.parent);
        const Motions s = motionsOf(joint, poses[child]);
        locked[parent] += locked[child];
        if (s.cols() > 0) {
            const Motions u = articulated[child] * s;
            const Eigen::MatrixXd d = s.transpose() * u;
            const double scale = locked[child].norm() * s.squaredNorm();  // what rounding leaves of it
            const double least = Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(d).eigenvalues()[0];
            if (!(least > 1e-12 * scale)) {
                still.push_back(static_cast<int>(i));
                continue;
            }
            articulated[child] -= u * d.inverse() * u.transpose();
        }
        if (joint.type != RobotJoint::Type::Floating) articulated[parent] += articulated[child];
    }
    std::reverse(still.begin(), still.end());
    return still;
}

}  // namespace elasto::robot
