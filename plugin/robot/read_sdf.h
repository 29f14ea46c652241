#pragma once
/// @file read_sdf.h
/// Links and joints of a model in an SDF file.

#include "robot_parts.h"

#include <elasto/robot/load_robot.h>

#include <memory>

namespace elasto::robot {

/// A model and the files that it includes, which must live as long as the parts.
struct SdfModel {
    RobotParts parts;
    std::vector<std::unique_ptr<XmlFile>> files;
    const tinyxml2::XMLElement* element = nullptr;  ///< `<model>`, in the file itself; null: there is none
};

/// Whether a file's root is that of SDF: `<sdf>`, or `<gazebo version="1.2">` as files had it before 1.3.
bool isSdf(const tinyxml2::XMLElement& root);

/// Reads a file whose root isSdf(): its first model that is not static, or else its first one. Other models are
/// named in a warning. Links become those of a tree whose frames are their joints': RobotLink::statedFrame says where
/// SDF's are. The root link's frame is the world of the file. Joints are reversed where only so all links hang on one;
/// of a model in parts that no joints connect the largest is read. Both is said in a warning.
SdfModel readSdf(XmlFile& file, const LoadRobotOptions& options);

}  // namespace elasto::robot
