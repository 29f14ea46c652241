#pragma once
/// @file lump_base.h
/// A root link without mass that is to be free, as many exporters write one before the body.

#include <elasto/export.h>
#include <elasto/robot/description.h>

namespace elasto::robot {

/// Gives a link without mass the mass, centre of mass and inertia of all links that hang on it by fixed joints, as
/// Gazebo does; these have none then. Nothing changes where it has mass, or none of them has.
ELASTO_API void lumpBase(RobotDescription& robot, int base);

}  // namespace elasto::robot
