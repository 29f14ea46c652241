#pragma once
/// @file check_mobility.h
/// Looks for joints that nothing resists.

#include "xml_file.h"

#include <elasto/robot/description.h>

namespace elasto::robot {

/// Any force would move a joint without bound that carries no inertia: links without mass, or with mass on the axis
/// only. Every such joint becomes a problem.
void checkMobility(XmlFile& file, const RobotDescription& robot);

}  // namespace elasto::robot
