#pragma once
/// @file read_surface.h
/// What links are like where they touch, and springs of joints: Bullet's and Gazebo's additions to URDF.

#include "robot_parts.h"

namespace elasto::robot {

/// Contacts are rigid from this stiffness on [N/m]: 1 kN presses them by 10 um. Gazebo's default is 1e12.
inline constexpr double kRigidContact = 1e8;

/// Bullet's `<contact>` in a link: `<lateral_friction value="1"/>` and so on.
void readContact(XmlFile& file, const tinyxml2::XMLElement& contact, RobotSurface& surface);

/// Gazebo's `<gazebo reference="...">`, which stand in `<robot>`: mu1, mu2, kp and kd of a link, springStiffness and
/// springReference of a joint. Other things in them are for Gazebo alone.
void readGazebo(XmlFile& file, RobotParts& parts);

/// Gazebo's contact: kp [N/m], kd [N.s/m]. Both are needed; rigid ones leave the surface as it is.
void setSoftness(RobotSurface& surface, std::optional<double> kp, std::optional<double> kd);

}  // namespace elasto::robot
