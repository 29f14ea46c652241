#pragma once
/// @file sdf_link.h
/// A link of an SDF file: inertia, collision shapes and their surface.

#include "robot_parts.h"

#include <elasto/robot/load_robot.h>

#include <functional>

namespace elasto::robot {

/// Pose of the frame that a `<pose relative_to="...">` names in the link's frame; the identity without the attribute.
using FrameInLink = std::function<RobotPose(const tinyxml2::XMLElement& pose)>;

/// Reads a `<link>` into its own frame, as SDF places it.
LinkPart readSdfLink(XmlFile& file, const tinyxml2::XMLElement& element, const LoadRobotOptions& options,
                     const FrameInLink& frameInLink);

}  // namespace elasto::robot
