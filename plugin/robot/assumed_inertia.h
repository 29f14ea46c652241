#pragma once
/// @file assumed_inertia.h
/// Mass and moments of links whose file gives none that can be used.

#include <elasto/robot/description.h>

#include <string>

namespace elasto::robot {

/// Gives a link the moments of a solid box around its collision shapes, whose axes are the link's, and of its mass;
/// without shapes those of a solid ball of 0.1 m. A link without mass weighs 1 kg afterwards, as in PyBullet, and its
/// centre of mass is the box's.
/// @return what was assumed, for a warning
std::string assumeInertia(RobotLink& link);

}  // namespace elasto::robot
