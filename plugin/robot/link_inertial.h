#pragma once
/// @file link_inertial.h
/// Mass and inertia tensor of a link, as any file gives them, as principal axes and moments.

#include "robot_parts.h"

namespace elasto::robot {

/// Sets mass, principal frame and moments of a link. Moments that are negative beyond rounding leave the link without
/// (part.hasInertial stays false), those that no body has are kept: both with a warning.
/// @param place  centre of mass and axes of the tensor, in the link's frame
/// @param at     element that warnings name
void setInertial(LinkPart& part, double mass, const RobotPose& place, const Eigen::Matrix3d& tensor,
                 const tinyxml2::XMLElement& at);

}  // namespace elasto::robot
