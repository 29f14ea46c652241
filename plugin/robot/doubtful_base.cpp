#include "doubtful_base.h"

#include "shape_extent.h"

#include <algorithm>
#include <limits>
#include <vector>

namespace elasto::robot {

namespace {

constexpr double kSameHeight = 0.05;  // of the robot's height: castors and wheels touch the same ground

/// The lowest point of a link's shapes; of a link without any its centre of mass [m].
double lowestOf(const RobotLink& link, const RobotPose& pose) {
    if (link.collisions.empty()) return (pose * link.principalFrame).position.z();
    const Eigen::AlignedBox3d box = extentOf(link.collisions);
    double lowest = std::numeric_limits<double>::infinity();
    for (int corner = 0; corner < 8; ++corner) {
        const Eigen::Vector3d point = box.corner(static_cast<Eigen::AlignedBox3d::CornerType>(corner));
        lowest = std::min(lowest, (pose.position + pose.orientation * point).z());
    }
    return lowest;
}

}  // namespace

std::string doubtfulBase(const RobotDescription& robot) {
    if (robot.links.empty() || robot.links[0].mass > 0 || robot.links[0].name == "world") return "";
    std::vector<bool> isFixed(robot.links.size(), true);
    int moving = 0;  // joints on what is fixed
    for (const RobotJoint& joint : robot.joints) {
        if (joint.type == RobotJoint::Type::Floating) return "";
        const bool isOnFixed = isFixed[static_cast<std::size_t>(joint.parent)];
        const bool moves = joint.type != RobotJoint::Type::Fixed;
        isFixed[static_cast<std::size_t>(joint.child)] = isOnFixed && !moves;
        if (isOnFixed && moves) ++moving;
    }
    const std::vector<RobotPose> poses = linkPoses(robot, {}, std::vector<double>(robot.joints.size(), 0));
    double lowest[2] = {std::numeric_limits<double>::infinity(), std::numeric_limits<double>::infinity()};
    double highest = -lowest[0];
    double mass = 0;  // of what is fixed
    for (std::size_t i = 0; i < robot.links.size(); ++i) {
        const RobotLink& link = robot.links[i];
        highest = std::max(highest, poses[i].position.z());
        if (isFixed[i]) mass += link.mass;
        if (!(link.mass > 0) && link.collisions.empty()) continue;
        double& least = lowest[isFixed[i] ? 0 : 1];
        least = std::min(least, lowestOf(link, poses[i]));
    }
    if (moving < 2 || !(mass > 0)) return "";
    const double height = highest - std::min(lowest[0], lowest[1]);
    if (lowest[1] > lowest[0] + kSameHeight * height) return "";
    return "has no mass, and so the base is fixed, although what moves on it reaches as low as a robot's wheels or "
           "legs. "
           "--free-base, \"base\": \"free\" in a scene, or RobotOptions::Base::Free let it move; --fixed-base and "
           "\"fixed\" say that it is meant";
}

}  // namespace elasto::robot
