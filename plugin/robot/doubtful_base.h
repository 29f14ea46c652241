#pragma once
/// @file doubtful_base.h
/// Robots that stand on wheels or legs, and whose base is fixed.

#include <elasto/robot/description.h>

#include <string>

namespace elasto::robot {

/// What is doubtful about a base that is fixed for want of mass, or "".
///
/// Exporters write a root link without mass (base_footprint, base) above a robot's body. Doubtful is such a root where
/// links with mass are fixed to it, two or more joints move what hangs on these, and what moves reaches as low as what
/// does not, with all joints at zero: wheels and legs do, and arms and fingers mostly do not. A root called world is
/// meant to be fixed.
std::string doubtfulBase(const RobotDescription& robot);

}  // namespace elasto::robot
