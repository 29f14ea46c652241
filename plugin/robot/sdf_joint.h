#pragma once
/// @file sdf_joint.h
/// A joint of an SDF file.

#include "robot_parts.h"

#include <array>
#include <functional>
#include <string>
#include <vector>

namespace elasto::robot {

/// One axis of a joint, as the file states it.
struct SdfAxis {
    RobotJoint joint;         ///< axis, limits, dynamics and mimic; Revolute, Continuous or Prismatic
    std::string leader;       ///< name of the joint that it follows; empty: none
    std::string expressedIn;  ///< frame of `joint.axis`; empty: the joint's own
    bool isInModel = false;   ///< before SDF 1.7: `joint.axis` is in the model's frame
};

/// What a `<joint>` says without its frames.
struct SdfJoint {
    std::string name;
    std::string parent;         ///< link or frame
    std::string child;          ///< link or frame
    bool isBall = false;        ///< without axes: it turns about a point, else it is fixed
    std::vector<SdfAxis> axes;  ///< none: fixed or ball; two: universal, the first one on the parent's side
    int line = 0;
};

/// Reads a `<joint>`. Types that cannot be are problems, and nothing is returned.
/// @param version of SDF: 107 of 1.7
std::optional<SdfJoint> readSdfJoint(XmlFile& file, const tinyxml2::XMLElement& element, int version);

}  // namespace elasto::robot
