#include "lump_base.h"

#include "principal_inertia.h"

#include <utility>
#include <vector>

namespace elasto::robot {

void lumpBase(RobotDescription& robot, int base) {
    RobotLink& root = robot.links[static_cast<std::size_t>(base)];
    if (root.mass > 0) return;
    // Links that are fixed to the base, with their poses in its frame.
    std::vector<std::pair<int, RobotPose>> members{{base, {}}};
    for (std::size_t i = 0; i < members.size(); ++i) {
        for (const RobotJoint& joint : robot.joints) {
            if (joint.parent != members[i].first || joint.type != RobotJoint::Type::Fixed) continue;
            const RobotPose at = members[i].second * joint.pose;
            members.push_back({joint.child, at});
        }
    }
    double mass = 0;
    Eigen::Vector3d moment = Eigen::Vector3d::Zero();
    const auto centerOf = [&](const std::pair<int, RobotPose>& member) -> Eigen::Vector3d {
        const RobotLink& link = robot.links[static_cast<std::size_t>(member.first)];
        return member.second.position + member.second.orientation * link.principalFrame.position;
    };
    for (const auto& member : members) {
        const double own = robot.links[static_cast<std::size_t>(member.first)].mass;
        mass += own;
        moment += own * centerOf(member);
    }
    if (!(mass > 0)) return;
    const Eigen::Vector3d center = moment / mass;
    Eigen::Matrix3d inertia = Eigen::Matrix3d::Zero();
    for (const auto& member : members) {
        RobotLink& link = robot.links[static_cast<std::size_t>(member.first)];
        const Eigen::Matrix3d axes = (member.second.orientation * link.principalFrame.orientation).toRotationMatrix();
        const Eigen::Vector3d d = centerOf(member) - center;
        inertia += axes * link.principalMoments.asDiagonal() * axes.transpose();
        inertia += link.mass * (d.squaredNorm() * Eigen::Matrix3d::Identity() - d * d.transpose());
        link.mass = 0;
        link.principalMoments.setZero();
    }
    const PrincipalInertia principal = principalInertia(inertia);
    root.mass = mass;
    root.principalFrame = {center, principal.orientation};
    root.principalMoments = principal.moments;
}

}  // namespace elasto::robot
