#include "doubtful_inertia.h"

#include "robot_problems.h"
#include "shape_extent.h"

#include <algorithm>
#include <cmath>

namespace elasto::robot {

namespace {

constexpr double kMostTimes = 10;    // as the header says
constexpr double kReachUnknown = 1;  // [m]

}  // namespace

std::string doubtfulInertia(const RobotLink& link, const std::vector<const RobotJoint*>& carried) {
    if (!(link.mass > 0)) return "";
    const Eigen::Vector3d& centre = link.principalFrame.position;
    double reach = centre.norm();
    for (const RobotJoint* joint : carried) reach = std::max(reach, (joint->pose.position - centre).norm());
    for (const RobotShape& shape : link.collisions) {
        const Eigen::Vector3d inShape = shape.pose.orientation.conjugate() * (centre - shape.pose.position);
        reach = std::max(reach, reachOf(shape, inShape));
    }
    if (link.collisions.empty()) reach = std::max(reach, kReachUnknown);
    const double gyration = std::sqrt(link.principalMoments.sum() / 2 / link.mass);
    if (!(gyration > kMostTimes * reach)) return "";
    const Eigen::Vector3d& moments = link.principalMoments;
    return "principal moments " + briefText(moments[0]) + ", " + briefText(moments[1]) + ", " + briefText(moments[2]) +
           " kg.m2 at a mass of " + briefText(link.mass) + " kg need a body that reaches at least " +
           briefText(gyration) + " m from its centre of mass; " +
           (link.collisions.empty()
                ? "links without collision shapes are expected within " + briefText(kMostTimes * reach) + " m"
                : "its shapes and joints reach " + briefText(reach) + " m") +
           ". Are these placeholders, or kg.mm2?";
}

}  // namespace elasto::robot
