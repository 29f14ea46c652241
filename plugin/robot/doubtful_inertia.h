#pragma once
/// @file doubtful_inertia.h
/// Moments of inertia that fit no body of the link's mass and size.

#include <elasto/robot/description.h>

#include <string>
#include <vector>

namespace elasto::robot {

/// What is doubtful about a link's moments of inertia, or "".
///
/// Half the sum of the principal moments is the integral of r^2 dm about the centre of mass, so that
/// k = sqrt(sum / (2 mass)) is at most the distance of the body's farthest point. Doubtful is a k above ten times the
/// distance of the farthest point that is known: of the collision shapes, of the link's own frame and of the joints
/// that it carries. Ten, since shapes are often of a part of the link only, and inertias are made larger for the sake
/// of other solvers; kg.mm2 and g.mm2 in the place of kg.m2 make k 1000 and 31623 times as large. A link without
/// collision shapes is taken to reach 1 m at least.
/// @param carried the joints that the link carries
std::string doubtfulInertia(const RobotLink& link, const std::vector<const RobotJoint*>& carried);

}  // namespace elasto::robot
